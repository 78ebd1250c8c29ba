import type { Call, Caller } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { AnsweredRows, KeptAnswer } from '#engine-api/statement.ts';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import type { Counts } from '../loop/counts.ts';
import { capture, capturedAs } from './captured.ts';
import { stepBatch, stepDeclared } from './mix-steps.ts';
import type { Pause } from './plan-items.ts';
import { askSampled } from './sampled-answers.ts';
import type { ReadyStep, StepCounts } from './step-counts.ts';

/** A transaction to be run. */
export interface TransactionCall {
  readonly batch: Batch;
  /** The steps that its batch chooses, in order. */
  readonly path: readonly (ReadyStep | Pause)[];
  /** One encoded statement per step of the path; null if it is encoded after its values have been captured. */
  readonly calls: readonly Call[];
}

type Stage = 'begin' | 'steps' | 'commit' | 'rollback';

/**
 * Runs transactions one after another on a session. The answer to a statement sends the next one, without a promise in
 * between if the engine needs none. The first error counts: the transaction is then rolled back, and if that fails, the
 * session's next call fails.
 */
export class TransactionRun implements Caller<number | null> {
  readonly #session: Session;
  readonly #stepCounts: StepCounts;
  #counts!: Counts;
  #slots!: readonly ColumnVector[];
  #call!: TransactionCall;
  #caller!: Caller;
  #stage: Stage = 'begin';
  #startMs = 0;
  /** The running step, and the time of its start. */
  #step = 0;
  #stepStartMs = 0;
  /** Values that steps have captured, and the types that their answers declare; null: the transaction has none. */
  #captured: ColumnVector[] | null = null;
  #declared: (string | null)[] = [];
  #thrown: unknown;

  constructor(session: Session, stepCounts: StepCounts) {
    this.#session = session;
    this.#stepCounts = stepCounts;
  }

  /** Runs a transaction and returns 0; not allowed while another one runs. `slots`: initial captured values. */
  start(counts: Counts, slots: readonly ColumnVector[], call: TransactionCall, caller: Caller): void {
    this.#counts = counts;
    this.#slots = slots;
    this.#call = call;
    this.#caller = caller;
    this.#step = 0;
    this.#captured = null;
    this.#startMs = performance.now();
    this.#send('begin');
  }

  /** Begins, commits or rolls back. */
  #send(stage: Exclude<Stage, 'steps'>): void {
    this.#stage = stage;
    const session = this.#session;
    if (session.transact) session.transact(stage, this);
    else (async () => session[stage]())().then(this.#ended, this.failed);
  }

  readonly #ended = (): void => this.answered(0);

  readonly answered = (rows: number | null): void => {
    switch (this.#stage) {
      case 'begin':
        this.#stage = 'steps';
        this.#work();
        return;
      case 'steps':
        if (this.#stepEnds(rows)) this.#work();
        return;
      case 'commit':
        this.#stepCounts.committed(this.#counts, this.#startMs);
        this.#caller.answered(0);
        return;
      case 'rollback':
        this.#fails(this.#thrown);
    }
  };

  readonly failed = (thrown: unknown): void => {
    switch (this.#stage) {
      case 'begin':
        this.#fails(thrown);
        return;
      case 'steps':
        this.#stepFails(thrown);
        return;
      case 'commit':
        this.#rollBack(thrown);
        return;
      case 'rollback':
        this.#fails(this.#thrown);
    }
  };

  /** Runs steps until one needs to wait. After the last step, it commits. */
  #work(): void {
    const { path, calls, batch } = this.#call;
    while (this.#step < path.length) {
      const step = path[this.#step]!;
      if (step.kind === 'pause') {
        setTimeout(this.#goOn, step.drawMs());
        return;
      }
      let call = calls[this.#step];
      if (step.needsCaptured) {
        try {
          call = step.own.encode(
            stepBatch(step, batch, this.#captured ?? this.#slots),
            stepDeclared(step, this.#declared),
          );
        } catch (thrown) {
          this.#rollBack(thrown);
          return;
        }
      }
      this.#stepStartMs = performance.now();
      if (!this.#runStep(step, call)) return;
    }
    this.#send('commit');
  }

  readonly #goOn = (): void => {
    this.#step++;
    this.#work();
  };

  /** Returns true if the step was answered at once, so the next one may run. */
  #runStep({ own, captures, sampled }: ReadyStep, call: Call): boolean {
    try {
      if (sampled !== null && this.#stepStartMs >= sampled.own.dueMs) {
        askSampled(sampled, own, this.#stepStartMs).then(this.answered, this.failed);
        return false;
      }
      if (captures.length > 0) {
        own.answer(call, 1).then(this.#answeredRows, this.failed);
        return false;
      }
      if (own.start) {
        own.start(call, this);
        return false;
      }
      const answer = own.run(call);
      if (!(answer instanceof Promise)) return this.#stepEnds(answer);
      answer.then(this.answered, this.failed);
    } catch (thrown) {
      this.#stepFails(thrown);
    }
    return false;
  }

  readonly #answeredRows = (answer: KeptAnswer): void => {
    if (this.#stepEnds(answer.count, answer)) this.#work();
  };

  /** Counts the step, and takes what it captures. Returns whether it succeeded. */
  #stepEnds(rows: number | null, answer?: KeptAnswer): boolean {
    const step = this.#call.path[this.#step] as ReadyStep;
    try {
      this.#stepCounts.answered(step, this.#stepStartMs, rows);
      if (answer) this.#capture(step, answer.read());
    } catch (thrown) {
      this.#stepFails(thrown);
      return false;
    }
    this.#step++;
    return true;
  }

  #capture({ captures }: ReadyStep, answer: AnsweredRows): void {
    if (this.#captured === null) {
      this.#captured = [...this.#slots];
      this.#declared = [];
    }
    for (const { spec, slot } of captures) {
      this.#captured[slot] = capture(spec, answer);
      this.#declared[slot] = capturedAs(spec, answer);
    }
  }

  #stepFails(thrown: unknown): void {
    const { counts } = this.#call.path[this.#step] as ReadyStep;
    this.#stepCounts.failed(counts, this.#stepStartMs, thrown);
    this.#rollBack(thrown);
  }

  #rollBack(thrown: unknown): void {
    this.#thrown = thrown;
    this.#send('rollback');
  }

  #fails(thrown: unknown): void {
    this.#stepCounts.failed(this.#counts, this.#startMs, thrown);
    this.#caller.failed(thrown);
  }
}
