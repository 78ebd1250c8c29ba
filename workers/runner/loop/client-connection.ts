import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { ErrorData } from '#model/error.ts';
import type { CallTimer } from '../timing/call-times.ts';
import type { SessionCalls } from '../timing/session-calls.ts';
import type { TimeSplit } from '../timing/time-split.ts';
import type { CallSource } from '../workload/call-source.ts';
import { type Group, newGroup, nextTry } from './group.ts';
import type { Phase } from './phase.ts';
import { Retries, type Try } from './retries.ts';

/** What all connections of a worker have in common. */
export interface LoopOptions {
  readonly callSource: CallSource;
  /** Rows every call must touch; null: exactly those of its batch. */
  readonly expected: { readonly low: number; readonly high: number } | null;
  /** 1: every call commits by itself. */
  readonly callsPerCommit: number;
  /** Calls in flight on one session. */
  readonly depth: number;
  /** Whether a call by itself is a commit (writes), for the count of commits. */
  readonly writes: boolean;
  /** How often a unit of work is tried that write conflicts undo. 0: conflicts are errors like others. */
  readonly maxAttempts: number;
  /** The seed of the pauses between tries; it differs by worker. */
  readonly seed: number;
  /**
   * False: the event loop gets its turns only between transactions. A synchronous connection that pauses with an open
   * transaction would make the others of its process wait for a lock that only it can release.
   */
  readonly turnsInTransactions: boolean;
  /** Where the time of the process goes. */
  readonly split: TimeSplit;
  readonly toError: (thrown: unknown) => ErrorData;
}

/** How a session's calls are observed at its sockets. */
export interface SocketObservation {
  readonly calls: SessionCalls;
  /** Its calls are timed one by one, not only for the time split of the process. */
  readonly isTimed: boolean;
}

/** How a unit of work ended; 'nothing': none was left to do. */
type UnitOutcome = 'succeeded' | 'failed' | 'nothing';

/**
 * One connection, in a closed loop or doing units of work as they come. A call is timed from just before run() to its
 * answer, and nothing else. Begin, commit and rollback are not calls: commits are counted and have a histogram of their
 * own, their time is counted separately (transactionMs), and it is part of the elapsed time. So is the commit of a
 * group that the deadline cuts short: rows are no throughput before they are committed. The end of a transaction
 * without counted calls is no commit.
 *
 * A unit of work — a call that commits by itself, or the calls of a transaction — that a write conflict undoes is tried
 * again after a pause: its calls are made again, and each run of a call is counted and timed by itself.
 */
export class ClientConnection {
  readonly session: Session;
  readonly operation: Operation;
  /** Null: the engine is in this process. */
  readonly observation: SocketObservation | null;
  /** The timer of each lane of the pipeline. */
  readonly #timers: readonly CallTimer[];
  readonly #connection: number;
  readonly #options: LoopOptions;
  readonly #retries: Retries;

  /** `connection`: 0…connections−1 within the worker. */
  constructor(
    connection: number,
    session: Session,
    operation: Operation,
    options: LoopOptions,
    observation: SocketObservation | null,
  ) {
    this.#connection = connection;
    this.session = session;
    this.operation = operation;
    this.#options = options;
    this.observation = observation;
    this.#timers = observation?.isTimed
      ? Array.from({ length: options.depth }, () => observation.calls.timer(options.depth))
      : [];
    this.#retries = new Retries(options.maxAttempts, options.seed, connection);
  }

  /**
   * Works until the phase's deadline or its last row; resolves when nothing is in flight and nothing uncommitted. Never
   * rejects. `calls`: the most calls to make, where each commits by itself.
   */
  async run(phase: Phase, calls = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#options.callsPerCommit === 1) return this.#lanes(phase, newGroup(calls));
    return this.#transactions(phase);
  }

  /** Does one unit of work, for a load that decides when it begins; not while another one runs. Never rejects. */
  async unit(phase: Phase): Promise<UnitOutcome> {
    const { callsPerCommit, callSource, split } = this.#options;
    if (callSource.exhausted) return 'nothing';
    split.works();
    let group = newGroup(1);
    if (callsPerCommit === 1) await this.#lane(phase, group, 0);
    else group = await this.#transaction(phase);
    split.rests();
    return group.countedCalls > 0 && !group.broken ? 'succeeded' : 'failed';
  }

  async #transactions(phase: Phase): Promise<void> {
    const { callSource, split } = this.#options;
    split.works();
    while (!phase.stopped && !callSource.exhausted) await this.#transaction(phase);
    split.rests();
  }

  /** Runs a transaction, as often as conflicts make necessary. Resolves with the last try. */
  async #transaction(phase: Phase): Promise<Group> {
    const { callsPerCommit } = this.#options;
    let group = newGroup(callsPerCommit);
    for (let tries = 1; ; tries++) {
      const start = performance.now();
      const refused = await this.#transact(phase, () => this.session.begin(), 'begin');
      if (refused) group.broken = true;
      else {
        await this.#lanes(phase, group);
        await this.#finish(phase, group);
      }
      if (!group.conflict) break;
      const tried = { number: tries, startMs: start, endMs: performance.now(), share: 1 };
      if (!(await this.#another(phase, group.conflict, tried))) break;
      group = nextTry(callsPerCommit, group);
    }
    if (needsTurn(phase, performance.now())) await this.#turn();
    return group;
  }

  /** Resolves with whether to try again, after the pause before the next try. */
  async #another(phase: Phase, conflict: ErrorData, tried: Try): Promise<boolean> {
    const { split } = this.#options;
    split.rests();
    const again = await this.#retries.another(phase, conflict, tried);
    split.works();
    return again;
  }

  async #turn(): Promise<void> {
    await turn();
    this.#options.split.ends(performance.now());
  }

  async #lanes(phase: Phase, group: Group): Promise<void> {
    const { depth, callsPerCommit } = this.#options;
    const lane = (number: number) =>
      callsPerCommit === 1 ? this.#workingLane(phase, group, number) : this.#lane(phase, group, number);
    if (depth === 1) return lane(0);
    await Promise.all(Array.from({ length: depth }, (_, number) => lane(number)));
  }

  /** Outside of transactions each lane pauses by itself. */
  async #workingLane(phase: Phase, group: Group, number: number): Promise<void> {
    const { split } = this.#options;
    split.works();
    await this.#lane(phase, group, number);
    split.rests();
  }

  async #lane(phase: Phase, group: Group, number: number): Promise<void> {
    const { operation } = this;
    const calls = this.observation?.calls ?? null;
    const { callSource, expected, callsPerCommit, depth, turnsInTransactions, split } = this.#options;
    const timer = this.#timers[number] ?? null;
    const { tracker } = callSource;
    const single = callsPerCommit === 1;
    const mayTurn = single || turnsInTransactions;
    let end = performance.now();
    /** The call that a conflict undid last, and how often it was tried. */
    let undone = -1;
    let tries = 0;
    // Connections of a synchronous engine work in turns: those behind go first while they have calls of their own.
    let takesOver = true;

    while (group.left > 0 && !group.broken && end < phase.deadlineMs) {
      // 1. Take a call: one that a conflict has undone, or the next one.
      if (group.again.length > 0) callSource.takeAgain(group.again.pop()!, operation);
      else if (!callSource.take(this.#connection, operation, takesOver)) {
        if (takesOver) return;
        const { handedOut } = tracker;
        await this.#turn();
        takesOver = tracker.handedOut === handedOut;
        end = performance.now();
        continue;
      }
      const { call, rows, index } = callSource;
      group.left--;
      const start = performance.now();
      // Making the call may have taken until after the deadline. The call has not run, so none of its rows is there.
      if (start >= phase.deadlineMs) return;

      // 2. Run it. Nothing but the call is timed.
      let touched: number;
      if (calls) calls.began(timer, start);
      else split.enters(start);
      try {
        const answer = operation.run(call);
        if (typeof answer === 'number') {
          touched = answer;
          end = performance.now();
          takesOver &&= !mayTurn;
          if (calls) split.atOnce(start, end);
        } else {
          calls?.returned(timer);
          touched = await answer;
          end = performance.now();
        }
        if (calls) calls.ended(timer, end, end <= phase.deadlineMs);
        else split.leaves(end);
      } catch (thrown) {
        // 3. A call that failed is counted; one that a conflict has undone is tried again after a pause.
        end = performance.now();
        if (calls) calls.ended(timer, end, end <= phase.deadlineMs);
        else split.leaves(end);
        const error = this.#options.toError(thrown);
        this.#failed(phase, group, error, start, end, rows, index);
        if (single && this.#retries.isConflict(error)) {
          tries = index === undone ? tries + 1 : 1;
          undone = index;
          const tried = { number: tries, startMs: start, endMs: end, share: 1 / depth };
          if (await this.#another(phase, error, tried)) {
            group.again.push(index);
            group.left++;
          }
          end = performance.now();
        } else if (mayTurn && needsTurn(phase, end)) await this.#turn();
        continue;
      }

      // 4. A call that touched a wrong number of rows has failed; others have succeeded.
      if (expected === null ? touched !== rows : touched < expected.low || touched > expected.high) {
        const error = mismatch(touched, expected ?? { low: rows, high: rows });
        this.#failed(phase, group, error, start, end, rows, index);
        continue;
      }
      this.#succeeded(phase, group, start, end, touched, rows, index);

      // 5. Let messages and timers run.
      if (mayTurn && needsTurn(phase, end)) {
        await this.#turn();
        end = performance.now();
      }
    }
  }

  #succeeded(phase: Phase, group: Group, start: number, end: number, touched: number, rows: number, index: number) {
    const { callSource, callsPerCommit, writes } = this.#options;
    if (end <= phase.deadlineMs) {
      phase.succeeded(start, end, touched);
      if (writes && callsPerCommit === 1) phase.counts.commits++;
      group.countedCalls++;
      group.countedRows += touched;
    } else phase.late(start, end);
    if (callsPerCommit === 1) callSource.tracker.acknowledge(index);
    else {
      group.answered.push(index);
      group.rows += rows;
    }
  }

  #failed(phase: Phase, group: Group, error: ErrorData, start: number, end: number, rows: number, index: number): void {
    const conflict = this.#retries.isConflict(error);
    // Calls that fail in a transaction after a conflict do so because of the conflict.
    const expected = conflict || group.conflict !== null;
    if (this.#options.callsPerCommit === 1) {
      if (!conflict) phase.uncertainRows += rows;
    } else {
      if (conflict && !group.broken) group.conflict = error;
      group.broken = true;
      group.rows += rows;
      group.failed.push(index);
    }
    // After the deadline an error comes from our own cancelling, or from the drain, and is not counted.
    if (end > phase.deadlineMs) {
      phase.late(start, end);
      return;
    }
    phase.counts.failed(end - start, error.kind);
    phase.extend(start, end);
    phase.noteError(error, end, expected);
  }

  /** Commits a group, or rolls it back if one of its calls failed: then none of its rows is there. */
  async #finish(phase: Phase, group: Group): Promise<void> {
    const { tracker } = this.#options.callSource;
    let refused: ErrorData | null = null;
    if (!group.broken) {
      const counts = group.countedCalls > 0;
      refused = await this.#transact(phase, () => this.session.commit(), counts ? 'commit' : 'emptyCommit');
      if (!refused) {
        for (const index of group.answered) tracker.acknowledge(index);
        return;
      }
      group.broken = true;
      if (this.#retries.isConflict(refused)) group.conflict = refused;
    }
    // A commit that met a conflict has ended the transaction: drivers may have nothing left to roll back.
    const ended = refused !== null && group.conflict !== null;
    const left = await this.#transact(phase, () => this.session.rollback(), ended ? 'formality' : 'rollback');
    // After a failed commit it is not known whether the rows are there.
    if (!ended && (left || refused)) {
      phase.uncertainRows += group.rows;
      group.conflict = null;
    }
    phase.counts.rows -= group.countedRows;
  }

  /**
   * Runs begin, commit or rollback, and resolves with its error, or null. A failure is counted like that of a call,
   * except for a formality's. The time of a commit of counted calls is counted whenever it ends.
   */
  async #transact(
    phase: Phase,
    work: () => Promise<void> | void,
    step: 'begin' | 'commit' | 'emptyCommit' | 'rollback' | 'formality',
  ): Promise<ErrorData | null> {
    const calls = this.observation?.calls ?? null;
    const timer = this.observation?.isTimed ? this.observation.calls.transactionTimer : null;
    const { split, toError } = this.#options;
    const start = performance.now();
    if (calls) calls.began(timer, start);
    else split.enters(start);
    let error: ErrorData | null = null;
    let atOnce = false;
    try {
      const answer = work();
      atOnce = !answer;
      if (answer) {
        calls?.returned(timer);
        await answer;
      }
    } catch (thrown) {
      error = toError(thrown);
    }
    const end = performance.now();
    const inTime = end <= phase.deadlineMs;
    const counts = inTime || (step === 'commit' && !error);
    if (calls && atOnce) split.atOnce(start, end);
    if (calls) calls.ended(timer, end, counts && !atOnce);
    else split.leaves(end);
    if (counts) {
      phase.counts.transactionMs += end - start;
      if (step === 'commit' && !error) phase.counts.committed(end - start);
      if (!atOnce) phase.counts.transactions++;
      phase.extend(start, end);
    }
    if (error && inTime && step !== 'formality') {
      const expected = (step === 'commit' || step === 'emptyCommit') && this.#retries.isConflict(error);
      phase.counts.error(error.kind);
      phase.noteError(error, end, expected);
    }
    return error;
  }
}

/** After so many ms without a turn of the event loop, connections make one: messages and timers wait for it. */
const turnMs = 10;

const needsTurn = (phase: Phase, nowMs: number): boolean => nowMs - phase.lastTurnMs > turnMs;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The answer to a call that touched other rows than it had to. */
const mismatch = (touched: number, { low, high }: { readonly low: number; readonly high: number }): ErrorData => ({
  kind: 'mismatch',
  code: null,
  message: `A call should have touched ${low === high ? low : `${low} to ${high}`} rows; the server reported ${touched}.`,
  hint: 'Something else changes the table, or the server kept other rows than it was sent.',
  retryable: false,
});
