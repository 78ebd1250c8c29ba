import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { ErrorData } from '#model/error.ts';
import type { SessionCalls } from '../timing/session-calls.ts';
import { BatchEnd } from './batch-end.ts';
import type { ClientSession } from './client-session.ts';
import { type Group, newGroup, nextTry } from './group.ts';
import { Lane, type LaneConnection, type LoopOptions } from './lane.ts';
import type { Phase } from './phase.ts';
import { Retries, type Try } from './retries.ts';
import { needsTurn, turn } from './turn.ts';

/** Observers of a session's calls at its sockets. */
export interface SocketObservation {
  readonly calls: SessionCalls;
  /** True if its calls are timed one by one, in addition to the time split of the process. */
  readonly isTimed: boolean;
}

/** The outcome of a unit of work; 'nothing' if none was left. */
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
 *
 * A session that has made its number of calls (Settings.callsPerConnection) is replaced before the next unit of work.
 */
export class ClientConnection {
  /** Null if the engine runs in this process. */
  readonly observation: SocketObservation | null;
  /** The lanes: one for each call in flight. */
  readonly #lanes: readonly Lane[];
  /** The state that the lanes share. */
  readonly #own: LaneConnection;
  readonly #current: ClientSession;
  readonly #options: LoopOptions;
  readonly #retries: Retries;

  /** `connection`: number within the worker, 0…connections−1. */
  constructor(connection: number, current: ClientSession, options: LoopOptions, observation: SocketObservation | null) {
    this.#current = current;
    this.#options = options;
    this.observation = observation;
    this.#retries = new Retries(options.maxAttempts, options.seed, connection);
    const own = {
      number: connection,
      operation: current.operation,
      options,
      retries: this.#retries,
      calls: observation?.calls ?? null,
      tries: new Map<number, number>(),
      batch: options.batches ? new BatchEnd() : null,
      another: (phase: Phase, conflict: ErrorData, tried: Try) => this.#another(phase, conflict, tried),
    };
    this.#own = own;
    this.#lanes = Array.from(
      { length: options.depth },
      () => new Lane(own, observation?.isTimed ? observation.calls.timer(options.depth) : null),
    );
  }

  get session(): Session {
    return this.#current.session;
  }

  get operation(): Operation {
    return this.#current.operation;
  }

  /** True if the session has made all its calls: it is to be replaced before the next unit of work. */
  get isDue(): boolean {
    return this.#current.callsLeft === 0;
  }

  /** Bytes on the wire of all its sessions; null if a driver does not count them. */
  wireBytes(): { readonly sent: number; readonly received: number } | null {
    return this.#current.wireBytes();
  }

  close(): Promise<void> {
    return this.#current.close();
  }

  /**
   * Works until the phase's deadline or its last row. Resolves when nothing is in flight or uncommitted. Never rejects.
   * `calls`: maximum number of calls if each commits by itself.
   */
  async run(phase: Phase, calls = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#options.callsPerCommit === 1) return this.#calls(phase, calls);
    return this.#transactions(phase);
  }

  /**
   * Replaces the session. Resolves with true if the next unit of work can run, and counts a failure as an error of the
   * phase. Never rejects.
   */
  async renew(phase: Phase): Promise<boolean> {
    const { split } = this.#options;
    split.works();
    await this.#renewed(phase);
    split.rests();
    return !this.isDue;
  }

  /** Runs one unit of work of a scheduled load; not allowed while another one runs. Never rejects. */
  async unit(phase: Phase): Promise<UnitOutcome> {
    const { callsPerCommit, callSource, split } = this.#options;
    if (callSource.exhausted) return 'nothing';
    split.works();
    let group = newGroup(1);
    if (callsPerCommit === 1) {
      await this.#lanes[0]!.run(phase, group);
      this.#current.made(1);
    } else group = await this.#transaction(phase);
    split.rests();
    return group.countedCalls > 0 && !group.broken ? 'succeeded' : 'failed';
  }

  /** Makes calls that commit by themselves, with as many sessions as they need. */
  async #calls(phase: Phase, calls: number): Promise<void> {
    const { callSource } = this.#options;
    const ends = this.#lanes.map(() => 0);
    for (let left = calls; left > 0 && !phase.stopped && !callSource.exhausted; ) {
      if (this.isDue) {
        await this.renew(phase);
        const endMs = performance.now();
        for (const i of ends.keys()) if (ends[i]! > 0) ends[i] = endMs;
        continue;
      }
      const asked = Math.min(left, this.#current.callsLeft);
      const group = newGroup(asked);
      await this.#runLanes(phase, group);
      this.#lanes.forEach(({ lineEndMs }, i) => {
        if (lineEndMs > 0) ends[i] = lineEndMs;
      });
      // Without a limit, the lanes have worked until the end of the phase.
      const made = Number.isFinite(asked) ? asked - group.left : 0;
      if (made === 0) break;
      left -= made;
      this.#current.made(made);
    }
    for (const endMs of ends) phase.lineEnded(endMs);
  }

  async #renewed(phase: Phase): Promise<void> {
    await this.#current.renew(phase);
    this.#own.operation = this.#current.operation;
  }

  async #transactions(phase: Phase): Promise<void> {
    const { callSource, split } = this.#options;
    split.works();
    let endMs = 0;
    while (!phase.stopped && !callSource.exhausted) {
      if (this.isDue) {
        await this.#renewed(phase);
        if (endMs > 0) endMs = performance.now();
        continue;
      }
      const group = await this.#transaction(phase);
      // The deadline may come after a conflict and before the next attempt's first call.
      if (group.answered.length + group.failed.length + group.again.length > 0) endMs = performance.now();
    }
    phase.lineEnded(endMs);
    split.rests();
  }

  /** Runs a transaction and repeats it after conflicts. Resolves with the last attempt. */
  async #transaction(phase: Phase): Promise<Group> {
    const { callsPerCommit } = this.#options;
    let group = newGroup(callsPerCommit);
    for (let tries = 1; ; tries++) {
      const start = performance.now();
      const refused = await this.#transact(phase, () => this.session.begin(), 'begin');
      if (refused) group.broken = true;
      else {
        await this.#runLanes(phase, group);
        await this.#finish(phase, group);
      }
      if (!group.conflict) break;
      const tried = { number: tries, startMs: start, endMs: performance.now(), share: 1 };
      if (!(await this.#another(phase, group.conflict, tried))) break;
      group = nextTry(callsPerCommit, group);
    }
    this.#current.made(group.answered.length + group.failed.length + group.again.length);
    if (needsTurn(phase, performance.now())) await turn(this.#options.split);
    return group;
  }

  /** Resolves after the pause before the next attempt; true if there is to be one. */
  async #another(phase: Phase, conflict: ErrorData, tried: Try): Promise<boolean> {
    const { split } = this.#options;
    split.rests();
    const again = await this.#retries.another(phase, conflict, tried);
    split.works();
    return again;
  }

  async #runLanes(phase: Phase, group: Group): Promise<void> {
    if (this.#options.batches) return this.#runBatches(phase, group);
    if (this.#lanes.length === 1) return this.#runLane(this.#lanes[0]!, phase, group);
    await Promise.all(this.#lanes.map((lane) => this.#runLane(lane, phase, group)));
  }

  /** Each lane makes one call, and the next batch follows when all of them have been answered and judged. */
  async #runBatches(phase: Phase, group: Group): Promise<void> {
    const { callSource } = this.#options;
    const isMore = () => group.left > 0 && (group.again.length > 0 || !callSource.exhausted);
    while (isMore() && !group.broken && !phase.stopped) {
      const lanes = group.left < this.#lanes.length ? this.#lanes.slice(0, group.left) : this.#lanes;
      const ends = lanes.map((lane) => this.#runLane(lane, phase, group, 1));
      this.operation.send?.();
      await Promise.all(ends);
      if (!lanes.some(({ hasBegun }) => hasBegun)) return;
    }
  }

  /** Outside of transactions, each lane pauses separately. `calls`: the most that it makes. */
  async #runLane(lane: Lane, phase: Phase, group: Group, calls = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#options.callsPerCommit > 1) return lane.run(phase, group, calls);
    const { split } = this.#options;
    split.works();
    await lane.run(phase, group, calls);
    split.rests();
  }

  /**
   * Commits a group, or rolls it back if one of its calls failed. After a rollback, none of its rows is in the table.
   */
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
    // A commit that met a conflict has ended the transaction, so drivers may have nothing to roll back.
    const ended = refused !== null && group.conflict !== null;
    const left = await this.#transact(phase, () => this.session.rollback(), ended ? 'formality' : 'rollback');
    // After a failed commit, nobody knows whether the rows are in the table.
    if (!ended && (left || refused)) {
      phase.uncertainRows += group.rows;
      group.conflict = null;
    }
    phase.counts.rows -= group.countedRows;
  }

  /**
   * Runs begin, commit or rollback, and resolves with its error, or null. A failure counts like the failure of a call,
   * unless the request is a formality. The time of a commit of counted calls counts whenever it ends.
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
    const inTime = end <= phase.countsUntilMs;
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
