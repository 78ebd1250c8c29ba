import type { Call, Caller } from '#engine-api/operation.ts';
import type { LeftOpen } from './left-open.ts';
import { askSampled } from './sampled-answers.ts';
import type { ReadyStep, StepCounts } from './step-counts.ts';

/** Runs single statements one after another on a session, and counts them. */
export class StatementRun implements Caller<number | null> {
  readonly #stepCounts: StepCounts;
  readonly #leftOpen: LeftOpen;
  #step!: ReadyStep;
  #caller!: Caller;
  #startMs = 0;

  constructor(stepCounts: StepCounts, leftOpen: LeftOpen) {
    this.#stepCounts = stepCounts;
    this.#leftOpen = leftOpen;
  }

  /** Starts a statement and returns 0; not allowed while another one runs. */
  start(step: ReadyStep, call: Call, caller: Caller): void {
    this.#step = step;
    this.#caller = caller;
    this.#startMs = performance.now();
    const { own, sampled } = step;
    if (sampled !== null && this.#startMs >= sampled.own.dueMs)
      askSampled(sampled, own, this.#startMs).then(this.answered, this.failed);
    else own.start!(call, this);
  }

  readonly answered = (rows: number | null): void => {
    const left = this.#leftOpen.afterAnswer(this.#step);
    if (left !== null) {
      this.failed(left);
      return;
    }
    try {
      this.#stepCounts.answered(this.#step, this.#startMs, rows);
    } catch (thrown) {
      this.failed(thrown);
      return;
    }
    this.#caller.answered(0);
  };

  readonly failed = (thrown: unknown): void => {
    this.#stepCounts.failed(this.#step.counts, this.#startMs, thrown);
    if (this.#leftOpen.maybe()) void this.#leftOpen.end().then(() => this.#caller.failed(thrown));
    else this.#caller.failed(thrown);
  };
}
