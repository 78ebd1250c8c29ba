import { gradeLabels } from '#analysis/grade/grade-text.ts';
import type { RunEntry } from '#protocol/ipc.ts';

/** The sort orders of the list of runs. */
export const runOrders = [
  { id: 'newest', label: 'Newest first' },
  { id: 'oldest', label: 'Oldest first' },
  { id: 'name', label: 'Experiment' },
  { id: 'longest', label: 'Longest first' },
] as const;
export type RunOrder = (typeof runOrders)[number]['id'];

/** The runs of one experiment. */
export interface RunGroup {
  readonly name: string;
  readonly runs: readonly RunEntry[];
}

const orders: Readonly<Record<RunOrder, (a: RunEntry, b: RunEntry) => number>> = {
  newest: (a, b) => b.startedAt.localeCompare(a.startedAt),
  oldest: (a, b) => a.startedAt.localeCompare(b.startedAt),
  name: (a, b) => a.name.localeCompare(b.name) || b.startedAt.localeCompare(a.startedAt),
  longest: (a, b) => b.durationMs - a.durationMs,
};

/**
 * True if every word of the filter is in the run's name, title, size, status, grade, note, tags, targets or fastest
 * variant. A word that begins with # is a whole tag.
 */
function isShown(run: RunEntry, filter: string): boolean {
  const { name, title, size, status, grade, targets, note, tags, isBaseline, cells } = run;
  const state = [status, grade === null ? '' : gradeLabels[grade.level], isBaseline ? 'baseline' : ''];
  const words = [name, title, size ?? '', ...state, note, ...tags, ...targets];
  const text = [...words, cells[0]?.label ?? ''].join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) =>
      word.startsWith('#') ? tags.some((tag) => `#${tag.toLowerCase()}` === word) : text.includes(word),
    );
}

/** The highest rate of each complete run of an experiment, the oldest first, for a sparkline. */
export function rates(own: readonly RunEntry[]): readonly { readonly value: number; readonly index: number }[] {
  const done = own.filter(({ status, cells }) => status === 'complete' && cells.length > 0).toSorted(orders.oldest);
  // Rates of another unit or size cannot be compared.
  const alike = done.filter(({ size, cells }) => {
    const last = done.at(-1)!;
    return size === last.size && cells[0]!.unit === last.cells[0]!.unit;
  });
  return alike.map(({ cells }) => ({ value: cells[0]!.value, index: cells[0]!.index }));
}

/** The filtered runs by experiment. The groups and the runs in them have the chosen order. */
export function groupRuns(runs: readonly RunEntry[], filter: string, order: RunOrder): readonly RunGroup[] {
  const shown = runs.filter((run) => isShown(run, filter)).toSorted(orders[order]);
  return [...Map.groupBy(shown, ({ name }) => name)].map(([name, own]) => ({ name, runs: own }));
}
