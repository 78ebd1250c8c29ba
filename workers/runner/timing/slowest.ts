import type { SlowestCalls } from '#contract/measurement.ts';
import { Heap } from './heap.ts';
import type { Pauses } from './pauses.ts';

/** As many of the calls are beyond the 99th percentile; of more than a million there are more than are kept. */
const beyond = 0.01;
const mostKept = 10_000;

/**
 * The slowest calls of a phase, one by one: a heap with the fastest of them on top. A call that is none of them costs one comparison, and one that
 * is never more than the heap is high. All times are performance.now() ms.
 */
export class Slowest {
  /** By how long they took, with when they ended. */
  readonly #kept = new Heap();
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
    const kept = this.#kept;
    const longestFirst = Array.from({ length: kept.length }, (_, at) => at).sort(
      (a, b) => kept.first(b) - kept.first(a),
    );
    const calls = longestFirst.slice(0, Math.ceil(this.#calls * beyond));
    const met = new Set<number>();
    const sums = { calls: calls.length, ms: 0, pausedMs: 0, heldUp: 0 };
    for (const at of calls) {
      const ms = kept.first(at);
      const endMs = kept.second(at);
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
    if (this.#kept.length < mostKept) this.#kept.add(ms, endMs);
    else this.#kept.replaceTop(ms, endMs);
    if (this.#kept.length === mostKept) this.#thresholdMs = this.#kept.first(0);
  }
}
