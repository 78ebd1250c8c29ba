import type { ArrivalRate } from '#model/statements/load-model.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { type Intensity, steady } from './intensity.ts';
import { exponential } from './think-times.ts';

/** A worker's share of arrivals: they go to connections in turn, and connection c is that of worker c mod workers. */
export interface ArrivalShare {
  readonly worker: number;
  readonly workers: number;
  /** Connections of all workers together. */
  readonly connections: number;
}

/**
 * The moments at which units of work are to start, decided before any does: a pure function of the seed. Every worker
 * goes through all arrivals and keeps its own: together they are exactly those of a single worker.
 */
export class Arrivals {
  /** The next arrival, ms since the phase began. */
  nextMs = 0;
  readonly #rate: ArrivalRate;
  readonly #share: ArrivalShare;
  readonly #random: Sfc32;
  #next = -1;
  readonly #intensity: Intensity;
  /** The time of the next arrival of a Poisson process with one arrival per second, s. */
  #unitTime = 0;

  /** `lane`: of the random numbers; each phase has its own. */
  constructor(rate: ArrivalRate, share: ArrivalShare, seed: number, lane: number, intensity = steady) {
    this.#rate = rate;
    this.#share = share;
    this.#intensity = intensity;
    this.#random = new Sfc32(seed, lane);
    this.take();
  }

  /** Goes on to the next arrival. */
  take(): void {
    const { arrivals, arrivalsPerSecond } = this.#rate;
    const { worker, workers, connections } = this.#share;
    do {
      this.#next++;
      if (arrivals === 'poisson') this.#unitTime += exponential(this.#random);
    } while ((this.#next % connections) % workers !== worker);
    // Times come from the count and not from the arrival before, so that rounding errors do not add up.
    const units = arrivals === 'poisson' ? this.#unitTime : this.#next;
    // A rate that changes is a constant rate on a stretched time axis (Lewis and Shedler, 1979).
    this.nextMs = this.#intensity.timeOf((units * 1_000) / arrivalsPerSecond);
  }
}
