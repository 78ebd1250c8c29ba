import type { Operation, Session } from '#contract/engine.ts';
import type { ErrorData } from '#contract/error.ts';
import type { CallFeed } from './feed.ts';
import type { Phase } from './phase.ts';

/** What all virtual users of a worker have in common. */
export interface LoopOptions {
  readonly feed: CallFeed;
  /** Rows every call must touch; null: exactly those of its batch. */
  readonly expected: { readonly low: number; readonly high: number } | null;
  /** 1: every call commits by itself. */
  readonly callsPerCommit: number;
  /** Calls in flight on one session. */
  readonly depth: number;
  /** Whether a call by itself is a commit (writes), for the count of commits. */
  readonly writes: boolean;
  /**
   * False: the event loop gets its turns only between transactions. A synchronous connection that pauses with a transaction open would
   * make the other ones of its process wait for a lock that only it can release.
   */
  readonly turnsInTransactions: boolean;
  readonly toError: (thrown: unknown) => ErrorData;
}

/** Calls that are committed together; without transactions, all of a phase. */
interface Group {
  left: number;
  broken: boolean;
  readonly acknowledge: number[];
  rows: number;
  countedCalls: number;
  countedRows: number;
}

/**
 * One connection in a closed loop. A call is timed from just before run() to its answer and nothing else is inside. Begin, commit and
 * rollback are not calls: commits are counted, their time is kept apart (transactionMs), and they lie inside the elapsed time. So does the
 * commit of a group that the deadline cuts short: rows are no throughput before they are committed. One that closes nothing is no commit.
 */
export class VirtualUser {
  readonly session: Session;
  readonly operation: Operation;
  readonly #connection: number;
  readonly #options: LoopOptions;

  /** `connection`: 0…connections−1 within the worker. */
  constructor(connection: number, session: Session, operation: Operation, options: LoopOptions) {
    this.#connection = connection;
    this.session = session;
    this.operation = operation;
    this.#options = options;
  }

  /** Until the phase's deadline or its last row; returns when nothing is in flight and nothing uncommitted. Never rejects. */
  async run(phase: Phase): Promise<void> {
    const { callsPerCommit, feed } = this.#options;
    if (callsPerCommit === 1) return this.#lanes(phase, newGroup(Number.POSITIVE_INFINITY));
    while (!phase.stopped && !feed.exhausted) {
      const group = newGroup(callsPerCommit);
      const begin = await this.#transact(phase, () => this.session.begin(), false);
      if (begin) {
        await this.#lanes(phase, group);
        await this.#finish(phase, group);
      }
      if (starves(phase, performance.now())) await turn();
    }
  }

  async #lanes(phase: Phase, group: Group): Promise<void> {
    const { depth } = this.#options;
    if (depth === 1) return this.#lane(phase, group);
    await Promise.all(Array.from({ length: depth }, () => this.#lane(phase, group)));
  }

  async #lane(phase: Phase, group: Group): Promise<void> {
    const { operation } = this;
    const { feed, expected, callsPerCommit, writes, turnsInTransactions } = this.#options;
    const { ledger } = feed;
    const { counts } = phase;
    const single = callsPerCommit === 1;
    const commitsItself = single && writes;
    const mayTurn = single || turnsInTransactions;
    let end = performance.now();

    while (group.left > 0 && !group.broken && end < phase.deadlineMs && feed.take(this.#connection, operation)) {
      const { call, rows, index } = feed;
      group.left--;
      const start = performance.now();
      // Making the call may have taken longer than there was time. It has not run: its rows are simply not there.
      if (start >= phase.deadlineMs) return;
      let touched: number;
      try {
        const answer = operation.run(call);
        touched = typeof answer === 'number' ? answer : await answer;
        end = performance.now();
      } catch (thrown) {
        end = performance.now();
        this.#failed(phase, group, this.#options.toError(thrown), start, end, rows);
        if (mayTurn && starves(phase, end)) await turn();
        continue;
      }
      if (expected === null ? touched !== rows : touched < expected.low || touched > expected.high) {
        this.#failed(phase, group, mismatch(touched, expected ?? { low: rows, high: rows }), start, end, rows);
        continue;
      }
      if (end <= phase.deadlineMs) {
        counts.succeeded(end - start, touched);
        phase.succeededCalls++;
        phase.extend(start, end);
        if (commitsItself) counts.commits++;
        if (!single) {
          group.countedCalls++;
          group.countedRows += touched;
        }
      }
      if (single) {
        ledger.acknowledge(index);
      } else {
        group.acknowledge.push(index);
        group.rows += rows;
      }
      if (mayTurn && starves(phase, end)) {
        await turn();
        end = performance.now();
      }
    }
  }

  #failed(phase: Phase, group: Group, error: ErrorData, startMs: number, endMs: number, rows: number): void {
    const { callsPerCommit } = this.#options;
    if (callsPerCommit === 1) {
      phase.uncertainRows += rows;
    } else {
      group.broken = true;
      group.rows += rows;
    }
    // After the deadline it is our own cancelling, or the drain: not counted.
    if (endMs > phase.deadlineMs) return;
    phase.counts.failed(endMs - startMs, error.kind);
    phase.extend(startMs, endMs);
    phase.noteError(error, endMs);
  }

  /** Commits a group, or rolls it back if one of its calls failed: then none of its rows is there. */
  async #finish(phase: Phase, group: Group): Promise<void> {
    if (!group.broken) {
      const counts = group.countedCalls > 0;
      if (await this.#transact(phase, () => this.session.commit(), counts)) {
        for (const index of group.acknowledge) this.#options.feed.ledger.acknowledge(index);
        if (counts) phase.counts.commits++;
        return;
      }
    }
    const undone = await this.#transact(phase, () => this.session.rollback(), false);
    // After a failed commit nobody knows what became of the rows.
    if (!undone || !group.broken) phase.uncertainRows += group.rows;
    phase.counts.rows -= group.countedRows;
  }

  /**
   * One of begin, commit, rollback; whether it was done. A failure is counted like that of a call. `closes`: it belongs to counted calls,
   * and so does its time, whenever it ends.
   */
  async #transact(phase: Phase, work: () => Promise<void> | void, closes: boolean): Promise<boolean> {
    const start = performance.now();
    let error: ErrorData | null = null;
    try {
      const answer = work();
      if (answer) await answer;
    } catch (thrown) {
      error = this.#options.toError(thrown);
    }
    const end = performance.now();
    const inTime = end <= phase.deadlineMs;
    if (inTime || (closes && !error)) {
      phase.counts.transactionMs += end - start;
      phase.extend(start, end);
    }
    if (error && inTime) {
      phase.counts.error(error.kind);
      phase.noteError(error, end);
    }
    return error === null;
  }
}

/** After this long without a turn of the event loop, messages and timers wait: the engine is synchronous, or nearly so. */
const turnMs = 10;

const starves = (phase: Phase, nowMs: number): boolean => nowMs - phase.lastTurnMs > turnMs;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const newGroup = (calls: number): Group => ({
  left: calls,
  broken: false,
  acknowledge: [],
  rows: 0,
  countedCalls: 0,
  countedRows: 0,
});

const mismatch = (touched: number, { low, high }: { readonly low: number; readonly high: number }): ErrorData => ({
  kind: 'mismatch',
  code: null,
  message: `A call should have touched ${low === high ? low : `${low} to ${high}`} rows; the server reported ${touched}.`,
  hint: 'Something else changes the table, or the server kept other rows than it was sent.',
  retryable: false,
});
