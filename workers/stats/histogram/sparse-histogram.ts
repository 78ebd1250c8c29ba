import { type Distribution, lowerEdge, rankOf, readEncoded } from './histogram.ts';

/** A position behind all. */
const beyond = 2 ** 30;

/**
 * Counts of few values, such as those of a second: the buckets in use alone, a few kB where a {@link Histogram} has
 * 300. Both have the same percentiles and maximum.
 */
export class SparseHistogram implements Distribution {
  // The buckets in use, from low to high.
  #positions = new Int32Array(0);
  #counts = new Float64Array(0);
  #count = 0;

  /** Number of values. */
  get count(): number {
    return this.#count;
  }

  /** See Histogram.max. */
  get max(): number {
    return this.#count === 0 ? Number.NaN : lowerEdge(this.#positions.at(-1)! + 1) - 1;
  }

  /** See Histogram.percentiles. */
  percentiles(all: readonly number[]): readonly number[] {
    if (this.#count === 0) return all.map(() => Number.NaN);
    const counts = this.#counts;
    const last = counts.length - 1;
    let entry = 0;
    let seen = counts[0]!;
    return all.map((p) => {
      const rank = rankOf(p, this.#count);
      while (seen < rank && entry < last) seen += counts[++entry]!;
      return p === 0 ? lowerEdge(this.#positions[entry]!) : lowerEdge(this.#positions[entry]! + 1) - 1;
    });
  }

  /** Throws DynoError('badInput') where the text is not a histogram of this resolution. */
  addEncoded(text: string): void {
    const added = readEncoded(text);
    this.#count += added.total;
    const [own, ownCounts] = [this.#positions, this.#counts];
    const positions = new Int32Array(own.length + added.entries);
    const counts = new Float64Array(positions.length);
    let length = 0;
    for (let mine = 0, other = 0; mine < own.length || other < added.entries; length++) {
      const at = mine < own.length ? own[mine]! : beyond;
      const of = other < added.entries ? added.positions[other]! : beyond;
      positions[length] = at < of ? at : of;
      counts[length] = (at <= of ? ownCounts[mine++]! : 0) + (of <= at ? added.counts[other++]! : 0);
    }
    this.#positions = positions.subarray(0, length);
    this.#counts = counts.subarray(0, length);
  }
}
