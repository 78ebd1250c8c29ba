import type { ErrorData } from '#model/error.ts';

/** One try of the calls that are committed together; without transactions, all calls of a phase. */
export interface Group {
  /** The number of calls that may still begin. */
  left: number;
  broken: boolean;
  /** The write conflict that broke it, if one did: then none of its rows is there. */
  conflict: ErrorData | null;
  /** Calls of earlier tries, to be made again before others: the next one last. */
  readonly again: number[];
  /** Calls that succeeded, in order; and those that failed. */
  readonly answered: number[];
  readonly failed: number[];
  /** Rows of all of them. */
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

/** The next try of a group: the same calls in the same order. */
export const nextTry = (calls: number, { again, answered, failed }: Group): Group =>
  newGroup(calls, [...again, ...failed.toReversed(), ...answered.toReversed()]);
