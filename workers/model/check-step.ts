import type { ErrorData } from './error.ts';

/** The state of one step of a check of a connection or load host. */
export interface CheckedStep<Name extends string> {
  readonly step: Name;
  /** limited: it works, but `detail` names what is missing. skipped: does not apply. notTried: a step before failed. */
  readonly state: 'waiting' | 'running' | 'ok' | 'limited' | 'failed' | 'skipped' | 'notTried';
  readonly ms: number | null;
  /** The result of the step as a sentence, or as lines of a list. */
  readonly detail: string;
  readonly error: ErrorData | null;
}

/** The report that every check makes, complete or under way. */
export interface SteppedReport<Name extends string> {
  readonly state: 'running' | 'ok' | 'limited' | 'failed' | 'cancelled';
  readonly steps: readonly CheckedStep<Name>[];
}

/** Steps of a check that has not begun. */
export const waitingSteps = <Name extends string>(names: readonly Name[]): readonly CheckedStep<Name>[] =>
  names.map((step) => ({ step, state: 'waiting', ms: null, detail: '', error: null }));
