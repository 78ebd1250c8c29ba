import type { SlowestCalls } from '#protocol/measurement.ts';
import { Heap } from './heap.ts';
import type { Pauses } from './pauses.ts';

/** The share of calls that is kept: those beyond the 99th percentile. Of more than a million calls, fewer are kept. */
const beyond = 0.01;
const mostKept = 10_000;

/**
 * The slowest calls of a phase: a heap with the fastest of them on top. A call that is not kept costs one comparison; a
 * kept one costs at most the height of the heap. All times are performance.now() ms.
 */
export class Slowest {
  /** The time that each call took, and when it ended. */
  readonly #kept = new Heap();
  #calls = 0;
  /** A call is kept if it takes longer than this. */
  #thresholdMs = Number.NEGATIVE_INFINITY;

  add(startMs: number, endMs: number): void {
    this.#calls++;
    const ms = endMs - startMs;
    if (ms > this.#thresholdMs) this.#keep(ms, endMs);
  }

  /** The slowest hundredth of the calls, and how much of their time the process paused. */
  against(pauses: Pauses): SlowestCalls {
    const kept = this.#kept;
    const longestFirst = Array.from({ length: kept.length }, (_, i) => i).sort((a, b) => kept.first(b) - kept.first(a));
    const calls = longestFirst.slice(0, Math.ceil(this.#calls * beyond));
    const met = new Set<number>();
    const sums = { calls: calls.length, ms: 0, pausedMs: 0, delayedByPauses: 0 };
    for (const at of calls) {
      const ms = kept.first(at);
      const endMs = kept.second(at);
      const pausedMs = pauses.between(endMs - ms, endMs);
      sums.ms += ms;
      sums.pausedMs += pausedMs;
      if (pausedMs <= ms / 2) continue;
      sums.delayedByPauses++;
      const [from, to] = pauses.met(endMs - ms, endMs);
      for (let pause = from; pause < to; pause++) met.add(pause);
    }
    return { ...sums, pauses: met.size };
  }

  #keep(ms: number, endMs: number): void {
    if (this.#kept.length < mostKept) this.#kept.add(ms, endMs);
    else this.#kept.replaceTop(ms, endMs);
    if (this.#kept.length === mostKept) this.#thresholdMs = this.#kept.first(0);
  }
}
