import type { JournalRecord } from '#protocol/journal.ts';
/**
 * A run whose trials are three calls each: before those of multiRow the cache was emptied. Calls of the second repeat take a fifth longer.
 * PostgreSQL counts the pages that it reads and tells their size (null: it does not), the others do neither.
 */
export declare function callJournal(pageBytes?: number | null): Generator<JournalRecord>;
