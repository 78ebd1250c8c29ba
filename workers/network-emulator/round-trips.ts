import { Histogram } from '#stats/histogram/histogram.ts';

/** Histograms of the time added to round trips, ns: as configured, and as measured. */
export class RoundTrips {
  readonly intended = new Histogram();
  readonly added = new Histogram();

  reset(): void {
    this.intended.reset();
    this.added.reset();
  }
}

/**
 * Pairs what a connection sends with what comes back: the first data after something was sent is its answer, one round
 * trip later. Of requests in a pipeline only one in several is paired.
 */
export class AnswerTracker {
  readonly #trips: RoundTrips;
  #intendedMs = 0;
  #addedMs = 0;
  #waits = false;

  constructor(trips: RoundTrips) {
    this.#trips = trips;
  }

  /** Data was passed on to the server. */
  sent(intendedMs: number, addedMs: number): void {
    this.#intendedMs = intendedMs;
    this.#addedMs = addedMs;
    this.#waits = true;
  }

  /** Data was passed on to the client. */
  answered(intendedMs: number, addedMs: number): void {
    if (!this.#waits) return;
    this.#waits = false;
    this.#trips.intended.record((this.#intendedMs + intendedMs) * 1e6);
    this.#trips.added.record((this.#addedMs + addedMs) * 1e6);
  }
}
