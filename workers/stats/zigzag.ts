import { DynoError } from '#contract/error.ts';

/**
 * One word of HdrHistogram's ZigZag LEB128-64b9B encoding: counts as they are, a run of n zero counts as −n. Counts stay below
 * 2^52, so that the ninth byte, which differs from plain LEB128, is never reached. Returns the position behind the word.
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

/** Calls `visit` with position and count of every count that is not zero. Throws DynoError('badInput') on words cut short. */
export function readCounts(
  bytes: Uint8Array,
  start: number,
  end: number,
  visit: (index: number, count: number) => void,
): void {
  let position = start;
  let index = 0;
  while (position < end) {
    let word = 0;
    let scale = 1;
    let byte = 128;
    while (byte >= 128) {
      if (position >= end || scale > 2 ** 49)
        throw new DynoError('badInput', 'Could not decode a histogram: it is damaged.');
      byte = bytes[position++]!;
      word += (byte % 128) * scale;
      scale *= 128;
    }
    if (word % 2 === 1) index += (word + 1) / 2;
    else {
      if (word > 0) visit(index, word / 2);
      index++;
    }
  }
}
