import { mostCompared } from '#analysis/between-runs/compare-with-reference.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';
import { showToast } from '../ui/overlays/toast.tsx';

/** The runs that are selected for a comparison. */
export const tickedRuns = createStore<readonly string[]>([]);

/** Selects or deselects a run. If no further run can be compared, it says so and selects none. */
export function tickRun(id: string, ticked: boolean): void {
  const others = tickedRuns.get().filter((one) => one !== id);
  if (ticked && others.length >= mostCompared)
    showToast({ tone: 'info', title: `${mostCompared} runs are selected already. Deselect one to select another.` });
  else tickedRuns.set([...others, ...(ticked ? [id] : [])]);
}

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
