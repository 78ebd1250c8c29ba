import { setImmediate } from 'node:timers/promises';
import { catalog } from '#engines/catalog.ts';
import type { Durations } from '#planning/durations.ts';
import { galleryPage } from '#planning/gallery.ts';
import type { GalleryPage } from '#protocol/gallery-page.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { Library } from './library.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);

/** The experiments that come with Dyno. */
interface Gallery {
  /**
   * The pages of the gallery's experiments, in the library's order, with estimates by the durations of earlier runs.
   * The first call plans all experiments, and later calls only those whose text has changed. Yields to other work
   * between two experiments.
   */
  pages(known?: Durations): Promise<readonly GalleryPage[]>;
}

export function openGallery(library: Library): Gallery {
  const planned = new Map<string, { readonly text: string; readonly page: ReturnType<typeof galleryPage> }>();
  const plan = (id: string) => {
    const { text } = library.read(id);
    const before = planned.get(id);
    if (before?.text === text) return before;
    const now = { text, page: galleryPage(id, parseFile(text), descriptors) };
    planned.set(id, now);
    return now;
  };
  return {
    async pages(known) {
      const pages: GalleryPage[] = [];
      for (const { id, origin } of library.list()) {
        if (origin !== 'gallery') continue;
        const { page } = plan(id);
        if (page !== null) pages.push(page(known));
        await setImmediate();
      }
      return pages;
    },
  };
}
