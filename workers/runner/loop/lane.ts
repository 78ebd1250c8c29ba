import type { Call, Caller, Operation } from '#engine-api/operation.ts';
import type { ErrorData } from '#model/error.ts';
import type { CallTimer } from '../timing/call-times.ts';
import type { SessionCalls } from '../timing/session-calls.ts';
import type { TimeSplit } from '../timing/time-split.ts';
import type { CallSource } from '../workload/call-source.ts';
import type { BatchEnd } from './batch-end.ts';
import type { Group } from './group.ts';
import type { Phase } from './phase.ts';
import type { Retries, Try } from './retries.ts';
import { needsTurn, turn } from './turn.ts';

/** The options that all connections of a worker share. */
export interface LoopOptions {
  readonly callSource: CallSource;
  /** Number of rows that every call must touch; null: the rows of its batch. */
  readonly expected: { readonly low: number; readonly high: number } | null;
  /** Number of calls in a transaction. 1: every call commits by itself. */
  readonly callsPerCommit: number;
  /** Number of calls after which a connection opens a new session. 0: it keeps its session. */
  readonly callsPerConnection: number;
  /** Calls in flight on one session. */
  readonly depth: number;
  /** True if these calls go in one message, and the next ones follow when all of them have been answered. */
  readonly batches: boolean;
  /** True if a single call is a commit (writes), for the count of commits. */
  readonly writes: boolean;
  /** Maximum number of attempts of a unit of work after write conflicts. 0: conflicts are ordinary errors. */
  readonly maxAttempts: number;
  /** Seed of the pauses between attempts, which differs by worker. */
  readonly seed: number;
  /**
   * False: the event loop gets its turns only between transactions. If a synchronous connection paused with an open
   * transaction, the others of its process would wait for a lock that only it can release.
   */
  readonly turnsInTransactions: boolean;
  /** The split of the process' time by activity. */
  readonly split: TimeSplit;
  readonly toError: (thrown: unknown) => ErrorData;
}

/** The state that the lanes of a connection share. */
export interface LaneConnection {
  /** 0…connections−1 within the worker. */
  readonly number: number;
  /** The operation of the current session. */
  operation: Operation;
  readonly options: LoopOptions;
  readonly retries: Retries;
  /** Null if the engine runs in this process. */
  readonly calls: SessionCalls | null;
  /** The calls that a conflict has undone, and the number of their attempts so far. */
  readonly tries: Map<number, number>;
  /** Null if each call is told of its own answer at once. */
  readonly batch: BatchEnd | null;
  /** Resolves after the pause before the next attempt; true if there is to be one. */
  another(phase: Phase, conflict: ErrorData, tried: Try): Promise<boolean>;
}

/**
 * Makes one call after another on a connection, or on one lane of a pipelined connection. An answer starts the next
 * call, without a promise in between if the engine needs none.
 */
export class Lane implements Caller {
  readonly #own: LaneConnection;
  readonly #timer: CallTimer | null;
  readonly #mayTurn: boolean;
  #phase!: Phase;
  #group!: Group;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;
  /** The running call. */
  #startMs = 0;
  #rows = 0;
  #index = 0;
  /** The time at which the last call or pause ended. */
  #endMs = 0;
  /** Number of calls that this run may still begin. */
  #mayBegin = 0;
  /** End of the last counted call of the last run, or of the pause after it; 0 if there was none. */
  #lineEndMs = 0;
  /**
   * Connections of a synchronous engine take turns: those that are behind go first while they have calls of their own.
   */
  #takesOver = true;

  /** `timer`: null if calls are not timed one by one. */
  constructor(own: LaneConnection, timer: CallTimer | null) {
    this.#own = own;
    this.#timer = timer;
    this.#mayTurn = own.options.callsPerCommit === 1 || own.options.turnsInTransactions;
  }

  /** The end of the last counted call of the last run, or of the pause after it; 0 if there was none. */
  get lineEndMs(): number {
    return this.#lineEndMs;
  }

  /** True if the last run, of a single call, has begun it. */
  get hasBegun(): boolean {
    return this.#mayBegin === 0;
  }

  /**
   * Makes calls of a group until none is left, one of a transaction has failed, or the phase is over; at most `calls`.
   */
  run(phase: Phase, group: Group, calls = Number.POSITIVE_INFINITY): Promise<void> {
    this.#phase = phase;
    this.#group = group;
    this.#mayBegin = calls;
    this.#endMs = performance.now();
    this.#lineEndMs = 0;
    this.#takesOver = true;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#work();
    });
  }

  /** Makes calls until one is running or a pause begins, after which it continues, or until none is left. */
  #work(): void {
    const { number, operation, calls, options } = this.#own;
    const { callSource, split } = options;
    const phase = this.#phase;
    const group = this.#group;
    while (this.#mayBegin > 0 && group.left > 0 && !group.broken && this.#endMs < phase.deadlineMs) {
      // 1. Take a call: an undone one, or the next one.
      if (group.again.length > 0) callSource.takeAgain(group.again.pop()!, operation);
      else if (!callSource.take(number, operation, this.#takesOver)) {
        if (this.#takesOver) break;
        this.#goOnAfter(this.#letOthersTake());
        return;
      }
      const { call } = callSource;
      this.#rows = callSource.rows;
      this.#index = callSource.index;
      group.left--;
      this.#mayBegin--;
      const start = performance.now();
      this.#startMs = start;

      // 2. Run it. Only the call is timed.
      if (calls) calls.began(this.#timer, start);
      else split.enters(start);
      if (operation.start) {
        this.#own.batch?.began();
        operation.start(call, this);
        calls?.returned(this.#timer);
        return;
      }
      const pause = this.#runAtOnce(call);
      if (pause === underWay) return;
      if (pause) {
        this.#goOnAfter(pause);
        return;
      }
    }
    this.#resolve();
  }

  /** Runs a call of an operation that cannot be started. If it was answered at once, returns the pause after it. */
  #runAtOnce(call: Call): Promise<void> | null | typeof underWay {
    const { operation, calls, options } = this.#own;
    let answer: Promise<number> | number;
    try {
      answer = operation.run(call);
    } catch (thrown) {
      this.#ends(performance.now());
      return this.#undo(thrown);
    }
    if (typeof answer !== 'number') {
      calls?.returned(this.#timer);
      this.#own.batch?.began();
      answer.then(this.answered, this.failed);
      return underWay;
    }
    const end = performance.now();
    this.#takesOver &&= !this.#mayTurn;
    if (calls) options.split.atOnce(this.#startMs, end);
    this.#ends(end);
    return this.#judge(answer);
  }

  readonly answered = (touched: number): void => {
    const { batch } = this.#own;
    if (batch === null) this.#succeed(touched);
    else batch.answered(() => this.#succeed(touched));
  };

  readonly failed = (thrown: unknown): void => {
    const { batch } = this.#own;
    if (batch === null) this.#fail(thrown);
    else batch.answered(() => this.#fail(thrown));
  };

  #succeed(touched: number): void {
    this.#ends(performance.now());
    this.#goOn(this.#judge(touched));
  }

  #fail(thrown: unknown): void {
    this.#ends(performance.now());
    this.#goOn(this.#undo(thrown));
  }

  #goOn(pause: Promise<void> | null): void {
    if (pause) {
      this.#goOnAfter(pause);
      return;
    }
    try {
      this.#work();
    } catch (thrown) {
      this.#reject(thrown);
    }
  }

  #goOnAfter(pause: Promise<void>): void {
    pause
      .then(() => {
        this.#endMs = performance.now();
        if (this.#lineEndMs > 0) this.#lineEndMs = this.#endMs;
        this.#work();
      })
      .catch(this.#reject);
  }

  #ends(endMs: number): void {
    const { calls, options } = this.#own;
    this.#endMs = endMs;
    if (calls) calls.ended(this.#timer, endMs, endMs <= this.#phase.countsUntilMs);
    else options.split.leaves(endMs);
    if (endMs <= this.#phase.countsUntilMs) this.#lineEndMs = endMs;
  }

  /** 3. A call that touched a wrong number of rows counts as failed. Returns the pause after the call. */
  #judge(touched: number): Promise<void> | null {
    const { expected } = this.#own.options;
    const rows = this.#rows;
    if (expected === null ? touched === rows : touched >= expected.low && touched <= expected.high)
      this.#countSuccess(touched);
    else this.#countFailure(mismatch(touched, expected ?? { low: rows, high: rows }));
    return this.#dueTurn();
  }

  /** Counts a failed call. An undone call is repeated after the pause. */
  #undo(thrown: unknown): Promise<void> | null {
    const { options, retries } = this.#own;
    const error = options.toError(thrown);
    this.#countFailure(error);
    const index = this.#index;
    const { tries } = this.#own;
    if (options.callsPerCommit > 1 || !retries.isConflict(error)) {
      tries.delete(index);
      return this.#dueTurn();
    }
    const number = (tries.get(index) ?? 0) + 1;
    tries.set(index, number);
    return this.#tryAgain(error, index, {
      number,
      startMs: this.#startMs,
      endMs: this.#endMs,
      share: 1 / options.depth,
    });
  }

  async #tryAgain(conflict: ErrorData, index: number, tried: Try): Promise<void> {
    if (!(await this.#own.another(this.#phase, conflict, tried))) {
      this.#own.tries.delete(index);
      return;
    }
    this.#group.again.push(index);
    this.#group.left++;
  }

  /** 4. Let messages and timers run now and then. */
  #dueTurn(): Promise<void> | null {
    return this.#mayTurn && needsTurn(this.#phase, this.#endMs) ? turn(this.#own.options.split) : null;
  }

  async #letOthersTake(): Promise<void> {
    const { callSource, split } = this.#own.options;
    const { tracker } = callSource;
    const { handedOut } = tracker;
    await turn(split);
    this.#takesOver = tracker.handedOut === handedOut;
  }

  #countSuccess(touched: number): void {
    const { callSource, callsPerCommit, writes } = this.#own.options;
    const phase = this.#phase;
    const group = this.#group;
    if (this.#endMs <= phase.countsUntilMs) {
      phase.succeeded(this.#startMs, this.#endMs, touched);
      if (writes && callsPerCommit === 1) phase.counts.commits++;
      group.countedCalls++;
      group.countedRows += touched;
    }
    const { tries } = this.#own;
    if (tries.size > 0) tries.delete(this.#index);
    if (callsPerCommit === 1) callSource.tracker.acknowledge(this.#index);
    else {
      group.answered.push(this.#index);
      group.rows += this.#rows;
    }
  }

  #countFailure(error: ErrorData): void {
    const { options, retries } = this.#own;
    const phase = this.#phase;
    const group = this.#group;
    const conflict = retries.isConflict(error);
    // Calls that fail in a transaction after a conflict fail because of the conflict.
    const expected = conflict || group.conflict !== null;
    if (options.callsPerCommit === 1) {
      if (!conflict) phase.uncertainRows += this.#rows;
    } else {
      if (conflict && !group.broken) group.conflict = error;
      group.broken = true;
      group.rows += this.#rows;
      group.failed.push(this.#index);
    }
    // An error after the deadline comes from Dyno's own cancelling, or from the drain of a load.
    if (this.#endMs > phase.countsUntilMs) return;
    phase.counts.failed(this.#endMs - this.#startMs, error.kind);
    phase.extend(this.#startMs, this.#endMs);
    phase.noteError(error, this.#endMs, expected);
  }
}

const underWay = Symbol('under way');

/** The error of a call that touched a wrong number of rows. */
const mismatch = (touched: number, { low, high }: { readonly low: number; readonly high: number }): ErrorData => ({
  kind: 'mismatch',
  code: null,
  message: `A call should have touched ${low === high ? low : `${low} to ${high}`} rows; the server reported ${touched}.`,
  hint: 'Something else changes the table, or the server kept other rows than it was sent.',
  retryable: false,
});
