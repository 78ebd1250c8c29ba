import type { GalleryPage } from '#protocol/gallery-page.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { attempt, listen, request } from '../state/bridge.ts';
import { createStore } from '../state/store.ts';

/** The user's experiments and those of the gallery; null until the first answer. */
export const library = createStore<readonly LibraryEntry[] | null>(null);

/** The documentation of the gallery's experiments; null until the first answer. */
export const gallery = createStore<readonly GalleryPage[] | null>(null);

async function refresh(): Promise<void> {
  const entries = await attempt('Could not list the experiments', () => request('experiments:list', null));
  library.set(entries ?? library.get() ?? []);
}

let stale = true;

/**
 * Reads the gallery, unless it is up to date. Planning it takes a second or two, so the window reads it when it is
 * shown, and again only after a run, which improves the estimates.
 */
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

/** The experiment of the gallery with this file name. Undefined until the library is read. */
const galleryEntry = (name: string): LibraryEntry | undefined =>
  library.get()?.find(({ id, origin }) => origin === 'gallery' && fileOf(id) === name);

/** The experiment of the first start. Undefined until the library is read. */
export const starterEntry = (): LibraryEntry | undefined => galleryEntry('insert-duel');

/** The page only knows ids, which end with the file name. */
const fileOf = (id: string): string => id.replace(/^.*[:/]/, '').replace(/\.dyno\.yaml$/, '');
