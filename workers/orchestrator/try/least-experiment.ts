import type { Experiment } from '#experiment/schema/experiment.ts';

/** The smallest experiment with this target, for connections outside any run. */
export const leastExperiment = (target: Experiment['targets'][number]): Experiment => ({
  dyno: 1,
  name: 'No run',
  question: 'Does the target answer?',
  dataset: { rows: 1, seed: 1, columns: { id: { type: 'sequence', start: 1, nulls: 0 } } },
  workload: {},
  factors: {},
  targets: [target],
  measure: { until: { seconds: 1 }, repeats: 1, warmupSeconds: 0, timeoutSeconds: 60, order: 'declared', seed: 1 },
});
