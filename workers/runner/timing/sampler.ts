import { Sfc32 } from '#stats/random.ts';

/** So many a millisecond can be looked at without their cost being felt: `npm run bench -- time-split` measures it. */
export const perMs = 0.25;
/** What was not used up counts later, to this extent: the parts of one rare thing may follow each other closely. */
const mostSaved = 64;
/** What was taken beyond that thins out what follows, to one of so many at most. */
const mostOwed = 256;

/**
 * Picks which of a stream of events are looked at: all of them where they are few, else some at random, so that no rhythm of theirs is met.
 * Each of those stands for itself and all since the one before, so that sums come out right.
 */
export class Sampler {
  /** What the event taken last stands for. */
  weight = 1;
  readonly #random: Sfc32;
  #stride = 1;
  #left = 1;
  #lastMs = Number.NEGATIVE_INFINITY;
  #saved = 0;

  constructor(lane: number) {
    this.#random = new Sfc32(lane, mostOwed);
  }

  /** Whether the event that happens now is taken; then {@link take} has to be called. */
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
