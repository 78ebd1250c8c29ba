import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { sizeOfTables } from '#model/dataset/tables.ts';
import type { GalleryEngine, GalleryPage, GallerySize } from '#protocol/gallery-page.ts';
import type { Plan } from '#protocol/plan.ts';
import { type ParsedFile, parseFile } from '#rules/parsed-file.ts';
import type { Durations } from './durations.ts';
import { estimateSeconds } from './estimate-seconds.ts';
import { galleryTargets, listedOf } from './gallery-targets.ts';
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
    engines: coverageOf(file, catalog),
  };
  return (known) => ({ ...page, sizes: sizes.map((size) => size(known)) });
}

function sizeOf(name: string | null, plan: Plan): (known?: Durations) => GallerySize {
  const note = name === null ? null : (plan.experiment.sizes?.[name]?.note ?? null);
  const [variants, trials] = [plan.variants.length, trialCount(plan).most];
  const size = { name, note, ...sizeOfTables(plan.experiment), variants, trials };
  return (known) => ({ ...size, seconds: estimateSeconds(plan, known) });
}

/**
 * The engines that run an experiment, by a plan with one target per engine, each of which supports the cells that the
 * plan does not skip. Empty if the file is no experiment.
 */
export function coverageOf(file: ParsedFile, catalog: readonly EngineDescriptor[]): readonly GalleryEngine[] {
  const written = file.experiment;
  if (written === null) return [];
  const targets = galleryTargets(catalog);
  const { baseline: _, ...rest } = written;
  const experiment = { ...rest, targets: targets.map(({ spec }) => spec) };
  const { plan } = planExperiment({ ...file, experiment }, { catalog });
  if (plan === null) return [];
  return targets.map((one) => {
    const { id, label, target, name } = one;
    const own = plan.trials.filter((trial) => trial.target === name && trial.repeat === 1);
    const byReason = Map.groupBy(
      plan.skipped.filter((cell) => cell.target === name),
      ({ reason }) => reason,
    );
    const reasons = [...byReason].map(([reason, cells]) => ({
      reason,
      variants: cells.map(({ variant }) => variantText(plan, variant)),
      isSameAsAnother: cells.every(({ sameAs }) => sameAs !== undefined),
    }));
    const isListed = listedOf(written, one).length > 0;
    return { id, label, target, isListed, cells: own.length, of: plan.variants.length, reasons };
  });
}
