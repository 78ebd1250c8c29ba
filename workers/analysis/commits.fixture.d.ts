import type { JournalRecord } from '#protocol/journal.ts';
/** A run in which PostgreSQL's trials committed 200 times each, in `ms` × connections; the other targets' calls commit by themselves. */
export declare function commitJournal(ms: number): Generator<JournalRecord>;
