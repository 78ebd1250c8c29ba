import { setImmediate } from 'node:timers/promises';
import { type GalleryPage, galleryPage } from '#contract/gallery.ts';
import { catalog } from '../engines/catalog.ts';
import type { Library } from './library.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);

/**
 * The pages of the gallery's experiments, in the order of the library. Planning them all takes a while: others get
 * their turn between two.
 */
export async function galleryPages(
  library: Library,
  rates?: ReadonlyMap<string, number>,
): Promise<readonly GalleryPage[]> {
  const pages: GalleryPage[] = [];
  for (const { id, origin } of library.list()) {
    if (origin !== 'gallery') continue;
    const page = galleryPage(id, library.read(id).text, descriptors, rates);
    if (page !== null) pages.push(page);
    await setImmediate();
  }
  return pages;
}
