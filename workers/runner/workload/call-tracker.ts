import type { Call } from '#engine-api/operation.ts';
import type { Numbering } from './numbering.ts';

/**
 * Keeps track of the calls of a phase (or of the whole trial, where the clock ends the phases): which are prepared,
 * handed out, acknowledged.
 *
 * A prepared call may refer to the session that encoded it (to a compiled statement, for example), so calls are
 * prepared for a connection: the n-th one for number n mod connections.
 */
export class CallTracker {
  readonly numbering: Numbering;
  #queues: Queue[] = [];
  /** Number of the first prepared call; those before it were made when they were taken. */
  #firstPrepared = 0;
  #preparedCalls = 0;
  /** Prepared calls that were not handed out. */
  #preparedLeft = 0;
  /** The next call that is not prepared. */
  #cursor = 0;
  #handedOut = 0;
  #acknowledged: Uint8Array;

  constructor(numbering: Numbering) {
    this.numbering = numbering;
    this.#acknowledged = new Uint8Array(Number.isFinite(numbering.calls) ? numbering.calls : 65_536);
  }

  /** The next call that is neither prepared nor handed out. */
  get nextCall(): number {
    return this.#cursor;
  }

  /** Calls that were handed out. */
  get handedOut(): number {
    return this.#handedOut;
  }

  get exhausted(): boolean {
    return this.#handedOut >= this.numbering.calls;
  }

  /** Whether {@link addPrepared} may be called: prepared calls that are left follow each other. */
  get mayPrepare(): boolean {
    return this.#preparedLeft === 0 || this.#firstPrepared + this.#preparedCalls === this.#cursor;
  }

  /** Adds call number `nextCall`. */
  addPrepared(call: Call, connections: number): void {
    if (this.#preparedLeft === 0) {
      this.#preparedCalls = 0;
      this.#queues = Array.from({ length: connections }, () => ({ calls: [], next: 0, end: 0 }));
      this.#firstPrepared = this.#cursor;
    }
    const queue = this.#queues[this.#preparedCalls % connections]!;
    queue.calls.push(call);
    queue.end++;
    this.#preparedCalls++;
    this.#preparedLeft++;
    this.#cursor++;
  }

  /** Hands out the next call prepared for this connection, or −1; {@link preparedCall} has its arguments. */
  takePrepared(connection: number): number {
    const queue = this.#queues[connection];
    if (queue === undefined || queue.next >= queue.end) return -1;
    this.#handedOut++;
    this.#preparedLeft--;
    return this.#firstPrepared + queue.next++ * this.#queues.length + connection;
  }

  preparedCall(call: number): Call {
    const connections = this.#queues.length;
    const prepared = call - this.#firstPrepared;
    return this.#queues[prepared % connections]!.calls[Math.floor(prepared / connections)];
  }

  /** Hands out the next call that is not prepared, or −1. */
  takeUnprepared(): number {
    if (this.#cursor >= this.numbering.calls) return -1;
    this.#handedOut++;
    return this.#cursor++;
  }

  /** Hands out a call that was prepared for another connection, to be made again; −1: there is none. */
  takeOver(): number {
    let from = -1;
    let most = 0;
    this.#queues.forEach((queue, connection) => {
      if (queue.end - queue.next > most) {
        most = queue.end - queue.next;
        from = connection;
      }
    });
    if (from === -1) return -1;
    this.#handedOut++;
    this.#preparedLeft--;
    return this.#firstPrepared + --this.#queues[from]!.end * this.#queues.length + from;
  }

  /** The server has committed the rows of this call, or their change or removal. */
  acknowledge(call: number): void {
    if (call >= this.#acknowledged.length) {
      const grown = new Uint8Array(Math.max(call + 1, this.#acknowledged.length * 2));
      grown.set(this.#acknowledged);
      this.#acknowledged = grown;
    }
    this.#acknowledged[call] = 1;
  }

  *acknowledged(): IterableIterator<number> {
    const flags = this.#acknowledged;
    for (let call = 0; call < flags.length; call++) if (flags[call] === 1) yield call;
  }
}

interface Queue {
  readonly calls: Call[];
  next: number;
  end: number;
}
