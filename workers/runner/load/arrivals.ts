import type { ArrivalRate } from '#model/statements/load-model.ts';
import { Sfc32 } from '#stats/random.ts';
import { type Intensity, steady } from './intensity.ts';
import { exponential } from './think-times.ts';

/** Which of all arrivals are one worker's: they are dealt to connections in turn, and connection c is that of worker c mod workers. */
export interface ArrivalShare {
  readonly worker: number;
  readonly workers: number;
  /** Of all workers. */
  readonly connections: number;
}

/**
 * The moments at which work is to start, decided before any of it does: a pure function of the seed. Every worker goes through all of them
 * and keeps its own, so that together they are exactly those of one.
 */
export class Arrivals {
  /** The next one, ms since the phase began. */
  nextMs = 0;
  readonly #rate: ArrivalRate;
  readonly #share: ArrivalShare;
  readonly #random: Sfc32;
  #next = -1;
  readonly #intensity: Intensity;
  /** Of a Poisson process with one arrival a second: when the next one is. */
  #unitTime = 0;

  /** `lane`: another one for each phase. */
  constructor(rate: ArrivalRate, share: ArrivalShare, seed: number, lane: number, intensity = steady) {
    this.#rate = rate;
    this.#share = share;
    this.#intensity = intensity;
    this.#random = new Sfc32(seed, lane);
    this.take();
  }

  /** Goes on to the one after. */
  take(): void {
    const { arrivals, arrivalsPerSecond } = this.#rate;
    const { worker, workers, connections } = this.#share;
    do {
      this.#next++;
      if (arrivals === 'poisson') this.#unitTime += exponential(this.#random);
    } while ((this.#next % connections) % workers !== worker);
    // From the count, not from the one before: fractions of a rate do not add up to a drift.
    const units = arrivals === 'poisson' ? this.#unitTime : this.#next;
    // A rate that changes stretches the time of one that does not (Lewis and Shedler, 1979).
    this.nextMs = this.#intensity.timeOf((units * 1_000) / arrivalsPerSecond);
  }
}
