import type { TimeFigure } from '#planning/judged/trial-times.ts';
import type { Candidate } from './candidate.ts';

/** A ratio of times with bounds that hold for all claims of the run together. Below 1: faster. */
export interface TimeRatio {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The effect of a candidate on one statement or transaction. */
export interface AdviceEffect {
  readonly work: string;
  /** probe: an insert that the advice has added, because the file writes to the table nowhere. */
  readonly kind: 'read' | 'write' | 'probe';
  /** The median where each repeat has enough calls, because a busy machine disturbs it least; else the mean. */
  readonly figure: TimeFigure;
  readonly beforeMs: number;
  readonly afterMs: number;
  readonly ratio: TimeRatio;
}

/**
 * observed: faster, but its answers were not compared; notTried: the budget did not suffice, no run can have it, or the
 * server does not use it.
 */
type AdviceVerdict = 'recommended' | 'observed' | 'notRecommended' | 'notShown' | 'notTried';

/** A candidate with what was measured of it. */
export interface JudgedAdvice {
  readonly candidate: Candidate;
  readonly verdict: AdviceVerdict;
  /** The reason for the verdict, as a sentence. */
  readonly why: string;
  /** The time of the file's mix, weighted; null: not measured. */
  readonly total: TimeRatio | null;
  readonly effects: readonly AdviceEffect[];
  /** Bytes of all indexes with the change, less those without; null: not known. */
  readonly bytes: number | null;
  /** The time to create the indexes of the change, ms; null: none, or not known. */
  readonly buildMs: number | null;
  /** The better advice that this one is measured instead of; null: it is the best, or has another purpose. */
  readonly insteadOf: string | null;
}
