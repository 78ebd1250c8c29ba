import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { sizeOfTables } from '#model/dataset/tables.ts';
import type { GalleryEngine, GalleryPage, GallerySize } from '#protocol/gallery-page.ts';
import type { Plan } from '#protocol/plan.ts';
import { type ParsedFile, parseFile } from '#rules/parsed-file.ts';
import { missingFields } from '#rules/targets/target-fields.ts';
import type { Durations } from './durations.ts';
import { estimateSeconds } from './estimate-seconds.ts';
import { planExperiment } from './plan-experiment.ts';
import { trialCount } from './trial-count.ts';
import { variantText } from './variant-of.ts';

/**
 * Plans an experiment in all its sizes, which is most of the work that its page in the gallery needs. The result makes
 * the page with estimates by the durations that are known at that time; `known` as in {@link estimateSeconds}. Null if
 * the file is no experiment.
 */
export function galleryPage(
  id: string,
  file: ParsedFile,
  catalog: readonly EngineDescriptor[],
): ((known?: Durations) => GalleryPage) | null {
  const { experiment } = file;
  if (!experiment) return null;
  const names = [null, ...Object.keys(experiment.sizes ?? {})];
  const sizes = names.flatMap((name) => {
    const { plan } = planExperiment(name === null ? file : parseFile(setIn(file, ['size'], name)), { catalog });
    return plan ? [sizeOf(name, plan)] : [];
  });
  const page = {
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
    engines: enginesOf(file, experiment, catalog),
  };
  return (known) => ({ ...page, sizes: sizes.map((size) => size(known)) });
}

function sizeOf(name: string | null, plan: Plan): (known?: Durations) => GallerySize {
  const note = name === null ? null : (plan.experiment.sizes?.[name]?.note ?? null);
  const [variants, trials] = [plan.variants.length, trialCount(plan).most];
  const size = { name, note, ...sizeOfTables(plan.experiment), variants, trials };
  return (known) => ({ ...size, seconds: estimateSeconds(plan, known) });
}

/** The same experiment with one target per engine: each engine supports the cells that the plan does not skip. */
function enginesOf(
  file: ParsedFile,
  { baseline: _, ...rest }: Experiment,
  catalog: readonly EngineDescriptor[],
): readonly GalleryEngine[] {
  // No connection is made, so that required fields may have any value.
  const targets = catalog.map(({ id, config }) => ({
    name: id,
    engine: id,
    ...Object.fromEntries(missingFields(config, {}).map(({ name }) => [name, 'any'])),
  }));
  const { plan } = planExperiment({ ...file, experiment: { ...rest, targets } }, { catalog });
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
        variants: cells.map(({ variant }) => variantText(plan, variant)),
      }));
      return { id, label, cells: own.length, of: plan.variants.length, reasons };
    });
}
