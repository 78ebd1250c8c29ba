import type { RunEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';

/** The most runs that one page compares. */
export const mostCompared = 6;

/** The runs that are selected for a comparison. */
export const tickedRuns = createStore<readonly string[]>([]);

/** Selects or deselects a run. A further run replaces the first one. */
export const tickRun = (id: string, ticked: boolean): void =>
  tickedRuns.update((all) => [...all.filter((one) => one !== id), ...(ticked ? [id] : [])].slice(-mostCompared));

/** Shows the comparison of runs. The pinned baseline is the reference, or else the oldest run. */
export function compareRuns(...runs: readonly Compared[]): void {
  const ordered = runs.toSorted(
    (a, b) => Number(b.isBaseline) - Number(a.isBaseline) || a.startedAt.localeCompare(b.startedAt),
  );
  if (ordered.length > 1) goTo({ page: 'compare', runIds: ordered.map(({ id }) => id) });
}

type Compared = Pick<RunEntry, 'id' | 'startedAt' | 'isBaseline'>;

/** Shows the list of runs with this run selected, so that the user can select other runs. */
export function compareWith(id: string): void {
  tickRun(id, true);
  goTo({ page: 'runs' });
}
