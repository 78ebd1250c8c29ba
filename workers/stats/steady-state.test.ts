import { describe, expect, it } from 'vitest';
import { Sfc32 } from './random.ts';
import { normal } from './samples.fixture.ts';
import { findSteadyState } from './steady-state.ts';

/** `n` seconds of `rate` per second with 3 % noise. */
const seconds = (n: number, rate: (second: number) => number, seed = 1) => {
  const random = new Sfc32(seed);
  return Array.from({ length: n }, (_, i) => rate(i) * (1 + 0.03 * normal(random)));
};

describe('findSteadyState', () => {
  it('cuts a slow start off, and nearly always not much more', () => {
    const found = Array.from({ length: 40 }, (_, seed) =>
      findSteadyState(seconds(120, (i) => (i < 15 ? 300 + 45 * i : 1_000), seed)),
    );
    for (const one of found) expect(one!.from).toBeGreaterThanOrEqual(10);
    expect(found.filter((one) => one!.steady && one!.from <= 45).length).toBeGreaterThanOrEqual(36);
  });

  it('leaves most of a flat series', () => {
    let cut = 0;
    for (let seed = 0; seed < 40; seed++) cut += findSteadyState(seconds(100, () => 1_000, seed))!.from;
    expect(cut / 40).toBeLessThan(20);
  });

  it('calls a flat series unsteady about as seldom as it says', () => {
    let wrong = 0;
    for (let seed = 0; seed < 200; seed++) if (!findSteadyState(seconds(60, () => 1_000, seed))!.steady) wrong++;
    expect(wrong / 200).toBeLessThan(0.1);
  });

  it('sees that throughput decays all the time', () => {
    for (let seed = 0; seed < 20; seed++)
      expect(findSteadyState(seconds(120, (i) => 1_000 * Math.exp(-i / 100), seed))!.steady).toBe(false);
  });

  it('says nothing of fewer than twenty values', () => {
    expect(findSteadyState(seconds(19, () => 1))).toBeNull();
  });
});
