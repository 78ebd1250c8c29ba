import type { GalleryPage } from '#protocol/gallery-page.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { findingTitles, runsOn } from './gallery-text.ts';

/** The searchable text of an experiment: its whole file, and the text of its card. */
const textOf = (entry: LibraryEntry, page: GalleryPage | null): string =>
  [
    ...[entry.name, entry.question, ...entry.targets, entry.text],
    ...(page === null ? [] : [...findingTitles(page.card?.expectedFindings ?? []), page.card?.topic ?? '']),
    ...(page === null ? [] : runsOn(page).map(({ label }) => label)),
  ]
    .join('\n')
    .toLowerCase();

/** True if an experiment contains every word of the search. */
export function isFound(entry: LibraryEntry, page: GalleryPage | null, search: string): boolean {
  const text = textOf(entry, page);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
