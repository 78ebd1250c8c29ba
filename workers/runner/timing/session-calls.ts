import type { Socket } from 'node:net';
import { CallSums } from './call-times.ts';
import { PipelineTimer } from './pipeline-timer.ts';
import { SingleTimer } from './single-timer.ts';
import type { TimeSplit } from './time-split.ts';

/** Takes the calls of one lane apart, one after another. All times are performance.now() ms. */
export interface CallTimer {
  readonly listener: CallListener;
  /** `taken`: this call is looked at. */
  began(startMs: number, taken: boolean): void;
  /** run() has returned a promise; only where the call is looked at. `wrote`: the request is with the socket by now. */
  returned(nowMs: number, wrote: boolean): void;
  /** `counted`: whether the call is one of those that count. */
  ended(endMs: number, counted: boolean): void;
}

/** Hears what happens at the socket. */
export interface CallListener {
  /** Whether it wants to know of the next write outside of run(), or read. */
  readonly wantsSent: boolean;
  readonly wantsReceived: boolean;
  sent(nowMs: number): void;
  received(nowMs: number): void;
  /** Something is written, by run() or later; something has arrived. Told always, and without the time. */
  asks(): void;
  hears(): void;
}

/** The calls of a session: for the time of the process, and taken apart by what is seen at the session's sockets. */
export class SessionCalls {
  readonly calls = new CallSums();
  readonly transactions = new CallSums();
  readonly #split: TimeSplit;
  readonly #transaction = new SingleTimer(this.transactions);
  readonly #pipeline = new PipelineTimer(this.calls);
  #listener: CallListener = this.#transaction;
  /** Where the request went, and the answer will come; drivers may have other sockets, to watch the server. */
  #socket: Socket | null = null;

  constructor(split: TimeSplit) {
    this.#split = split;
  }

  /** For one of `depth` calls that are under way at a time. */
  timer(depth: number): CallTimer {
    return depth === 1 ? new SingleTimer(this.calls) : this.#pipeline.lane();
  }

  /** For begin, commit and rollback. */
  get transactionTimer(): CallTimer {
    return this.#transaction;
  }

  /** `timer`: null where calls are not taken apart. */
  began(timer: CallTimer | null, startMs: number): void {
    const taken = this.#split.starts(startMs);
    if (timer === null) return;
    this.#listener = timer.listener;
    timer.began(startMs, taken);
  }

  returned(timer: CallTimer | null): void {
    const nowMs = this.#split.returns();
    if (nowMs !== null) timer?.returned(nowMs, this.#split.wrote);
  }

  ended(timer: CallTimer | null, endMs: number, counted: boolean): void {
    this.#split.ends(endMs);
    timer?.ended(endMs, counted);
  }

  /** A socket of this session is about to take something. For {@link wrote}; null: that need not be told. */
  writes(socket: Socket): number | null {
    this.#socket = socket;
    this.#listener.asks();
    return this.#split.writes(this.#listener.wantsSent);
  }

  /** It has taken it. */
  wrote(fromMs: number): void {
    const toMs = performance.now();
    this.#split.writesEnd(fromMs, toMs);
    this.#listener.sent(toMs);
  }

  /** Bytes have arrived on a socket of this session. */
  reads(socket: Socket): void {
    const listener = this.#listener;
    // What comes while much of the request is still to be sent is no answer to it.
    const isAnswer = socket === this.#socket && !socket.writableNeedDrain;
    const nowMs = this.#split.reads(isAnswer && listener.wantsReceived);
    if (!isAnswer) return;
    if (nowMs !== null) listener.received(nowMs);
    listener.hears();
  }
}
