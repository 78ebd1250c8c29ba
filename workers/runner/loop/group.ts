import type { ErrorData } from '#model/error.ts';

/** One attempt of the calls that are committed together; without transactions, all calls of a phase. */
export interface Group {
  /** The number of calls that may still begin. */
  left: number;
  broken: boolean;
  /** The write conflict that undid the group, if there was one; none of its rows is then in the table. */
  conflict: ErrorData | null;
  /** Calls of earlier attempts to repeat before others, the next one last. */
  readonly again: number[];
  /** Successful calls, in order, and failed ones. */
  readonly answered: number[];
  readonly failed: number[];
  /** Number of rows of all successful calls. */
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

/** Returns the next attempt of a group, with the same calls in the same order. */
export const nextTry = (calls: number, { again, answered, failed }: Group): Group =>
  newGroup(calls, [...again, ...failed.toReversed(), ...answered.toReversed()]);
