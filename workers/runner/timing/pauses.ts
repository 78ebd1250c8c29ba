/** When this process stood still to collect garbage, on performance.now()'s clock, one pause after the other: 24 bytes each. */
export class Pauses {
  readonly #startMs: number[] = [];
  readonly #endMs: number[] = [];
  /** How long all pauses up to and with each one were together. */
  readonly #sumMs: number[] = [];

  /** They come in the order of their ends; where two overlap, what they share counts once. */
  add(startMs: number, durationMs: number): void {
    const endMs = startMs + durationMs;
    const fromMs = Math.max(startMs, this.#endMs.at(-1) ?? startMs);
    if (fromMs >= endMs) return;
    this.#startMs.push(fromMs);
    this.#endMs.push(endMs);
    this.#sumMs.push((this.#sumMs.at(-1) ?? 0) + endMs - fromMs);
  }

  /** How long it paused between the two, ms. */
  between(fromMs: number, toMs: number): number {
    return this.#before(toMs) - this.#before(fromMs);
  }

  /** The numbers, from 0, of the pauses of which a part lay between the two: from the first to before the second. */
  met(fromMs: number, toMs: number): readonly [number, number] {
    const began = this.#begun(fromMs);
    return [began > 0 && this.#endMs[began - 1]! > fromMs ? began - 1 : began, this.#begun(toMs)];
  }

  #before(ms: number): number {
    const begun = this.#begun(ms);
    return begun === 0 ? 0 : this.#sumMs[begun - 1]! - Math.max(0, this.#endMs[begun - 1]! - ms);
  }

  /** How many began before. */
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
