import { Sfc32 } from '#stats/random/random.ts';

/** The network to emulate. Each direction has half of the times. */
export interface NetworkShape {
  readonly roundTripMs: number;
  /** Each direction adds up to half of it at random, uniformly distributed. */
  readonly jitterMs: number;
  /** Megabits (10^6) per second in each direction, of all connections, without TCP and IP headers; 0: no limit. */
  readonly mbit: number;
  readonly seed: number;
}

/** The most that one connection may have in flight in a direction: TCP's default window on a long, fast path. */
const longWindowBytes = 4 * 2 ** 20;
const leastWindowBytes = 64 * 2 ** 10;
/** How much data a router before a slow link buffers, ms of the link's bandwidth. */
const routerMs = 100;

/** One direction of the network, shared by all connections. Times are performance.now of the emulator's process. */
export class Link {
  /** Bytes of one connection that may be in flight before its sender has to wait. */
  readonly windowBytes: number;
  /** Data is sent in parts of this size, so that on a slow link they arrive one after the other. */
  readonly partBytes: number;
  readonly #bytesPerMs: number;
  readonly #delayMs: number;
  readonly #jitterMs: number;
  readonly #random: Sfc32;
  #freeAtMs = 0;

  /** `lane`: 0 or 1, so that the two directions do not draw the same. */
  constructor({ roundTripMs, jitterMs, mbit, seed }: NetworkShape, lane: number) {
    this.#bytesPerMs = mbit === 0 ? Infinity : (mbit * 1e6) / 8 / 1e3;
    this.#delayMs = roundTripMs / 2;
    this.#jitterMs = jitterMs / 2;
    this.#random = new Sfc32(seed, lane);
    const product = this.#bytesPerMs * (roundTripMs + routerMs);
    this.windowBytes = Math.min(longWindowBytes, Math.max(leastWindowBytes, product));
    this.partBytes = Math.max(1_448, Math.floor(this.#bytesPerMs)); // about a packet, or a millisecond
  }

  /** The time at which this many bytes, sent now, will have arrived: after all bytes that were sent before. */
  arrival(nowMs: number, bytes: number): number {
    this.#freeAtMs = Math.max(this.#freeAtMs, nowMs) + bytes / this.#bytesPerMs;
    return this.#freeAtMs + this.#delayMs + (this.#jitterMs === 0 ? 0 : this.#random.unit() * this.#jitterMs);
  }
}
