import type { JournalRecord } from '#protocol/journal.ts';

/**
 * For tests only: one server of a journal tells what a document store tells of its own work: many short journal writes, a flush of the
 * data every few seconds, a sync now and then. Same journal, same events.
 */
interface Kind {
  readonly kind: string;
  readonly everyMs: number;
  /** Median; what is drawn scatters around it. */
  readonly durationMs: number;
  readonly bytes: number | null;
}
export declare const eventKinds: readonly Kind[];
/**
 * The same journal with events in every probe of `target`. `rate`: so many times as many of them. `listed`: of more than these between two
 * samples the server tells only sums.
 */
export declare function withServerEvents(
  journal: Iterable<JournalRecord>,
  target?: string,
  rate?: number,
  listed?: number,
): Generator<JournalRecord>;
