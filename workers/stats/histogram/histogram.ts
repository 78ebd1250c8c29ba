import { DynoError } from '#model/error.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { areCounts, readCounts, type SparseCounts, writeCount } from './zigzag.ts';

/**
 * HDR histogram (Gil Tene, https://github.com/HdrHistogram/HdrHistogram): counts of non-negative values, here
 * nanoseconds, kept to 3 significant digits. Same buckets as HdrHistogram with lowestDiscernibleValue 1 and
 * numberOfSignificantValueDigits 3, so its tools can read the result of encode(): values below 2048 have a bucket each,
 * and every further doubling is cut into 1024 equal buckets.
 */

const halfBits = 10;
const half = 1 << halfBits;
const doublings = 36;
const bucketCount = (doublings + 2) * half;
const lastIndex = bucketCount - 1;

/** The largest width of a bucket, as a share of its values. */
export const resolution = 1 / half;

/** Width of the buckets of each group of 1024. */
const widths = Float64Array.from({ length: doublings + 3 }, (_, group) => (group < 2 ? 1 : 2 ** (group - 1)));

/** 2^47 − 1 ns, about 39 hours. Larger values are counted in the last bucket. */
export const highestTrackableNs = 2 ** 47 - 1;

const cookie = 0x1c849303 | 0x10;
const headerBytes = 40;

// All histograms share one buffer, because encode() is synchronous. A count takes 8 bytes at most.
let buffer: Uint8Array | null = null;
const scratch = () => {
  buffer ??= new Uint8Array(headerBytes + (bucketCount + 1) * 8);
  return buffer;
};

// Shared for the same reason.
let sparse: SparseCounts | null = null;

/**
 * The counts of an encoded histogram by bucket, which hold until the next call. Throws DynoError('badInput') where the
 * text is not a histogram of this resolution.
 */
function readEncoded(text: string) {
  const { bytes, end } = countsIn(text);
  sparse ??= { positions: new Int32Array(bucketCount), counts: new Float64Array(bucketCount) };
  return { ...sparse, ...readCounts(bytes, headerBytes, end, sparse) };
}

/** Values of one bucket: fromNs ≤ value < toNs. */
interface Bucket {
  readonly fromNs: number;
  readonly toNs: number;
  readonly count: number;
}

/** Counts of durations in ns with 3 significant digits. */
export class Histogram {
  // Float64 is exact to 2^53; a 32-bit count would overflow after a few minutes of the no-op engine.
  readonly #counts = new Float64Array(bucketCount);
  #count = 0;
  #low = bucketCount;
  #high = -1;

  /**
   * Counts one value in ns (fractions are cut off). Allocates nothing. Throws RangeError for negative values and NaN: a
   * broken clock.
   */
  record(ns: number): void {
    const index = indexOf(ns);
    this.#counts[index]!++;
    this.#count++;
    if (index < this.#low) this.#low = index;
    if (index > this.#high) this.#high = index;
  }

  recordMany(ns: number, times: number): void {
    if (!Number.isSafeInteger(times) || times < 0) throw new RangeError(`Cannot count a value ${times} times.`);
    if (times === 0) return;
    const index = indexOf(ns);
    this.#counts[index]! += times;
    this.#count += times;
    this.#low = Math.min(this.#low, index);
    this.#high = Math.max(this.#high, index);
  }

  /** Exact: the merge of two histograms is the histogram of both sets of values. */
  add(other: Histogram): void {
    for (let index = other.#low; index <= other.#high; index++) this.#counts[index]! += other.#counts[index]!;
    this.#count += other.#count;
    if (other.#low < this.#low) this.#low = other.#low;
    if (other.#high > this.#high) this.#high = other.#high;
  }

  reset(): void {
    if (this.#high >= 0) this.#counts.fill(0, this.#low, this.#high + 1);
    this.#count = 0;
    this.#low = bucketCount;
    this.#high = -1;
  }

  /** Number of values. */
  get count(): number {
    return this.#count;
  }

  /** Lower edge of the lowest bucket in use, ns; NaN when empty. */
  get min(): number {
    return this.#count === 0 ? Number.NaN : lowerEdge(this.#low);
  }

  /** Highest value of the highest bucket in use, ns (at most 0.1 % above the true maximum); NaN when empty. */
  get max(): number {
    return this.#count === 0 ? Number.NaN : lowerEdge(this.#high + 1) - 1;
  }

  /** Mean in ns, each value taken as the middle of its bucket, as HdrHistogram does; NaN when empty. */
  get mean(): number {
    let sum = 0;
    for (let index = this.#low; index <= this.#high; index++) {
      const count = this.#counts[index]!;
      if (count > 0) sum += count * (lowerEdge(index) + Math.floor(bucketWidth(index) / 2));
    }
    return sum / this.#count;
  }

  /**
   * Smallest bucket value that p percent (0…100) of the values do not exceed, in ns; NaN when empty. The highest value
   * of the bucket for p > 0 and the lowest for p = 0, as HdrHistogram does.
   */
  percentile(p: number): number {
    return this.percentiles([p])[0]!;
  }

  /** Several percentiles, each at least as high as the one before, in one pass over the buckets. */
  percentiles(all: readonly number[]): readonly number[] {
    if (this.#count === 0) return all.map(() => Number.NaN);
    const counts = this.#counts;
    const high = this.#high;
    const values: number[] = [];
    let seen = 0;
    let index = this.#low - 1;
    for (const p of all) {
      const rank = rankOf(p, this.#count);
      while (seen < rank && index < high) seen += counts[++index]!;
      values.push(p === 0 ? lowerEdge(index) : lowerEdge(index + 1) - 1);
    }
    return values;
  }

  /**
   * The values in other buckets: one count for each upper bound (ns, rising), one for the values above all, and the sum
   * of the values. Each own bucket counts where its middle is, so that a value within 0.1 % of a bound may count on the
   * other side; the middles also make the sum, as in `mean`.
   */
  inBuckets(boundsNs: readonly number[]): { readonly counts: readonly number[]; readonly sumNs: number } {
    const counts = Array<number>(boundsNs.length + 1).fill(0);
    let sumNs = 0;
    let at = 0;
    for (let index = this.#low; index <= this.#high; index++) {
      const count = this.#counts[index]!;
      if (count === 0) continue;
      const middleNs = lowerEdge(index) + Math.floor(bucketWidth(index) / 2);
      while (at < boundsNs.length && middleNs > boundsNs[at]!) at++;
      counts[at]! += count;
      sumNs += count * middleNs;
    }
    return { counts, sumNs };
  }

  /** Buckets with values in them, from low to high. */
  *buckets(): IterableIterator<Bucket> {
    for (let index = this.#low; index <= this.#high; index++) {
      const count = this.#counts[index]!;
      if (count > 0) yield { fromNs: lowerEdge(index), toNs: lowerEdge(index + 1), count };
    }
  }

  /** HdrHistogram's V2 encoding, uncompressed, as base64. */
  encode(): string {
    const bytes = scratch();
    let end = headerBytes;
    // Position 0 of the counts is value 0: the zeros before the first value are written as well.
    if (this.#low > 0 && this.#high >= 0) end = writeCount(bytes, end, this.#low === 1 ? 0 : -this.#low);
    let index = this.#low;
    while (index <= this.#high) {
      const count = this.#counts[index]!;
      const start = index++;
      if (count === 0) while (index <= this.#high && this.#counts[index] === 0) index++;
      end = writeCount(bytes, end, count === 0 && index - start > 1 ? start - index : count);
    }
    const view = new DataView(bytes.buffer);
    view.setUint32(0, cookie);
    view.setUint32(4, end - headerBytes);
    view.setUint32(8, 0); // normalizing index offset
    view.setUint32(12, 3);
    view.setBigUint64(16, 1n);
    view.setBigUint64(24, BigInt(highestTrackableNs));
    view.setFloat64(32, 1); // integer-to-double conversion ratio
    return toBase64(bytes.subarray(0, end));
  }

  /** Throws DynoError('badInput') where the text is not a histogram of this resolution. */
  static decode(text: string): Histogram {
    const histogram = new Histogram();
    histogram.addEncoded(text);
    return histogram;
  }

  /** True if decode() and addEncoded() accept the text. */
  static isEncoded(text: string): boolean {
    try {
      const { bytes, end } = countsIn(text);
      return areCounts(bytes, headerBytes, end);
    } catch (thrown) {
      if (thrown instanceof DynoError) return false;
      throw thrown;
    }
  }

  /**
   * Equals add(decode(text)) without a second histogram. Throws DynoError('badInput') on damaged text, and then adds
   * nothing.
   */
  addEncoded(text: string): void {
    const { positions, counts, entries, total } = readEncoded(text);
    if (entries === 0) return;
    for (let i = 0; i < entries; i++) this.#counts[positions[i]!]! += counts[i]!;
    this.#count += total;
    this.#low = Math.min(this.#low, positions[0]!);
    this.#high = Math.max(this.#high, positions[entries - 1]!);
  }
}

/** Slightly below the product, because with rounding 99.9 % of 1000 values would mean the 1000th. */
const rankOf = (p: number, count: number): number =>
  Math.max(1, Math.ceil((Math.min(p, 100) / 100) * count * (1 - 2 ** -52)));

/** The bytes of an encoded histogram; its counts are between the header and `end`. */
function countsIn(text: string): { readonly bytes: Uint8Array; readonly end: number } {
  const bytes = fromBase64(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerBytes || (view.getUint32(0) & ~0xf0) !== (cookie & ~0xf0))
    throw unreadable('it is not an uncompressed HdrHistogram V2 encoding');
  if (view.getUint32(12) !== 3 || view.getUint32(16) !== 0 || view.getUint32(20) !== 1)
    throw unreadable('it is not of 3 significant digits from 1 ns');
  const end = headerBytes + view.getUint32(4);
  if (end > bytes.length) throw unreadable('it is cut short');
  return { bytes, end };
}

function indexOf(ns: number): number {
  if (ns < 2 ** 31) {
    const whole = ns | 0;
    if (whole >= 2 * half) {
      const shift = 31 - halfBits - Math.clz32(whole);
      return (shift << halfBits) + (whole >>> shift);
    }
    if (ns >= 0) return whole;
  } else if (ns <= highestTrackableNs) {
    // Beyond 32-bit shifts: take 21 bits off by an exact multiplication first. What is left is at least 2^10.
    const top = (ns * 2 ** -21) | 0;
    const shift = 31 - halfBits - Math.clz32(top);
    return ((shift + 21) << halfBits) + (top >>> shift);
  } else if (ns > highestTrackableNs) {
    return lastIndex;
  }
  throw new RangeError(`Cannot count ${ns} ns: a duration is a number that is not negative.`);
}

/** The lowest value of a bucket, ns. */
function lowerEdge(index: number): number {
  if (index < 2 * half) return index;
  return ((index & (half - 1)) + half) * bucketWidth(index);
}

function bucketWidth(index: number): number {
  return widths[index >>> halfBits]!;
}

const unreadable = (why: string) => new DynoError('badInput', `Could not decode a histogram: ${why}.`);
