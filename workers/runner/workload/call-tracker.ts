import type { Call } from '#engine-api/operation.ts';
import type { Numbering } from './numbering.ts';

/**
 * Tracks the prepared, handed-out and acknowledged calls of a phase (or of the whole trial if the clock ends the
 * phases). A prepared call may refer to the session that encoded it (for example to a compiled statement), so calls are
 * prepared for a connection: the n-th call for connection n mod connections.
 */
export class CallTracker {
  readonly numbering: Numbering;
  /** The queues by connection. */
  readonly #queues: Queue[] = [];
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

  /** Prepared calls that were not handed out. */
  get preparedLeft(): number {
    return this.#preparedLeft;
  }

  /** Calls that were handed out. */
  get handedOut(): number {
    return this.#handedOut;
  }

  get exhausted(): boolean {
    return this.#handedOut >= this.numbering.calls;
  }

  /** Adds call number `nextCall` for a connection. */
  addPrepared(call: Call, connection: number): void {
    this.#queues[connection] ??= { numbers: [], calls: [], next: 0 };
    const queue = this.#queues[connection];
    queue.numbers.push(this.#cursor++);
    queue.calls.push(call);
    this.#preparedLeft++;
  }

  /** Hands out the next call prepared for this connection, or −1; {@link preparedCall} has its arguments. */
  takePrepared(connection: number): number {
    const queue = this.#queues[connection];
    if (queue === undefined || queue.next >= queue.numbers.length) return -1;
    this.#handedOut++;
    this.#preparedLeft--;
    return queue.numbers[queue.next++]!;
  }

  /** The last call that was taken from the calls prepared for this connection. */
  preparedCall(connection: number): Call {
    const { calls, next } = this.#queues[connection]!;
    return calls[next - 1];
  }

  /** Hands out the next call that is not prepared, or −1. */
  takeUnprepared(): number {
    if (this.#cursor >= this.numbering.calls) return -1;
    this.#handedOut++;
    return this.#cursor++;
  }

  /** Hands out a call that was prepared for another connection, which must be encoded again; −1: there is none. */
  takeOver(): number {
    let from: Queue | null = null;
    let most = 0;
    for (const queue of this.#queues) {
      const left = queue.numbers.length - queue.next;
      if (left <= most) continue;
      most = left;
      from = queue;
    }
    if (from === null) return -1;
    this.#handedOut++;
    this.#preparedLeft--;
    from.calls.pop();
    return from.numbers.pop()!;
  }

  /** The server has committed this call's rows, changes or deletions. */
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

/** The calls prepared for a connection. */
interface Queue {
  readonly numbers: number[];
  readonly calls: Call[];
  next: number;
}
