import { toUnit } from '#stats/random/random.ts';
import { createZipf } from '#stats/random/zipf.ts';
import { furtherWord } from '../hash.ts';

/** A number 0 … n − 1 from the two words of a row. */
export type Choose = (first: number, second: number) => number;

const zipfExponent = 0.99;

/** Draws any number of units in [0, 1) for a row, which its words determine. */
function createRowUnits(): { begin(first: number, second: number): void; readonly next: () => number } {
  const words = new Int32Array(3);
  const word = () => furtherWord(words[0]!, words[1]!, ++words[2]!);
  return {
    begin(first, second) {
      words[0] = first;
      words[1] = second;
      words[2] = 0;
    },
    next: () => toUnit(word(), word()),
  };
}

export const chooseUniform =
  (n: number): Choose =>
  (first, second) =>
    Math.floor(toUnit(first, second) * n);

/** Zipf's law: rank 0 is the most frequent. It needs no memory, whatever n is. */
export function chooseZipf(n: number, exponent = zipfExponent): Choose {
  const zipf = createZipf(n, exponent);
  const units = createRowUnits();
  return (first, second) => {
    units.begin(first, second);
    return zipf.sample(units.next);
  };
}

/** Returns a standard normal number from both words (Box and Muller, 1958). */
export const normalOf = (first: number, second: number): number =>
  Math.sqrt(-2 * Math.log(((first >>> 0) + 1) * 2 ** -32)) * Math.cos((second >>> 0) * 2 ** -32 * 2 * Math.PI);

/** After this many draws outside of the range, the mean is taken; usually two of three draws are inside. */
const mostDraws = 100;

/** Draws from a normal distribution, and repeats draws outside of 0 … n − 1. */
export function chooseNormal(n: number, mean: number, deviation: number): Choose {
  return (first, second) => {
    for (let i = 0; i < mostDraws; i += 2) {
      const z = normalOf(furtherWord(first, second, i + 1), furtherWord(first, second, i + 2));
      const value = Math.floor(mean + deviation * z + 0.5);
      if (value >= 0 && value < n) return value;
    }
    return Math.floor(mean);
  };
}

/** Draws from an exponential distribution that is truncated at n, through its inverse distribution function. */
export function chooseExponential(n: number, mean: number): Choose {
  const within = -Math.expm1(-n / mean);
  return (first, second) => Math.min(n - 1, Math.floor(-mean * Math.log1p(-toUnit(first, second) * within)));
}

/**
 * Chooses by weights in constant time: Walker's alias method with Vose's tables (IEEE Trans. Softw. Eng. 17(9), 1991).
 */
export function chooseWeighted(weights: readonly number[]): Choose {
  const table = aliasTable(weights);
  return (first) => table(first);
}

/** Returns an index from one word. Weights are not negative, and at least one is positive. */
export function aliasTable(weights: readonly number[]): (word: number) => number {
  const n = weights.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const left = weights.map((weight) => (weight / total) * n);
  const keep = new Float64Array(n).fill(1);
  const alias = Uint32Array.from({ length: n }, (_, i) => i);
  const small = left.flatMap((share, i) => (share < 1 ? [i] : []));
  const large = left.flatMap((share, i) => (share < 1 ? [] : [i]));
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop()!;
    const rich = large.at(-1)!;
    keep[poor] = left[poor]!;
    alias[poor] = rich;
    left[rich] = left[rich]! + left[poor]! - 1;
    if (left[rich]! < 1) small.push(large.pop()!);
  }
  return (word) => {
    const at = (word >>> 0) * 2 ** -32 * n;
    const i = Math.floor(at);
    return at - i < keep[i]! ? i : alias[i]!;
  };
}
