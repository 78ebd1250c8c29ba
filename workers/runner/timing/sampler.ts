import { Sfc32 } from '#stats/random.ts';

/** Events per millisecond that can be sampled at a negligible cost, which `npm run bench -- time-split` measures. */
export const perMs = 0.25;
/** Samples that were not taken may be taken later, up to this many: rare events may come in bursts. */
const mostSaved = 64;
/** Samples that were taken beyond the rate thin out those that follow, to one of so many events at most. */
const mostOwed = 256;

/**
 * Picks which of a stream of events are sampled: all where they are few, else some at random, so that no rhythm is hit.
 * Each sample stands for itself and all events since the one before: weighted sums are unbiased.
 */
export class Sampler {
  /** How many events the last sample stands for. */
  weight = 1;
  readonly #random: Sfc32;
  #stride = 1;
  #left = 1;
  #lastMs = Number.NEGATIVE_INFINITY;
  #saved = 0;

  constructor(lane: number) {
    this.#random = new Sfc32(lane, mostOwed);
  }

  /** Whether to sample the event that happens now; then {@link take} has to be called. */
  next(): boolean {
    return --this.#left <= 0;
  }

  take(nowMs: number): void {
    this.weight = this.#stride;
    this.#saved = Math.max(-mostOwed, Math.min(mostSaved, this.#saved + (nowMs - this.#lastMs) * perMs) - 1);
    this.#lastMs = nowMs;
    // 1 … 2n + 1, where n is owed.
    this.#stride = this.#saved > 0 ? 1 : 1 + Math.floor(this.#random.unit() * (1 - 2 * this.#saved));
    this.#left = this.#stride;
  }
}
