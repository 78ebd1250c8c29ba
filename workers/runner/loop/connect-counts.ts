import type { ConnectCounts } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

/** The parts of the time in which a connection changes its session, ms. */
interface ConnectTimes {
  readonly endMs: number;
  readonly openMs: number;
  readonly prepareMs: number;
}

/** ConnectCounts of an interval or a phase while it runs. Times are in ms. */
export class ConnectCounter {
  #failed = 0;
  #endMs = 0;
  #openMs = 0;
  #prepareMs = 0;
  readonly #opened = new Histogram();

  /** A session was ended and another one opened and prepared. */
  succeeded(times: ConnectTimes): void {
    this.#opened.record(times.openMs * 1e6);
    this.#spent(times);
  }

  /** The new session could not be opened or prepared. */
  failed(times: ConnectTimes): void {
    this.#failed++;
    this.#spent(times);
  }

  add(other: ConnectCounter): void {
    this.#opened.add(other.#opened);
    this.#failed += other.#failed;
    this.#endMs += other.#endMs;
    this.#openMs += other.#openMs;
    this.#prepareMs += other.#prepareMs;
  }

  reset(): void {
    this.#opened.reset();
    this.#failed = this.#endMs = this.#openMs = this.#prepareMs = 0;
  }

  toData(): ConnectCounts {
    return {
      opened: this.#opened.encode(),
      failed: this.#failed,
      endMs: this.#endMs,
      openMs: this.#openMs,
      prepareMs: this.#prepareMs,
    };
  }

  #spent({ endMs, openMs, prepareMs }: ConnectTimes): void {
    this.#endMs += endMs;
    this.#openMs += openMs;
    this.#prepareMs += prepareMs;
  }
}
