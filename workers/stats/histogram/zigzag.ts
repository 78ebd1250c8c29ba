import { DynoError } from '#model/error.ts';

/**
 * One count in HdrHistogram's ZigZag LEB128-64b9B encoding: counts as they are, a run of n zero counts as −n. Counts
 * stay below 2^52, so that the ninth byte, which differs from plain LEB128, is never reached. Returns the position
 * behind it.
 */
export function writeCount(bytes: Uint8Array, at: number, count: number): number {
  let position = at;
  let word = count >= 0 ? count * 2 : -count * 2 - 1;
  while (word >= 2 ** 31) {
    bytes[position++] = (word % 128) + 128;
    word = Math.floor(word / 128);
  }
  let small = word | 0;
  while (small >= 128) {
    bytes[position++] = (small & 127) | 128;
    small >>>= 7;
  }
  bytes[position++] = small;
  return position;
}

/** Bytes: 8 × 7 bits. */
const longestWord = 8;

/** The sums of readCounts. */
interface CountsRead {
  readonly total: number;
  /** First and last position with a count; low > high if all counts are 0. */
  readonly low: number;
  readonly high: number;
}

/**
 * Adds the encoded counts to `counts`; positions beyond its end are added to its last one. Throws DynoError('badInput')
 * on truncated encodings, with `counts` partly written. One plain loop: opening a large run spends most of its time
 * here.
 */
export function readCounts(bytes: Uint8Array, start: number, end: number, counts: Float64Array): CountsRead {
  const last = counts.length - 1;
  let position = start;
  let index = 0;
  let total = 0;
  let low = counts.length;
  let high = -1;
  while (position < end) {
    let word = bytes[position++]!;
    // Most encodings are one byte: small counts and short runs of zeros.
    if (word >= 128) {
      let scale = 128;
      let byte = word;
      word -= 128;
      while (byte >= 128) {
        if (position >= end || scale > 2 ** 49)
          throw new DynoError('badInput', 'Could not decode a histogram: it is damaged.');
        byte = bytes[position++]!;
        word += (byte & 127) * scale;
        scale *= 128;
      }
    }
    if (word % 2 === 1) {
      index += (word + 1) / 2;
      continue;
    }
    if (word > 0) {
      const at = index < last ? index : last;
      counts[at]! += word / 2;
      total += word / 2;
      if (low > at) low = at;
      high = at;
    }
    index++;
  }
  return { total, low, high };
}

/** True if readCounts accepts these bytes: no encoding is truncated or too long. */
export function areCounts(bytes: Uint8Array, start: number, end: number): boolean {
  let length = 1;
  for (let position = start; position < end; position++) {
    length = bytes[position]! >= 128 ? length + 1 : 1;
    if (length > longestWord) return false;
  }
  return length === 1;
}
