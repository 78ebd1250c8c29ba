/** The pauses of this process for garbage collection, in performance.now() ms, one after the other: 24 bytes each. */
export class Pauses {
  readonly #startMs: number[] = [];
  readonly #endMs: number[] = [];
  /** The sum of all pauses up to and including each one. */
  readonly #sumMs: number[] = [];

  /** Pauses have to be added in the order of their ends; where two overlap, the common part counts once. */
  add(startMs: number, durationMs: number): void {
    const endMs = startMs + durationMs;
    const fromMs = Math.max(startMs, this.#endMs.at(-1) ?? startMs);
    if (fromMs >= endMs) return;
    this.#startMs.push(fromMs);
    this.#endMs.push(endMs);
    this.#sumMs.push((this.#sumMs.at(-1) ?? 0) + endMs - fromMs);
  }

  /** The time for which the process paused between two times, ms. */
  between(fromMs: number, toMs: number): number {
    return this.#before(toMs) - this.#before(fromMs);
  }

  /** The numbers [first, end) of the pauses that overlap the interval between two times. */
  met(fromMs: number, toMs: number): readonly [number, number] {
    const began = this.#begun(fromMs);
    return [began > 0 && this.#endMs[began - 1]! > fromMs ? began - 1 : began, this.#begun(toMs)];
  }

  #before(ms: number): number {
    const begun = this.#begun(ms);
    return begun === 0 ? 0 : this.#sumMs[begun - 1]! - Math.max(0, this.#endMs[begun - 1]! - ms);
  }

  /** The number of pauses that began before a time. */
  #begun(ms: number): number {
    let low = 0;
    let high = this.#startMs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#startMs[middle]! < ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
