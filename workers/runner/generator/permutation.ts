import { type Stream, stream } from '#stats/random/random.ts';
import { mix } from './hash.ts';

const rounds = 4;

/**
 * A random-looking order of 0 … n − 1 in no memory: position → value, each value once. A balanced Feistel network over
 * the next even power of two, walked until it lands inside (Black and Rogaway, "Ciphers with arbitrary finite domains",
 * 2002).
 */
export function createPermutation(n: number, seed: number, lane: number): (position: number) => number {
  const halfBits = Math.max(1, Math.ceil(Math.log2(Math.max(2, n)) / 2));
  const half = 2 ** halfBits;
  const mask = half - 1;
  const keys: Stream[] = Array.from({ length: rounds }, (_, round) => stream(seed, lane + round));

  const once = (value: number): number => {
    let left = Math.floor(value / half);
    let right = value % half;
    for (const key of keys) {
      const next = left ^ (mix(right ^ key[0]!) & mask);
      left = right;
      right = next;
    }
    return left * half + right;
  };
  return (position) => {
    let value = once(position);
    while (value >= n) value = once(value);
    return value;
  };
}
