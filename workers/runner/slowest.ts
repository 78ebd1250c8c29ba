import type { SlowestCalls } from '#contract/measurement.ts';
import type { Pauses } from './pauses.ts';

/** As many of the calls are beyond the 99th percentile; of more than a million there are more than are kept. */
const beyond = 0.01;
const mostKept = 10_000;

/**
 * The slowest calls of a phase, one by one: a heap with the fastest of them on top. A call that is none of them costs one comparison, and one that
 * is never more than the heap is high. All times are performance.now() ms.
 */
export class Slowest {
  readonly #ms = new Float64Array(mostKept);
  readonly #endMs = new Float64Array(mostKept);
  #kept = 0;
  #calls = 0;
  /** What a call has to take longer than, to be one of them. */
  #thresholdMs = Number.NEGATIVE_INFINITY;

  add(startMs: number, endMs: number): void {
    this.#calls++;
    const ms = endMs - startMs;
    if (ms > this.#thresholdMs) this.#keep(ms, endMs);
  }

  /** The slowest hundredth, and how much of it lay within the process' pauses. */
  against(pauses: Pauses): SlowestCalls {
    const longestFirst = Array.from({ length: this.#kept }, (_, at) => at).sort((a, b) => this.#ms[b]! - this.#ms[a]!);
    const calls = longestFirst.slice(0, Math.ceil(this.#calls * beyond));
    const met = new Set<number>();
    const sums = { calls: calls.length, ms: 0, pausedMs: 0, heldUp: 0 };
    for (const at of calls) {
      const ms = this.#ms[at]!;
      const endMs = this.#endMs[at]!;
      const pausedMs = pauses.between(endMs - ms, endMs);
      sums.ms += ms;
      sums.pausedMs += pausedMs;
      if (pausedMs <= ms / 2) continue;
      sums.heldUp++;
      const [from, to] = pauses.met(endMs - ms, endMs);
      for (let pause = from; pause < to; pause++) met.add(pause);
    }
    return { ...sums, pauses: met.size };
  }

  #keep(ms: number, endMs: number): void {
    if (this.#kept < mostKept) this.#rise(this.#kept++, ms, endMs);
    else this.#sink(ms, endMs);
    if (this.#kept === mostKept) this.#thresholdMs = this.#ms[0]!;
  }

  /** From the end towards the top, as long as what is above takes longer. */
  #rise(from: number, ms: number, endMs: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (this.#ms[above]! <= ms) break;
      this.#move(above, at);
      at = above;
    }
    this.#put(at, ms, endMs);
  }

  /** In place of the fastest, from the top down, as long as what is below takes less. */
  #sink(ms: number, endMs: number): void {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= mostKept) break;
      if (below + 1 < mostKept && this.#ms[below + 1]! < this.#ms[below]!) below++;
      if (this.#ms[below]! >= ms) break;
      this.#move(below, at);
      at = below;
    }
    this.#put(at, ms, endMs);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#ms[from]!, this.#endMs[from]!);
  }

  #put(at: number, ms: number, endMs: number): void {
    this.#ms[at] = ms;
    this.#endMs[at] = endMs;
  }
}
