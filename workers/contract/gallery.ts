import type { EngineDescriptor } from './engine.ts';
import { type Estimate, estimateSeconds } from './estimate-seconds.ts';
import type { Experiment } from './experiment.ts';
import { parseExperiment, setIn } from './experiment-file.ts';
import type { GalleryCard } from './gallery-card.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';
import type { Published } from './published.ts';
import { sizeOfTables } from './tables.ts';
import { trialCount } from './trial-count.ts';
import { variantLabel } from './variant-of.ts';

/** An experiment as its card and its page of documentation show it. */
export interface GalleryPage {
  /** Of the library entry. */
  readonly id: string;
  readonly name: string;
  readonly question: string;
  /** Markdown. */
  readonly about: string;
  /** Null where the file says nothing for the gallery. */
  readonly card: GalleryCard | null;
  readonly factors: readonly { readonly name: string; readonly levels: readonly string[] }[];
  readonly targets: readonly string[];
  readonly published: readonly Published[];
  /** The file as it is written, then its sizes. */
  readonly sizes: readonly GallerySize[];
  /** Every engine that does work, with what of the experiment can run on it. */
  readonly engines: readonly GalleryEngine[];
}

interface GallerySize {
  /** Null: as written. */
  readonly name: string | null;
  readonly note: string | null;
  /** Of all tables. */
  readonly rows: number;
  readonly tables: number;
  readonly variants: number;
  readonly trials: number;
  /** On the file's own targets. */
  readonly seconds: Estimate;
}

export interface GalleryEngine {
  readonly id: string;
  readonly label: string;
  /** Variants that run on it, of so many. */
  readonly cells: number;
  readonly of: number;
  /** Why the others do not, each reason once. */
  readonly reasons: readonly { readonly reason: string; readonly variants: readonly string[] }[];
}

/** Null where the text cannot be read as an experiment. `rates` as in {@link estimateSeconds}. */
export function galleryPage(
  id: string,
  text: string,
  catalog: readonly EngineDescriptor[],
  rates?: ReadonlyMap<string, number>,
): GalleryPage | null {
  const { experiment } = parseExperiment(text);
  if (!experiment) return null;
  const names = [null, ...Object.keys(experiment.sizes ?? {})];
  return {
    id,
    name: experiment.name,
    question: experiment.question,
    about: experiment.about ?? '',
    card: experiment.gallery ?? null,
    factors: Object.entries(experiment.factors).map(([name, levels]) => ({
      name,
      levels: Array.isArray(levels) ? levels.map(String) : Object.keys(levels),
    })),
    targets: experiment.targets.map((target) => (typeof target === 'string' ? target : target.name)),
    published: experiment.published ?? [],
    sizes: names.flatMap((name) => {
      const own = name === null ? experiment : parseExperiment(setIn(text, ['size'], name)).experiment;
      const plan = own && makePlan(own, catalog).plan;
      return plan ? [sizeOf(name, plan, rates)] : [];
    }),
    engines: enginesOf(experiment, catalog),
  };
}

function sizeOf(name: string | null, plan: Plan, rates: ReadonlyMap<string, number> | undefined): GallerySize {
  const note = name === null ? null : (plan.experiment.sizes?.[name]?.note ?? null);
  const [variants, trials] = [plan.variants.length, trialCount(plan).most];
  return { name, note, ...sizeOfTables(plan.experiment), variants, trials, seconds: estimateSeconds(plan, rates) };
}

/** The same experiment with one target of each engine: what the plan leaves out, that engine cannot do. */
function enginesOf(experiment: Experiment, catalog: readonly EngineDescriptor[]): readonly GalleryEngine[] {
  const { baseline: _, ...rest } = experiment;
  const targets = catalog.map(({ id }) => ({ name: id, engine: id }));
  const { plan } = makePlan({ ...rest, targets }, catalog);
  if (plan === null) return [];
  return catalog
    .filter(({ reference }) => !reference)
    .map(({ id, label }) => {
      const own = plan.trials.filter(({ target, repeat }) => target === id && repeat === 1);
      const byReason = Map.groupBy(
        plan.skipped.filter(({ target }) => target === id),
        ({ reason }) => reason,
      );
      const reasons = [...byReason].map(([reason, cells]) => ({
        reason,
        variants: cells.map(({ variant }) => variantLabel(plan, variant)),
      }));
      return { id, label, cells: own.length, of: plan.variants.length, reasons };
    });
}
