import { setImmediate } from 'node:timers/promises';
import { catalog } from '#engines/catalog.ts';
import type { Durations } from '#planning/durations.ts';
import { galleryPage } from '#planning/gallery.ts';
import type { GalleryPage } from '#protocol/gallery-page.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { Library } from './library.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);

/** The pages of the gallery's experiments, in the library's order. Yields to other work between two of them. */
export async function galleryPages(library: Library, known?: Durations): Promise<readonly GalleryPage[]> {
  const pages: GalleryPage[] = [];
  for (const { id, origin } of library.list()) {
    if (origin !== 'gallery') continue;
    const page = galleryPage(id, parseFile(library.read(id).text), descriptors, known);
    if (page !== null) pages.push(page);
    await setImmediate();
  }
  return pages;
}
