import { Sfc32 } from '#stats/random/random.ts';

/** Events per millisecond that can be sampled at a negligible cost, which `npm run bench -- time-split` measures. */
export const perMs = 0.25;
/** Samples that were not taken may be taken later, up to this many: rare events may come in bursts. */
const mostSaved = 64;
/** Samples beyond the rate make the following samples rarer, down to one of this many events. */
const mostOwed = 256;

/**
 * Picks which of a stream of events are sampled: all where they are few, else each with the same chance, independently
 * of the others, so that no rhythm is hit. The decision about an event is made before it begins; its duration only
 * changes the chances of later events.
 */
export class Sampler {
  /** The number of events that the last sample represents: itself and all unsampled events before it. */
  weight = 1;
  /**
   * 1 ÷ the chance that the last sample had. Sums weighted so are unbiased even if long and short events come in
   * stretches (Horvitz and Thompson 1952): no sample stands for the stretch before it.
   */
  inverseChance = 1;
  readonly #random: Sfc32;
  #since = 0;
  /** The number of events after which the next sample is due; 0: not drawn yet. */
  #stride = 1;
  #expected = 1;
  #lastMs = Number.NEGATIVE_INFINITY;
  #saved = 0;

  constructor(lane: number) {
    this.#random = new Sfc32(lane, mostOwed);
  }

  /**
   * True if the event that happens now is to be sampled; then call {@link take}. If the time is given, sampling
   * continues as soon as the rate allows it, instead of after the number of events that was drawn with the last sample.
   */
  next(nowMs = this.#lastMs): boolean {
    this.#since++;
    if (this.#saved + (nowMs - this.#lastMs) * perMs > 0) {
      this.#expected = 1;
      return true;
    }
    // Drawn here and not by take(): a sampled event is being timed, and the drawing would be counted with it.
    if (this.#stride === 0) this.#stride = this.#draw();
    return this.#since >= this.#stride;
  }

  take(nowMs: number): void {
    this.weight = this.#since;
    this.inverseChance = this.#expected;
    this.#saved = Math.max(-mostOwed, Math.min(mostSaved, this.#saved + (nowMs - this.#lastMs) * perMs) - 1);
    this.#lastMs = nowMs;
    this.#since = 0;
    this.#expected = 1 + Math.max(0, -this.#saved);
    this.#stride = 0;
  }

  /** Geometric: every event has the chance 1 ÷ expected. */
  #draw(): number {
    if (this.#expected === 1) return 1;
    return 1 + Math.floor(Math.log(1 - this.#random.unit()) / Math.log(1 - 1 / this.#expected));
  }
}
