import type { Socket } from 'node:net';
import { type CallListener, CallSums, type CallTimer } from './call-times.ts';
import { PipelineTimer } from './pipeline-timer.ts';
import { SingleTimer } from './single-timer.ts';
import type { TimeSplit } from './time-split.ts';

/** Times the calls of a session by what happens at its sockets, and tells the process' time split of them. */
export class SessionCalls {
  readonly calls = new CallSums();
  readonly transactions = new CallSums();
  readonly #split: TimeSplit;
  readonly #transaction = new SingleTimer(this.transactions);
  readonly #pipeline = new PipelineTimer(this.calls);
  #listener: CallListener = this.#transaction;
  /** The socket that took the request and will bring the answer; drivers may have others, to watch the server. */
  #socket: Socket | null = null;

  constructor(split: TimeSplit) {
    this.#split = split;
  }

  /** The timer of one of `depth` calls that are under way at a time. */
  timer(depth: number): CallTimer {
    return depth === 1 ? new SingleTimer(this.calls) : this.#pipeline.lane();
  }

  /** The timer of begin, commit and rollback. */
  get transactionTimer(): CallTimer {
    return this.#transaction;
  }

  /** `timer`: null where calls are not timed one by one. */
  began(timer: CallTimer | null, startMs: number): void {
    const standsFor = this.#split.starts(startMs);
    if (timer === null) return;
    this.#listener = timer.listener;
    timer.began(startMs, standsFor);
  }

  returned(timer: CallTimer | null): void {
    const nowMs = this.#split.returns();
    if (nowMs !== null) timer?.returned(nowMs, this.#split.wrote);
  }

  ended(timer: CallTimer | null, endMs: number, counted: boolean): void {
    this.#split.ends(endMs);
    timer?.ended(endMs, counted);
  }

  /** A socket of this session is about to take bytes. Returns the time for {@link wrote}; null: not needed. */
  writes(socket: Socket): number | null {
    this.#socket = socket;
    this.#listener.noteWrite();
    return this.#split.writes(this.#listener.wantsSent);
  }

  /** The socket has taken the bytes. */
  wrote(fromMs: number): void {
    const toMs = performance.now();
    this.#split.writesEnd(fromMs, toMs);
    this.#listener.sent(toMs);
  }

  /** Bytes have arrived on a socket of this session. */
  reads(socket: Socket): void {
    const listener = this.#listener;
    if (!listener.wantsReceived && !listener.countsReads) {
      this.#split.reads(false);
      return;
    }
    // Bytes that arrive while most of the request is still unsent are not its answer.
    const isAnswer = socket === this.#socket && !socket.writableNeedDrain;
    const nowMs = this.#split.reads(isAnswer && listener.wantsReceived);
    if (!isAnswer) return;
    if (nowMs !== null) listener.received(nowMs);
    listener.noteRead();
  }
}
