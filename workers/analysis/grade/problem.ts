import { formatPercentTick } from '#model/format/format.ts';
import type { GradeLevel } from '#protocol/ipc.ts';

/**
 * The press of a button that removes the problem. Buttons that run the experiment again or resume it are in the head of
 * each run.
 */
export type Remedy = 'addRepeats';

/** A reason why the data of a run is not good. */
export interface Problem {
  /** The name of the rule in docs/reading-results.md. */
  readonly rule: string;
  readonly level: Exclude<GradeLevel, 'good'>;
  /** The reason as a clause without a full stop: "stress took 61 % of the processors’ time". */
  readonly reason: string;
  /** The advice as a sentence. */
  readonly advice: string;
  readonly remedy: Remedy | null;
  /** The program, or another part of the machine, that disturbed the measurement; null: none is known. */
  readonly culprit: string | null;
  /** The number of cells with the problem, and of all judged cells; null: the problem is the run's. */
  readonly cells: { readonly count: number; readonly of: number } | null;
}

/** How badly a cell has a problem: a grave problem in half of the cells means that the run is not to be quoted. */
export type Severity = 'mild' | 'grave';

/** The severity of a value above its limits; null below both. */
export const severityOf = (value: number, mildFrom: number, graveFrom: number): Severity | null =>
  value >= graveFrom ? 'grave' : value >= mildFrom ? 'mild' : null;

/** Grave problems of this share of the cells mean that the run is not to be quoted. */
const mostGrave = 0.5;

/** The level of a run in which some of the cells have a problem; null if none has. */
export function levelOf(severities: readonly (Severity | null)[]): Problem['level'] | null {
  if (severities.every((one) => one === null)) return null;
  const grave = severities.filter((one) => one === 'grave').length;
  return grave >= severities.length * mostGrave ? 'doNotQuote' : 'usable';
}

/** " in 3 of 6 cells"; empty if all judged cells have the problem. */
export const inCellsText = ({ count, of }: NonNullable<Problem['cells']>): string =>
  count === of ? '' : ` in ${count} of ${of} cells`;

/** "61 %": two digits are enough for a reason. */
export const formatShare = (share: number): string => formatPercentTick(Number(share.toPrecision(2)));
