import type { LibraryEntry } from '#contract/ipc.ts';
import { attempt, listen, request } from '../bridge.ts';
import { createStore } from '../store.ts';

/** The experiments there are; null until the first answer. */
export const library = createStore<readonly LibraryEntry[] | null>(null);

async function refresh(): Promise<void> {
  const entries = await attempt('Could not list the experiments', () => request('experiments:list', null));
  library.set(entries ?? library.get() ?? []);
}

export async function loadLibrary(): Promise<void> {
  listen('library:changed', () => void refresh());
  await refresh();
}
