import { DynoError, type ErrorData } from '#model/error.ts';
import type { Counts } from '../loop/counts.ts';
import type { StatementCounters } from '../loop/statement-counters.ts';
import { type PreparedStep, wrongRows } from './mix-steps.ts';
import type { SampledStep } from './sampled-answers.ts';

/** A statement of an item, ready to be called. */
export interface ReadyStep extends PreparedStep {
  readonly counts: Counts;
  /** True if the statement commits by itself. */
  readonly commits: boolean;
  /** The sampled calls of the statement; null: none of its calls is sampled. */
  readonly sampled: SampledStep | null;
  /** True if it can be encoded only after an earlier step has captured its values. */
  readonly needsCaptured: boolean;
}

/** Counts the statements of a session, and its transactions. */
export class StepCounts {
  readonly #counters: StatementCounters;
  readonly #toError: (thrown: unknown) => ErrorData;

  constructor(counters: StatementCounters, toError: (thrown: unknown) => ErrorData) {
    this.#counters = counters;
    this.#toError = toError;
  }

  /** A statement was answered. Throws 'wrongResult' if it touched an unexpected number of rows. */
  answered({ spec, counts, commits }: ReadyStep, startMs: number, rows: number | null): void {
    const wrong = wrongRows(spec, rows);
    if (wrong !== null) throw new DynoError(wrong.kind, wrong.message, wrong);
    const end = performance.now();
    this.#counters.succeeded(counts, startMs, end, rows);
    if (commits) this.#counters.committed(end);
  }

  /** A transaction was committed. */
  committed(counts: Counts, startMs: number): void {
    const end = performance.now();
    this.#counters.succeeded(counts, startMs, end, 0);
    this.#counters.committed(end);
  }

  failed(counts: Counts, startMs: number, thrown: unknown): void {
    this.#counters.failed(counts, startMs, performance.now(), this.#toError(thrown).kind);
  }
}
