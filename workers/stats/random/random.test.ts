import { describe, expect, it } from 'vitest';
import { below, blockOf, hash32, hashInBlock, Sfc32, stream } from './random.ts';
import { createZipf } from './zipf.ts';

/** Chi-square statistic as a z-score (Wilson–Hilferty): values beyond ±4 are no accident. */
function chiSquareZ(observed: ArrayLike<number>, expected: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < observed.length; i++) sum += (observed[i]! - expected(i)) ** 2 / expected(i);
  const df = observed.length - 1;
  return (Math.cbrt(sum / df) - (1 - 2 / (9 * df))) / Math.sqrt(2 / (9 * df));
}

function uniformZ(n: number, cells: number, next: (i: number) => number): number {
  const seen = new Float64Array(cells);
  for (let i = 0; i < n; i++) seen[next(i)]!++;
  return Math.abs(chiSquareZ(seen, () => n / cells));
}

describe('hash32', () => {
  const n = 400_000;

  it('is uniform in its high bits, its low bits and its middle, for neighbouring seeds and lanes', () => {
    for (const seed of [0, 1, 2, 12_345_678_901])
      for (const lane of [0, 1, 2]) {
        const key = stream(seed, lane);
        expect(uniformZ(n, 1_024, (i) => hash32(key, i) >>> 22)).toBeLessThan(4);
        expect(uniformZ(n, 1_024, (i) => hash32(key, i) & 1_023)).toBeLessThan(4);
        expect(uniformZ(n, 1_000, (i) => below(hash32(key, i), 1_000))).toBeLessThan(4);
      }
  });

  it('leaves neighbouring rows, lanes and seeds independent', () => {
    const pairs = (a: (i: number) => number, b: (i: number) => number) =>
      uniformZ(n, 1_024, (i) => ((a(i) >>> 27) << 5) | (b(i) >>> 27));
    const base = stream(1, 0);
    expect(
      pairs(
        (i) => hash32(base, i),
        (i) => hash32(base, i + 1),
      ),
    ).toBeLessThan(4);
    expect(
      pairs(
        (i) => hash32(base, i),
        (i) => hash32(stream(1, 1), i),
      ),
    ).toBeLessThan(4);
    expect(
      pairs(
        (i) => hash32(base, i),
        (i) => hash32(stream(2, 0), i),
      ),
    ).toBeLessThan(4);
  });

  it('flips every output bit half of the time when one input bit changes', () => {
    const key = stream(7, 3);
    for (let bit = 0; bit < 34; bit++) {
      const flips = new Float64Array(32);
      for (let i = 0; i < 4_000; i++) {
        const difference = hash32(key, i * 2_654_435) ^ hash32(key, flip(i * 2_654_435, bit));
        for (let out = 0; out < 32; out++) flips[out]! += (difference >>> out) & 1;
      }
      for (const flipped of flips) expect(Math.abs(flipped / 4_000 - 0.5)).toBeLessThan(0.06);
    }
  });

  it('goes on beyond 4 billion rows without repeating', () => {
    const key = stream(1, 0);
    expect(hash32(key, 2 ** 32 + 5)).not.toBe(hash32(key, 5));
    expect(uniformZ(n, 1_024, (i) => hash32(key, 2 ** 33 + i) >>> 22)).toBeLessThan(4);
    expect(hashInBlock(blockOf(key, 2 ** 33), 2 ** 33 + 17)).toBe(hash32(key, 2 ** 33 + 17));
  });

  it('stays what it is: values that files of old runs depend on', () => {
    const of = (seed: number, index: number, lane: number) => hash32(stream(seed, lane), index);
    expect([of(1, 0, 0), of(1, 1, 0), of(2, 0, 0), of(1, 0, 1)]).toMatchInlineSnapshot(`
      [
        1380790708,
        1415983126,
        918570111,
        1928353181,
      ]
    `);
  });
});

const flip = (value: number, bit: number) =>
  Math.floor(value / 2 ** bit) % 2 === 1 ? value - 2 ** bit : value + 2 ** bit;

describe('Sfc32', () => {
  it('is uniform and repeats from its seed', () => {
    const a = new Sfc32(42);
    expect(uniformZ(400_000, 1_024, () => a.below(1_024))).toBeLessThan(4);
    const [b, c, d] = [new Sfc32(42), new Sfc32(42), new Sfc32(43)];
    const take = (random: Sfc32) => Array.from({ length: 8 }, () => random.uint32());
    const first = take(b);
    expect(take(c)).toEqual(first);
    expect(take(d)).not.toEqual(first);
  });

  it('reaches numbers beyond 32 bits', () => {
    const random = new Sfc32(1);
    const values = Array.from({ length: 10_000 }, () => random.below(1e10));
    expect(Math.max(...values)).toBeGreaterThan(9.9e9);
    expect(values.every((value) => Number.isInteger(value) && value < 1e10)).toBe(true);
  });
});

describe('createZipf', () => {
  it.each([0.5, 0.99, 1, 1.5])('has the probabilities 1 / rank^s for s = %f', (exponent) => {
    const n = 200;
    const draws = 300_000;
    const zipf = createZipf(n, exponent);
    const random = new Sfc32(5);
    const seen = new Float64Array(n);
    for (let i = 0; i < draws; i++) seen[zipf.sample(() => random.unit())]!++;
    let total = 0;
    for (let rank = 1; rank <= n; rank++) total += rank ** -exponent;
    expect(Math.abs(chiSquareZ(seen, (i) => (draws * (i + 1) ** -exponent) / total))).toBeLessThan(4);
  });

  it('stays in range with ten billion ranks, and with one', () => {
    const random = new Sfc32(6);
    const unit = () => random.unit();
    const many = createZipf(1e10);
    for (let i = 0; i < 20_000; i++) {
      const rank = many.sample(unit);
      expect(Number.isInteger(rank) && rank >= 0 && rank < 1e10).toBe(true);
    }
    expect(createZipf(1).sample(unit)).toBe(0);
  });
});
