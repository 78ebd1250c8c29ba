import type { RunEntry, RunProgress } from '#protocol/ipc.ts';
import { attempt, listen, request } from './bridge.ts';
import { currentPage } from './navigation.ts';
import { createStore, useStore } from './store.ts';

/** All runs, newest first; null until the first answer. */
export const runs = createStore<readonly RunEntry[] | null>(null);

/** Progress of live runs, by run id. */
export const runProgress = createStore<Readonly<Record<string, RunProgress>>>({});

/** True if the experiment with this name has runs. */
export const useHasRuns = (experiment: string): boolean =>
  (useStore(runs) ?? []).some(({ name }) => name === experiment && name !== '');

async function refresh(): Promise<void> {
  const entries = await attempt('Could not list the runs', () => request('runs:list', null));
  runs.set(entries ?? runs.get() ?? []);
}

export async function loadRuns(): Promise<void> {
  listen('runs:changed', () => void refresh());
  // Runs of the command line use the same home, but send no events to the window.
  const look = () => void refresh();
  currentPage.subscribe(look);
  window.addEventListener('focus', look);
  listen('run:progress', (progress) => runProgress.update((all) => ({ ...all, [progress.runId]: progress })));
  await refresh();
}
