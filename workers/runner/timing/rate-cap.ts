import { setTimeout as sleep } from 'node:timers/promises';

const secondMs = 1_000;
/** Longer waits are divided, because timers have a maximum duration. */
const longestWaitMs = 60_000;

/**
 * A limit on the statements of any second, over all connections of a process. Several processes have an equal share of
 * the limit each, so that they keep it together.
 */
export class RateCap {
  /** The times at which the last statements were, or may be, sent; the next statement replaces the oldest one. */
  readonly #sentMs: Float64Array;
  readonly #windowMs: number;
  #next = 0;

  /** `perSecond`: the limit of all `processes` together. */
  constructor(perSecond: number, processes = 1) {
    const share = perSecond / processes;
    this.#sentMs = new Float64Array(Math.max(1, Math.floor(share))).fill(Number.NEGATIVE_INFINITY);
    this.#windowMs = secondMs / Math.min(1, share);
  }

  /**
   * Reserves times for this many statements; returns the time at which the last one may be sent, by performance.now().
   */
  reserve(statements: number, nowMs: number): number {
    let atMs = nowMs;
    for (let i = 0; i < statements; i++) {
      atMs = Math.max(nowMs, this.#sentMs[this.#next]! + this.#windowMs);
      this.#sentMs[this.#next] = atMs;
      this.#next = (this.#next + 1) % this.#sentMs.length;
    }
    return atMs;
  }

  /** Resolves when this many statements may be sent. An abort rejects. */
  async mayGo(statements: number, signal?: AbortSignal): Promise<void> {
    const atMs = this.reserve(statements, performance.now());
    for (let leftMs = atMs - performance.now(); leftMs > 0; leftMs = atMs - performance.now())
      await sleep(Math.min(Math.ceil(leftMs), longestWaitMs), undefined, signal && { signal });
  }
}
