import type { RunEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';

/** The runs that are selected for a comparison, at most two. */
export const tickedRuns = createStore<readonly string[]>([]);

/** Selects or deselects a run. A third run replaces the first one. */
export const tickRun = (id: string, ticked: boolean): void =>
  tickedRuns.update((all) => [...all.filter((one) => one !== id), ...(ticked ? [id] : [])].slice(-2));

/** Shows the comparison of two runs. The older run is “before”. */
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

/** Shows the list of runs with this run selected, so that the user can select a second run. */
export function compareWith(id: string): void {
  tickRun(id, true);
  goTo({ page: 'runs' });
}
