import type { Call } from '#contract/engine.ts';
import type { Numbering } from './numbering.ts';

/**
 * The calls of a phase (or of the whole trial, where the clock decides): which are prepared, handed out, acknowledged.
 *
 * A prepared call may hold things of the session that encoded it (a compiled statement, say), so calls are prepared for a
 * connection: the n-th one for number n mod connections.
 */
export class CallTracker {
  readonly numbering: Numbering;
  #queues: Queue[] = [];
  /** Number of the first prepared call: those before it were made on the spot. */
  #firstPrepared = 0;
  #preparedCalls = 0;
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

  /** Calls so far. */
  get handedOut(): number {
    return this.#handedOut;
  }

  get exhausted(): boolean {
    return this.#handedOut >= this.numbering.calls;
  }

  /** Calls must come in order: this is number nextCall. Once the first one is prepared, the others follow before any is made on the spot. */
  addPrepared(call: Call, connections: number): void {
    if (this.#queues.length === 0) {
      this.#queues = Array.from({ length: connections }, () => ({ calls: [], next: 0, end: 0 }));
      this.#firstPrepared = this.#cursor;
    }
    const queue = this.#queues[this.#preparedCalls % connections]!;
    queue.calls.push(call);
    queue.end++;
    this.#preparedCalls++;
    this.#cursor++;
  }

  /** Next call prepared for this connection, or −1; its arguments are at {@link preparedCall}. */
  takePrepared(connection: number): number {
    const queue = this.#queues[connection];
    if (queue === undefined || queue.next >= queue.end) return -1;
    this.#handedOut++;
    return this.#firstPrepared + queue.next++ * this.#queues.length + connection;
  }

  preparedCall(call: number): Call {
    const connections = this.#queues.length;
    const prepared = call - this.#firstPrepared;
    return this.#queues[prepared % connections]!.calls[Math.floor(prepared / connections)];
  }

  /** The next call that is yet to be made, or −1. */
  takeUnprepared(): number {
    if (this.#cursor >= this.numbering.calls) return -1;
    this.#handedOut++;
    return this.#cursor++;
  }

  /** A call that another connection was to run and has not got round to, to be made anew by one that is free; −1 if there is none. */
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
    return this.#firstPrepared + --this.#queues[from]!.end * this.#queues.length + from;
  }

  /** The server said that the rows of this call are there (or gone, or changed) and committed. */
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
