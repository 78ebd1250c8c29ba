/**
 * Random numbers of two kinds. Counter-based: a pure function of (seed, lane, index), so that row 17 of a table is the
 * same in every process and order. Sequential: sfc32, for choices that need a stream. Neither is fit for secrets.
 */

/**
 * The two keys that hash32 derives once from seed and lane. A typed array, because Electron's V8 boxes 32-bit integers
 * in object fields.
 */
export type Stream = Int32Array;

/** A stream for each (seed, lane): seed any safe integer, lane a small integer, e.g. a column's position. */
export function stream(seed: number, lane: number): Stream {
  const low = mix(seed >>> 0);
  const high = mix(low ^ (Math.floor(seed / 2 ** 32) >>> 0));
  const first = mix(high + Math.imul(lane, 0x9e3779b9));
  return Int32Array.of(first, mix(first ^ 0x6a09e667));
}

/**
 * uint32 number `index` (0 … 2^53) of the stream. In hot loops call blockOf once and hashInBlock per row: comparing the
 * index with 2^32 costs four times the hash itself.
 */
export const hash32 = (keys: Stream, index: number): number => hashInBlock(blockOf(keys, index), index);

/** The keys for hashInBlock and the 2^32 indexes around `index`: they include its high half. */
export function blockOf(keys: Stream, index: number): Stream {
  const block = Math.floor(index / 2 ** 32);
  return block === 0 ? keys : Int32Array.of(keys[0]! ^ mix(block ^ keys[1]!), keys[1]!);
}

/**
 * hash32 from the low 32 bits of the index alone, 2 ns: the xor-shift-multiply finaliser of the hash-prospector project
 * ("lowbias32", 16-21f0aaad-15-d35a2d97-15, https://github.com/skeeto/hash-prospector) with a second key between its
 * rounds, so that no stream is another one shifted.
 */
export function hashInBlock(keys: Stream, index: number): number {
  let x = index ^ keys[0]!;
  x ^= x >>> 16;
  x = Math.imul(x, 0x21f0aaad);
  x ^= x >>> 15;
  x = Math.imul((x + keys[1]!) | 0, 0xd35a2d97 | 0);
  x ^= x >>> 15;
  return x >>> 0;
}

/** Maps a uint32 to 0 … n − 1 by multiplication (Lemire 2019); n ≤ 2^32. Bias below n / 2^32. */
export const below = (uint32: number, n: number): number => Math.floor(uint32 * 2 ** -32 * n);

/** Maps two uint32 to [0, 1) with 53 bits. */
export const toUnit = (high: number, low: number): number => ((high >>> 5) * 2 ** 26 + (low >>> 6)) * 2 ** -53;

function mix(value: number): number {
  let x = value | 0;
  x ^= x >>> 16;
  x = Math.imul(x, 0x21f0aaad);
  x ^= x >>> 15;
  x = Math.imul(x, 0xd35a2d97 | 0);
  x ^= x >>> 15;
  return x >>> 0;
}

/** Chris Doty-Humphrey's sfc32 (PractRand): 128 bits of state, period at least 2^32, passes BigCrush. */
export class Sfc32 {
  readonly #state = new Int32Array(4);

  constructor(seed: number, lane = 0) {
    const key = stream(seed, lane);
    this.#state.set([hash32(key, 0), hash32(key, 1), hash32(key, 2), 1]);
    for (let round = 0; round < 12; round++) this.uint32();
  }

  uint32(): number {
    const state = this.#state;
    const b = state[1]!;
    const c = state[2]!;
    const counter = state[3]!;
    const result = (((state[0]! + b) | 0) + counter) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + result) | 0;
    state[3] = (counter + 1) | 0;
    return result >>> 0;
  }

  /** [0, 1) with 53 bits. */
  unit(): number {
    return toUnit(this.uint32(), this.uint32());
  }

  /** 0 … n − 1, for n up to 2^53. */
  below(n: number): number {
    return n <= 2 ** 32 ? below(this.uint32(), n) : Math.floor(this.unit() * n);
  }
}
