import type { Stream } from '#stats/random/random.ts';

/**
 * Random words of a row, from the streams of #stats/random.ts. A row needs several cheap words per column, and keys
 * must never repeat: the first two words together are different for all rows, because every step is a bijection.
 */

const golden = 0x9e3779b9;

/** Returns a seed for the parts of one value: the stream's keys, cut to a safe integer. */
export const innerSeed = (key: Stream): number => (key[0]! >>> 0) * 2 ** 20 + ((key[1]! >>> 0) & 0xfffff);

/** Bijective 32-bit mixer, `lowbias32` of Chris Wellons' hash prospector. */
export function mix(value: number): number {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

/** First word of a row: different for all rows that share their upper 32 bits. */
export const firstWord = (key: Stream, row: number): number => mix(row ^ key[0]!);

/** Second word of a row, from its first: (first, second) is different for all rows. */
export const secondWord = (key: Stream, row: number, first: number): number => mix((row * 2 ** -32) ^ key[1]! ^ first);

/** Further words of a row, index 1, 2, 3…, from its first two. */
export const furtherWord = (first: number, second: number, index: number): number =>
  mix((first + Math.imul(index, golden)) ^ second);
