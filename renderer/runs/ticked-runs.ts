import type { RunEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';

/** The runs that are chosen for a comparison: two at most. */
export const tickedRuns = createStore<readonly string[]>([]);

/** Chooses a run, or no longer; a third choice takes the place of the first. */
export const tickRun = (id: string, ticked: boolean): void =>
  tickedRuns.update((all) => [...all.filter((one) => one !== id), ...(ticked ? [id] : [])].slice(-2));

/** Shows the comparison of two runs, the older one as before. */
export function compareRuns(...runs: readonly [Started, Started]): void {
  const [before, after] = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  if (before && after) goTo({ page: 'compare', before: before.id, after: after.id });
}

type Started = Pick<RunEntry, 'id' | 'startedAt'>;

/** Shows the comparison of the two chosen runs. */
export function compareTicked(runs: readonly RunEntry[]): void {
  const [one, other] = runs.filter(({ id }) => tickedRuns.get().includes(id));
  if (one && other) compareRuns(one, other);
}

/** Shows the list of runs with this one chosen, for a choice of the other. */
export function compareWith(id: string): void {
  tickRun(id, true);
  goTo({ page: 'runs' });
}
