import type { ErrorData } from '#contract/error.ts';

/** One try of the calls that are committed together; without transactions, all calls of a phase. */
export interface Group {
  /** Calls that it may still begin. */
  left: number;
  broken: boolean;
  /** The write conflict that broke it, if that is what did: then nothing of it is there. */
  conflict: ErrorData | null;
  /** Calls of the tries before, to be made anew ahead of others: the next one last. */
  readonly again: number[];
  /** Calls that were answered as they should, in order; and those that were not. */
  readonly answered: number[];
  readonly failed: number[];
  /** Rows of all these. */
  rows: number;
  countedCalls: number;
  countedRows: number;
}

export const newGroup = (calls: number, again: number[] = []): Group => ({
  left: calls,
  broken: false,
  conflict: null,
  again,
  answered: [],
  failed: [],
  rows: 0,
  countedCalls: 0,
  countedRows: 0,
});

/** The same calls once more, and in the same order. */
export const nextTry = (calls: number, { again, answered, failed }: Group): Group =>
  newGroup(calls, [...again, ...failed.toReversed(), ...answered.toReversed()]);
