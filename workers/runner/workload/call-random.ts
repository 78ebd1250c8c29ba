import { below, hash32, hashInBlock, type Stream, stream, toUnit } from '#stats/random/random.ts';

/** The random numbers of calls: a pure function of (seed, lane, call, index), the same for repeated calls. */
export class CallRandom {
  readonly #stream: Stream;
  readonly #keys = new Int32Array(2);
  #index = 0;

  constructor(seed: number, lane: number) {
    this.#stream = stream(seed, lane);
  }

  /** Begins with the first number of a call, 0 … 2^52. */
  begin(call: number): void {
    this.#keys[0] = hash32(this.#stream, 2 * call);
    this.#keys[1] = hash32(this.#stream, 2 * call + 1);
    this.#index = 0;
  }

  uint32(): number {
    return hashInBlock(this.#keys, this.#index++);
  }

  /** Draws from [0, 1), with 53 bits. */
  unit(): number {
    return toUnit(this.uint32(), this.uint32());
  }

  /** Draws from 0 … n − 1, for n up to 2^53. */
  below(n: number): number {
    return n <= 2 ** 32 ? below(this.uint32(), n) : Math.floor(this.unit() * n);
  }
}
