import type { GalleryPage } from '#contract/gallery.ts';
import type { LibraryEntry } from '#contract/ipc.ts';
import { attempt, listen, request } from '../state/bridge.ts';
import { createStore } from '../state/store.ts';

/** The experiments there are; null until the first answer. */
export const library = createStore<readonly LibraryEntry[] | null>(null);

/** What the gallery tells of its experiments; null until the first answer. */
export const gallery = createStore<readonly GalleryPage[] | null>(null);

async function refresh(): Promise<void> {
  const entries = await attempt('Could not list the experiments', () => request('experiments:list', null));
  library.set(entries ?? library.get() ?? []);
}

let stale = true;

/** Planning all of it takes a second or two: done where it is looked at, and again only after a run, when it is better known how long things take. */
export async function refreshGallery(): Promise<void> {
  if (!stale) return;
  stale = false;
  const pages = await attempt('Could not read the gallery', () => request('experiments:gallery', null));
  stale ||= pages === null;
  gallery.set(pages ?? gallery.get() ?? []);
}

export async function loadLibrary(): Promise<void> {
  listen('library:changed', () => void refresh());
  listen('runs:changed', () => {
    stale = true;
  });
  await refresh();
}
