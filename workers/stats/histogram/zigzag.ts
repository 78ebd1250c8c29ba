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

/** Counts that are not 0, by ascending position: entry i counts `counts[i]` at `positions[i]`. */
export interface SparseCounts {
  readonly positions: Int32Array;
  readonly counts: Float64Array;
}

/**
 * Reads the encoded counts into the first entries of `positions` and `counts`, which are as long as a histogram: counts
 * beyond the last position are added to it. Throws DynoError('badInput') on truncated encodings.
 */
export function readCounts(
  bytes: Uint8Array,
  start: number,
  end: number,
  { positions, counts }: SparseCounts,
): { readonly entries: number; readonly total: number } {
  const last = positions.length - 1;
  let position = start;
  let index = 0;
  let entries = 0;
  let total = 0;
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
      total += word / 2;
      if (entries > 0 && positions[entries - 1] === last) counts[entries - 1]! += word / 2;
      else {
        positions[entries] = index < last ? index : last;
        counts[entries++] = word / 2;
      }
    }
    index++;
  }
  return { entries, total };
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
