import type { GalleryPage } from '#protocol/gallery-page.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { findingTitles, runsOn } from './gallery-text.ts';

/** Everything that can be found of an experiment: its whole file, and what its card says. */
const textOf = (entry: LibraryEntry, page: GalleryPage | null): string =>
  [
    ...[entry.name, entry.question, ...entry.targets, entry.text],
    ...(page === null ? [] : [...findingTitles(page.card?.expectedFindings ?? []), page.card?.topic ?? '']),
    ...(page === null ? [] : runsOn(page).map(({ label }) => label)),
  ]
    .join('\n')
    .toLowerCase();

/** True if an experiment has every word of the search in one of its texts. */
export function isFound(entry: LibraryEntry, page: GalleryPage | null, search: string): boolean {
  const text = textOf(entry, page);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
