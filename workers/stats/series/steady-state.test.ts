import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { autoregressive, normal } from '../random/samples.fixture.ts';
import { findSteadyState } from './steady-state.ts';

/** `n` seconds of `rate` per second with 3 % noise. */
const seconds = (n: number, rate: (second: number) => number, seed = 1) => {
  const random = new Sfc32(seed);
  return Array.from({ length: n }, (_, i) => rate(i) * (1 + 0.03 * normal(random)));
};

describe('findSteadyState', () => {
  it('cuts a slow start off, and nearly always not much more', () => {
    const found = Array.from({ length: 40 }, (_, seed) =>
      findSteadyState([seconds(120, (i) => (i < 15 ? 300 + 45 * i : 1_000), seed)]),
    );
    for (const one of found) if (one) expect(one.from[0]).toBeGreaterThanOrEqual(10);
    expect(found.filter((one) => one?.steady && one.from[0]! <= 45).length).toBeGreaterThanOrEqual(36);
  });

  it.each([
    [20, 1],
    [24, 3],
    [29, 3],
    [40, 5],
    [120, 3],
  ])('calls less than 5 in 100 flat cells unsteady: %i seconds, %i repeats', (n, repeats) => {
    let wrong = 0;
    for (let seed = 0; seed < 300; seed++) {
      const cell = Array.from({ length: repeats }, (_, repeat) => seconds(n, () => 1_000, seed * 10 + repeat));
      const found = findSteadyState(cell)!;
      if (!found.steady) wrong++;
    }
    expect(wrong / 300).toBeLessThan(0.05);
  });

  it.each([
    [20, 1, 0.3],
    [20, 3, 0.6],
    [29, 1, 0.6],
    [40, 1, 0.8],
    [40, 3, 0.8],
  ])('nor of flat cells whose seconds are correlated: %i seconds, %i repeats, correlation %f', (n, repeats, rho) => {
    let wrong = 0;
    for (let seed = 0; seed < 400; seed++) {
      const random = new Sfc32(seed);
      const cell = Array.from({ length: repeats }, () =>
        autoregressive(random, n, rho).map((noise) => 1_000 + 50 * noise),
      );
      if (findSteadyState(cell)?.steady === false) wrong++;
    }
    // 5 % of 400 and two standard errors.
    expect(wrong).toBeLessThanOrEqual(28);
  });

  it('finds a drift of 10 % over the trial in 80 % of cells or more, at a scatter of 5 %', () => {
    for (const [n, repeats] of [
      [20, 3],
      [40, 1],
      [60, 3],
    ] as const) {
      let found = 0;
      for (let seed = 0; seed < 100; seed++) {
        const random = new Sfc32(seed);
        const cell = Array.from({ length: repeats }, () =>
          Array.from({ length: n }, (_, i) => 1_000 * (1.05 - (0.1 * i) / (n - 1)) * (1 + 0.05 * normal(random))),
        );
        if (!findSteadyState(cell)!.steady) found++;
      }
      expect(found).toBeGreaterThanOrEqual(80);
    }
  });

  it('sees that throughput decays all the time', () => {
    for (let seed = 0; seed < 20; seed++)
      expect(findSteadyState([seconds(120, (i) => 1_000 * Math.exp(-i / 100), seed)])!.steady).toBe(false);
  });

  it('says nothing of fewer than twenty values', () => {
    expect(findSteadyState([seconds(19, () => 1)])).toBeNull();
    expect(findSteadyState([])).toBeNull();
  });
});
