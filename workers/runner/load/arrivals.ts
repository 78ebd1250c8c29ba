import type { ArrivalRate } from '#model/statements/load-model.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { type Intensity, steady } from './intensity.ts';
import { exponential } from './think-times.ts';

/**
 * A worker's share of arrivals. Arrivals go to connections in turn, and connection c belongs to worker c mod workers.
 */
export interface ArrivalShare {
  readonly worker: number;
  readonly workers: number;
  /** Number of connections of all workers. */
  readonly connections: number;
}

/**
 * The intended start times of units of work, known in advance as a pure function of the seed. Every worker goes through
 * all arrivals and keeps its own; together, the workers have exactly the arrivals of a single worker.
 */
export class Arrivals {
  /** Time of the next arrival, in ms since the phase began. */
  nextMs = 0;
  readonly #rate: ArrivalRate;
  readonly #share: ArrivalShare;
  readonly #random: Sfc32;
  #next = -1;
  readonly #intensity: Intensity;
  /** Time of the next arrival of a Poisson process with one arrival per second, in s. */
  #unitTime = 0;

  /** `lane` selects the random numbers; each phase has its own lane. */
  constructor(rate: ArrivalRate, share: ArrivalShare, seed: number, lane: number, intensity = steady) {
    this.#rate = rate;
    this.#share = share;
    this.#intensity = intensity;
    this.#random = new Sfc32(seed, lane);
    this.take();
  }

  /** Advances to the next arrival. */
  take(): void {
    const { arrivals, arrivalsPerSecond } = this.#rate;
    const { worker, workers, connections } = this.#share;
    do {
      this.#next++;
      if (arrivals === 'poisson') this.#unitTime += exponential(this.#random);
    } while ((this.#next % connections) % workers !== worker);
    // Times are computed from the count and not from the previous arrival, so rounding errors do not accumulate.
    const units = arrivals === 'poisson' ? this.#unitTime : this.#next;
    // A rate that changes is a constant rate on a stretched time axis (Lewis and Shedler, 1979).
    this.nextMs = this.#intensity.timeOf((units * 1_000) / arrivalsPerSecond);
  }
}
