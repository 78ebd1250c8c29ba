import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { normal } from '../random/samples.fixture.ts';
import { solve } from './linear-system.ts';
import { fitUsl, regressUsl, throughputAt } from './usl.ts';

/**
 * SPEC SDM91 on a SPARCcenter 2000, scripts/hour by concurrent users, a data set of the USL literature (R package usl,
 * specsdm91).
 */
const specSdm91 = (
  [
    [1, 64.9],
    [18, 995.9],
    [36, 1652.4],
    [72, 1853.2],
    [108, 1828.9],
    [144, 1775.0],
    [216, 1702.2],
  ] as const
).map(([load, throughput]) => ({ load, throughput }));

describe('the Universal Scalability Law on published data', () => {
  it('regression with the measured throughput of one user gives the published σ and κ', () => {
    const { sigma, kappa } = regressUsl(specSdm91, 64.9)!;
    expect(sigma).toBeCloseTo(0.0171, 3);
    expect(kappa).toBeCloseTo(7.89e-5, 7);
  });

  it('least squares with a free scale gives what the R package usl 3 prints', () => {
    const { fit } = fitUsl(specSdm91)!;
    expect(fit.sigma).toBeCloseTo(0.0277285, 6);
    expect(fit.kappa).toBeCloseTo(0.0001044, 7);
    expect(fit.lambda).toBeCloseTo(89.995233, 4);
    expect(fit.peak!.load.value).toBeCloseTo(96.52, 2);
    for (const { low, value, high } of Object.values(fit.intervals)) {
      expect(low!).toBeLessThanOrEqual(value);
      expect(high!).toBeGreaterThanOrEqual(value);
      expect(high! - low!).toBeGreaterThan(0);
    }
  });
});

describe('fitUsl', () => {
  const loads = [1, 2, 4, 8, 16, 32, 64];
  const curve = fc.record({
    lambda: fc.double({ min: 1, max: 1e5, noNaN: true }),
    sigma: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
    kappa: fc.double({ min: 1e-5, max: 0.01, noNaN: true }),
  });

  it('finds the coefficients of every exact curve', () => {
    fc.assert(
      fc.property(curve, (truth) => {
        const points = loads.map((load) => ({ load, throughput: throughputAt(truth, load) }));
        const { fit } = fitUsl(points)!;
        expect(fit.lambda / truth.lambda).toBeCloseTo(1, 6);
        expect(fit.sigma / truth.sigma).toBeCloseTo(1, 4);
        expect(fit.kappa / truth.kappa).toBeCloseTo(1, 4);
        expect(fit.r2).toBeCloseTo(1, 9);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it('is no worse than any neighbour on noisy curves: a minimum', () => {
    fc.assert(
      fc.property(curve, fc.integer({ min: 1, max: 1e6 }), (truth, seed) => {
        const random = new Sfc32(seed);
        const points = loads.map((load) => ({
          load,
          throughput: throughputAt(truth, load) * Math.exp(0.05 * normal(random)),
        }));
        const { fit } = fitUsl(points)!;
        const error = (one: typeof truth) =>
          points.reduce((sum, { load, throughput }) => sum + (throughput - throughputAt(one, load)) ** 2, 0);
        const least = error(fit);
        for (const factor of [0.99, 1.01])
          for (const name of ['lambda', 'sigma', 'kappa'] as const)
            expect(error({ ...fit, [name]: fit[name] * factor })).toBeGreaterThanOrEqual(least * (1 - 1e-9));
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  it.each([
    ['contention and coherency', { lambda: 1_000, sigma: 0.03, kappa: 0.001 }],
    ['contention alone', { lambda: 1_000, sigma: 0.05, kappa: 0 }],
    ['coherency alone', { lambda: 1_000, sigma: 0, kappa: 0.0005 }],
    ['neither', { lambda: 1_000, sigma: 0, kappa: 0 }],
  ])('has intervals that hold the truth in 95 of 100 experiments: %s', (_, truth) => {
    const experiments = 200;
    for (const repeats of [1, 3]) {
      const random = new Sfc32(3 + repeats);
      const held = { lambda: 0, sigma: 0, kappa: 0, peak: 0 };
      for (let i = 0; i < experiments; i++) {
        const points = loads.flatMap((load) =>
          Array.from({ length: repeats }, () => ({
            load,
            throughput: throughputAt(truth, load) * (1 + 0.03 * normal(random)),
          })),
        );
        const { intervals, peak } = fitUsl(points)!.fit;
        for (const name of ['lambda', 'sigma', 'kappa'] as const)
          if (intervals[name].low! <= truth[name] && truth[name] <= intervals[name].high!) held[name]++;
        const at = Math.sqrt((1 - truth.sigma) / truth.kappa);
        if (truth.kappa === 0 || (peak !== null && peak.load.low! <= at && at <= peak.load.high!)) held.peak++;
      }
      // 95 % of 200 less three standard errors.
      for (const count of Object.values(held)) expect(count).toBeGreaterThanOrEqual(181);
    }
  });

  it('has a band around the curve that holds the truth at most loads of most experiments', () => {
    const truth = { lambda: 1_000, sigma: 0.03, kappa: 0.001 };
    const random = new Sfc32(4);
    let covered = 0;
    for (let i = 0; i < 60; i++) {
      const points = loads.flatMap((load) =>
        [1, 2, 3].map(() => ({ load, throughput: throughputAt(truth, load) * (1 + 0.03 * normal(random)) })),
      );
      const { fit, curve } = fitUsl(points, () => [3, 24, 50])!;
      for (const { load, throughput } of curve) {
        expect(throughput.value).toBe(throughputAt(fit, load));
        const at = throughputAt(truth, load);
        if (throughput.low! <= at && at <= throughput.high!) covered++;
      }
    }
    expect(covered / 180).toBeGreaterThanOrEqual(0.88);
  });

  it('has no peak where nothing falls, and no knee where nothing bends', () => {
    const linear = loads.map((load) => ({ load, throughput: 100 * load }));
    expect(fitUsl(linear)!.fit).toMatchObject({ peak: null, knee: null });
    const flattening = loads.map((load) => ({
      load,
      throughput: throughputAt({ lambda: 10, sigma: 0.2, kappa: 0 }, load),
    }));
    expect(fitUsl(flattening)!.fit.knee).toBeCloseTo(5, 4);
  });

  it('refuses fewer than five loads, however many repeats, and what is not positive', () => {
    const four = [1, 1, 2, 2, 4, 4, 8, 8].map((load) => ({ load, throughput: load }));
    expect(fitUsl(four)).toBeNull();
    expect(fitUsl([...four, { load: 16, throughput: 0 }])).toBeNull();
  });
});

it('solve agrees with putting its answer in, and sees a singular system', () => {
  const number = fc.double({ min: -10, max: 10, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number, number, number), { minLength: 3, maxLength: 3 }), (rows) => {
      const matrix = rows.map(([a, b, c], i) => [a, b, c].map((one, j) => one + (i === j ? 40 : 0)));
      const right = rows.map(([, , , d]) => d);
      const found = solve(matrix, right)!;
      matrix.forEach((row, i) => {
        expect(row.reduce((sum, one, j) => sum + one * found[j]!, 0)).toBeCloseTo(right[i]!, 9);
      });
    }),
    { seed: 4 },
  );
  expect(
    solve(
      [
        [1, 2],
        [2, 4],
      ],
      [1, 2],
    ),
  ).toBeNull();
});
