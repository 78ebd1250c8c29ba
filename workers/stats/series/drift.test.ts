import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { autoregressive } from '../random/samples.fixture.ts';
import { commonDrift } from './drift.ts';

/** Seconds of `repeats` trials around 1,000 per second, with scatter `cv` and a change from beginning to end. */
function cell(seed: number, n: number, repeats: number, { change = 0, cv = 0.05, rho = 0 } = {}): number[][] {
  const random = new Sfc32(seed);
  return Array.from({ length: repeats }, () =>
    autoregressive(random, n, rho).map((noise, i) => 1_000 * (1 + cv * noise) * (1 + change * (i / (n - 1) - 0.5))),
  );
}

describe('commonDrift', () => {
  it('measures a line exactly, over all series together', () => {
    const line = Array.from({ length: 30 }, (_, i) => 100 - i);
    const drift = commonDrift([line, line.map((value) => value * 7)], 0.95)!;
    expect(drift.ratio).toBeCloseTo(71 / 100, 10);
    expect(drift.low).toBeCloseTo(drift.ratio, 10);
    expect(drift.high).toBeCloseTo(drift.ratio, 10);
  });

  it('averages long series, and finds the same', () => {
    const line = Array.from({ length: 1_205 }, (_, i) => 1_205 - i / 2);
    expect(commonDrift([line], 0.95)!.ratio).toBeCloseTo(0.5, 1);
  });

  it.each([
    [20, 1, 0],
    [20, 3, 0],
    [25, 3, 0.3],
    [28, 5, 0.6],
    [40, 3, 0.3],
    [60, 1, 0.3],
    [120, 3, 0.6],
  ])('holds flat within its interval: %i seconds, %i repeats, correlation %f', (n, repeats, rho) => {
    let missed = 0;
    for (let seed = 0; seed < 300; seed++) {
      const { low, high } = commonDrift(cell(seed, n, repeats, { rho }), 0.975)!;
      if (low > 1 || high < 1) missed++;
    }
    // 2.5 % is promised; 300 cells scatter by another 1 %.
    expect(missed / 300).toBeLessThan(0.05);
  });

  it('says nothing of too few values, or of a rate of zero', () => {
    expect(commonDrift([], 0.95)).toBeNull();
    expect(commonDrift([[1, 2, 3]], 0.95)).toBeNull();
    expect(commonDrift([[0, 0, 0, 0]], 0.95)).toBeNull();
  });

  it('says that a rate which grows from nothing has no ratio', () => {
    expect(commonDrift([[0, 0, 0, 0, 0, 0, 0, 9, 10]], 0.95)!.ratio).toBe(Number.POSITIVE_INFINITY);
  });
});
