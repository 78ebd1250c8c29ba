import type { Cell } from '#protocol/plan.ts';
import type { RunChange } from '#protocol/run-change.ts';
import type { Interval } from '../run-model/run-model.ts';
import type { GateCondition } from './conditions.ts';

/** undecided: the data show neither that the condition is violated nor that it is kept. */
export type GateOutcome = 'passed' | 'failed' | 'undecided';

/** The judgement of a run by the conditions of a gate. */
export interface GateResult {
  /** failed: a condition failed. passed: all conditions passed. */
  readonly outcome: GateOutcome;
  /** The judged run. */
  readonly runId: string;
  /** The run that it is compared with; null: no condition needs one. */
  readonly baseline: { readonly runId: string; readonly startedAt: string; readonly name: string } | null;
  /** The differences between the run and that of its baseline; empty where one run has measured both. */
  readonly changes: readonly RunChange[];
  /** The answer in one or two sentences. */
  readonly sentence: string;
  /** The conditions in the order in which they were given. */
  readonly conditions: readonly JudgedCondition[];
  /**
   * Expected number of further repeats that decides every condition; 0: all are decided; null: no number of repeats
   * does, or nobody can tell.
   */
  readonly repeatsNeeded: number | null;
  /** Number of comparisons that share the level at which a gate may fail without a change. */
  readonly comparisons: number;
}

/** A condition in all cells. */
interface JudgedCondition {
  readonly condition: GateCondition;
  /** failed: a cell failed. passed: all cells passed, and there is at least one. */
  readonly outcome: GateOutcome;
  /** The cells that fail first, then the undecided ones. */
  readonly cells: readonly JudgedCell[];
}

/** A condition in one cell. */
export interface JudgedCell {
  /** Null: the whole run. */
  readonly cell: Cell | null;
  /** Names the cell in sentences: "pay", "pay on PostgreSQL 18", "the run". */
  readonly name: string;
  /** ratio: the run ÷ the baseline. share: failed calls ÷ calls (0…1). ms: a time. null: nothing is measured. */
  readonly unit: 'ratio' | 'share' | 'ms' | null;
  /** The judged interval, in that unit; null without one. */
  readonly interval: Interval | null;
  /** The limit of the condition in the same unit; null: the condition has none. */
  readonly limit: number | null;
  readonly outcome: GateOutcome;
  /** Expected number of further repeats that decides it; 0: it is decided; null: no number does, or it is unknown. */
  readonly repeatsNeeded: number | null;
  /** The outcome with its reason, as one or two sentences. */
  readonly sentence: string;
}

/** The outcome of several: one failure fails all, and nothing passes that is not shown. */
export function joinedOutcome(parts: readonly Pick<JudgedCell, 'outcome'>[]): GateOutcome {
  if (parts.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return parts.length > 0 && parts.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'undecided';
}
