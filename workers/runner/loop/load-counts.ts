import type { LoadCounts } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

const sums = ['arrivals', 'ended', 'failed', 'afterwards', 'unfinished', 'responseMs', 'thinkMs'] as const;

/** LoadCounts of an interval or a phase while it runs. Times are in ms. */
export class LoadCounter {
  arrivals = 0;
  ended = 0;
  failed = 0;
  afterwards = 0;
  unfinished = 0;
  responseMs = 0;
  thinkMs = 0;
  /** Number of units that wait now; an interval starts with the number of the interval before. */
  waiting = 0;
  readonly #response = new Histogram();
  readonly #sinceStart = new Histogram();
  readonly #startError = new Histogram();
  readonly #wait = new Histogram();

  arrived(lateMs: number): void {
    this.arrivals++;
    this.#startError.record(Math.max(0, lateMs) * 1e6);
  }

  begins(waitedMs: number): void {
    this.#wait.record(waitedMs * 1e6);
  }

  /** A unit of work has ended: the times from its intended and from its actual start. */
  ends(responseMs: number, sinceStartMs: number, succeeded: boolean): void {
    this.ended++;
    this.responseMs += responseMs;
    if (succeeded) {
      this.#response.record(responseMs * 1e6);
      this.#sinceStart.record(sinceStartMs * 1e6);
    } else this.failed++;
  }

  add(other: LoadCounter): void {
    for (const name of sums) this[name] += other[name];
    this.waiting = other.waiting;
    this.#response.add(other.#response);
    this.#sinceStart.add(other.#sinceStart);
    this.#startError.add(other.#startError);
    this.#wait.add(other.#wait);
  }

  reset(): void {
    for (const name of sums) this[name] = 0;
    this.#response.reset();
    this.#sinceStart.reset();
    this.#startError.reset();
    this.#wait.reset();
  }

  toData(): LoadCounts {
    return {
      arrivals: this.arrivals,
      ended: this.ended,
      failed: this.failed,
      afterwards: this.afterwards,
      unfinished: this.unfinished,
      responseMs: this.responseMs,
      thinkMs: this.thinkMs,
      waiting: this.waiting,
      response: this.#response.encode(),
      sinceStart: this.#sinceStart.encode(),
      startError: this.#startError.encode(),
      wait: this.#wait.encode(),
    };
  }
}
