import { Sfc32 } from '#stats/random.ts';

/** The network that a relay plays; of each direction half of the times. */
export interface NetworkShape {
  readonly roundTripMs: number;
  /** Each direction adds up to half of it at random, evenly distributed. */
  readonly jitterMs: number;
  /** Megabits (10^6) per second in each direction, shared by all connections; 0: no limit. Bytes of TCP's and IP's own are not counted. */
  readonly mbit: number;
  readonly seed: number;
}

/** Most that one connection may have under way in a direction: what TCP's window is by default on a long, fast path. */
const longWindowBytes = 4 * 2 ** 20;
const leastWindowBytes = 64 * 2 ** 10;
/** Of a slow link: how much a router in front of it keeps. */
const routerMs = 100;

/** One direction of the network, shared by all connections. Times: performance.now of the relay. */
export class Link {
  /** Bytes of one connection that may be under way here before its sender has to wait. */
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

  /** When so many bytes that are sent now have arrived: after those sent before, by any connection. */
  arrival(nowMs: number, bytes: number): number {
    this.#freeAtMs = Math.max(this.#freeAtMs, nowMs) + bytes / this.#bytesPerMs;
    return this.#freeAtMs + this.#delayMs + (this.#jitterMs === 0 ? 0 : this.#random.unit() * this.#jitterMs);
  }
}
