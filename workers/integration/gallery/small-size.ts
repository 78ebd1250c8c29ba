import type { Experiment, TargetSpec } from '#experiment/schema/experiment.ts';

/** The size that is written to be small, as `small` and `published, small` are. */
const smallSize = ({ sizes = {} }: Experiment): string | null =>
  Object.keys(sizes).find((name) => /\bsmall$/.test(name)) ?? null;

/** The overrides that make a run as short as an experiment allows whose trials end after a time. */
export const briefMeasure: readonly string[] = ['measure.until={ seconds: 0.2 }', 'measure.warmupSeconds=0'];

/** Stages are shortened to this, within which users of scenarios with think times begin their work. */
const mostStageSeconds = 3;

/** The repeats from which a ratio gets an interval that may be narrow enough. */
const repeatsOfRatio = 3;

/**
 * The overrides, as of `--set`, that run an experiment of the gallery at its small size on these targets: a size of
 * that name if it has one; else it is shortened. Rows are kept, because a smaller table asks another question.
 */
export function smallOverrides(experiment: Experiment, targets: readonly (string | TargetSpec)[]): readonly string[] {
  const { baseline, published = [] } = experiment;
  const names = targets.map((spec) => (typeof spec === 'string' ? spec : spec.name));
  const isElsewhere = baseline?.target !== undefined && !names.includes(String(baseline.target));
  const hasRatio = published.some((one) => one.baseline !== undefined);
  const size = smallSize(experiment);
  return [
    ...(size !== null ? [`size=${size}`] : shortened(experiment, hasRatio ? repeatsOfRatio : 1)),
    `targets=${JSON.stringify(targets)}`,
    ...(isElsewhere ? [Object.keys(baseline).length === 1 ? 'baseline=' : 'baseline.target='] : []),
  ];
}

function shortened({ measure }: Experiment, repeats: number): readonly string[] {
  const { until, stages } = measure ?? {};
  const ofTime = until?.seconds !== undefined;
  return [
    ...(ofTime ? briefMeasure : []),
    ...(stages
      ? [
          `measure.stages=${JSON.stringify(stages.map((one) => ({ ...one, seconds: Math.min(one.seconds, mostStageSeconds) })))}`,
          'measure.warmupSeconds=0',
        ]
      : []),
    `measure.repeats=${repeats}`,
  ];
}
