import type { RunModel } from '#analysis/run-model/run-model.ts';

/**
 * Short names of runs for the columns of tables: their titles, or the moments at which they started. Names that would
 * be the same get the number of their run. `titles`: the user's titles; an empty one counts as none.
 */
export function runLabels(
  runs: readonly Pick<RunModel, 'startedAt'>[],
  titles: readonly string[],
  formatMoment: (iso: string) => string,
): readonly string[] {
  const labels = runs.map(({ startedAt }, i) => titles[i] || formatMoment(startedAt));
  return labels.map((label, i) =>
    labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${label}, run ${i + 1}`,
  );
}
