import type { LibraryEntry } from '#protocol/ipc.ts';
import { galleryEntry } from '../../library/library-store.ts';

/** The experiment of the first start; undefined until the library is read. */
export const starterEntry = (): LibraryEntry | undefined => galleryEntry('insert-duel');
