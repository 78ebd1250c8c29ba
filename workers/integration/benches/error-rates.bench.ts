import { headlineClaims } from '#analysis/compare/headline-claims.ts';
import { madeCells } from '#analysis/compare/made-cells.fixture.ts';
import { meanRatios } from '#analysis/compare/mean-ratios.ts';
import { fitUsl, throughputAt } from '#stats/fits/usl.ts';
import { betweenRuns } from '#stats/intervals/between-runs.ts';
import { compareMeans, isDifference } from '#stats/intervals/compare-means.ts';
import { levelOfEach } from '#stats/intervals/intervals.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { autoregressive, normal, throughput } from '#stats/random/samples.fixture.ts';
import { correlatedMeanInterval } from '#stats/series/autocorrelation.ts';
import { findSteps } from '#stats/series/change-points.ts';
import { findSteadyState } from '#stats/series/steady-state.ts';
import { rate, row } from './error-rate.fixture.ts';

/**
 * Simulates how often claims are wrong and how often intervals contain the truth, for the tables of docs/statistics.md.
 * Each rate has its 95 % interval (Wilson 1927).
 */

row('headlines of equal cells claim something', '3 repeats', '5 repeats');
for (const [variants, targets] of [
  [2, 1],
  [3, 1],
  [2, 2],
  [3, 3],
  [2, 6],
  [10, 4],
] as const)
  row(
    `${variants} × ${targets}`,
    ...[3, 5].map((repeats) => {
      const random = new Sfc32(variants * 100 + targets * 10 + repeats);
      // Cells with different scatter, as in real runs.
      const cv = (variant: number, target: number) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!;
      return rate(500, () => {
        const model = madeCells(random, { variants, targets, repeats, cv });
        const { lead, certain } = headlineClaims(model, { variant: 'v0' });
        return lead!.certainty === 'certain' || certain.size > 0;
      });
    }),
  );

/** Runs of targets whose speeds and scatter are known; several variants share the peak of a target. */
const ofTargets = (random: Sfc32, variants: number, speeds: readonly number[], repeats: number) =>
  headlineClaims(
    madeCells(random, {
      ...{ variants, targets: speeds.length, repeats },
      rate: (variant, target) => 1_000 * speeds[target]! * Math.min(3, variant + 1),
      cv: (variant, target) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!,
    }),
    { target: 't0' },
  );
const speedsOf = {
  '1 × 2, equal': [1, [1, 1]],
  '1 × 4, equal': [1, [1, 1, 1, 1]],
  '6 × 2, equal': [6, [1, 1]],
  '6 × 2, 5 % apart': [6, [1, 1.05]],
  '3 × 3, equal': [3, [1, 1, 1]],
  '10 × 4, equal': [10, [1, 1, 1, 1]],
  '10 × 4, two equal': [10, [1, 1.2, 1.2, 0.8]],
} as const satisfies Record<string, readonly [variants: number, speeds: readonly number[]]>;

row('headlines that compare targets claim a difference between equals', '3 repeats', '5 repeats');
for (const [name, [variants, speeds]] of Object.entries(speedsOf))
  row(
    name,
    ...[3, 5].map((repeats) => {
      const random = new Sfc32(variants * 100 + speeds.length * 10 + repeats);
      const speedOf = (target: string) => speeds[Number(target.slice(1))]!;
      return rate(500, () => {
        const { best, certain } = ofTargets(random, variants, speeds, repeats);
        const isWrong = best!.others.some(
          ({ best: { target }, verdict }) => verdict === 'faster' && speedOf(target) >= speedOf(best!.fastest.target),
        );
        return (
          isWrong ||
          [...certain].some(
            (key) => speedOf((JSON.parse(key) as [variant: string, target: string])[1]) === speedOf('t0'),
          )
        );
      });
    }),
  );

row('the interval of the best of a target against the best of another misses the truth', '3 repeats', '5 repeats');
for (const [name, [variants, speeds]] of Object.entries(speedsOf))
  row(
    name,
    ...[3, 5].map((repeats) => {
      const random = new Sfc32(variants * 100 + speeds.length * 10 + repeats + 1);
      const speedOf = (target: string) => speeds[Number(target.slice(1))]!;
      return rate(500, () => {
        const { fastest, others } = ofTargets(random, variants, speeds, repeats).best!;
        return others.some(({ best: { target }, ratio: { low, high } }) => {
          const truth = speedOf(fastest.target) / speedOf(target);
          return truth < low! || truth > high!;
        });
      });
    }),
  );

row('means over the variants of equal cells claim something', '3 repeats', '5 repeats');
for (const [variants, targets] of [
  [2, 2],
  [3, 3],
  [2, 6],
  [10, 4],
] as const)
  row(
    `${variants} × ${targets}`,
    ...[3, 5].map((repeats) => {
      const random = new Sfc32(variants * 100 + targets * 10 + repeats);
      const cv = (variant: number, target: number) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!;
      return rate(500, () =>
        meanRatios(madeCells(random, { variants, targets, repeats, cv }), { target: 't0' }).some(({ verdict }) =>
          isDifference(verdict),
        ),
      );
    }),
  );

row('a single difference of 10 % at scatter 5 % is found', '3 repeats', '5 repeats', '10 repeats');
row(
  'ratio of two cells',
  ...[3, 5, 10].map((repeats) => {
    const random = new Sfc32(repeats);
    return rate(1_000, () => {
      const [a, b] = [1_100, 1_000].map((mean) => throughput(random, repeats, 0.05, mean));
      return compareMeans(a!, b!)?.verdict === 'faster';
    });
  }),
);

row('identical runs that drift (5 % together, 3 % each cell), of which the last two are called different');
for (const earlier of [3, 4, 8])
  for (const cells of [1, 6, 30]) {
    const random = new Sfc32(earlier * 100 + cells);
    const claimed = rate(1_000, () => {
      const runs = Array.from({ length: earlier + 1 }, () => {
        const drift = 0.05 * normal(random);
        return Array.from({ length: cells }, () => Math.exp(drift + 0.03 * normal(random)));
      });
      const after = runs.at(-1)!;
      return after.some((value, cell) => {
        const means = runs.slice(0, -1).map((run) => run[cell]!);
        const bounds = betweenRuns(value / means.at(-1)!, means, levelOfEach(cells))!;
        return bounds.low > 1 || bounds.high < 1;
      });
    });
    row(`${earlier} earlier runs, ${cells} cells`, claimed);
  }

/** Cells with this number of repeats, each a series of seconds that scatter by 5 %. */
const seconds = (seed: number, length: number, repeats: number, rho: number, drift: number) => {
  const random = new Sfc32(seed);
  return Array.from({ length: repeats }, () =>
    autoregressive(random, length, rho).map(
      (noise, i) => 1_000 * (1 + drift / 2 - (drift * i) / (length - 1)) * (1 + 0.05 * noise),
    ),
  );
};
const shapes = [
  [20, 1],
  [20, 3],
  [29, 3],
  [40, 1],
  [40, 3],
  [120, 3],
] as const;
for (const [drift, title, rhos] of [
  [0, 'a flat cell is called unsteady, scatter 5 %', [0, 0.3, 0.6, 0.8]],
  [0.1, 'a drift of 10 % is found, scatter 5 %', [0, 0.3]],
] as const) {
  row(title, ...rhos.map((rho) => `ρ = ${rho}`));
  for (const [length, repeats] of shapes)
    row(
      `${length} s, ${repeats} ${repeats === 1 ? 'repeat' : 'repeats'}`,
      ...rhos.map((rho) =>
        rate(1_000, (seed) => findSteadyState(seconds(seed, length, repeats, rho, drift))?.steady === false),
      ),
    );
}

const correlations = [0, 0.4, 0.8, 0.9];
row('a change above 5 % claimed without one, scatter 4 %', ...correlations.map((rho) => `ρ = ${rho}`));
for (const length of [30, 60, 120])
  row(
    `${length} s`,
    ...correlations.map((rho) =>
      rate(200, (seed) =>
        findSteps(
          autoregressive(new Sfc32(seed), length, rho).map((noise) => 100 + 4 * noise),
          seed,
        ).some(({ before, after }) => Math.abs(after / before - 1) > 0.05),
      ),
    ),
  );

row('the interval of one trial holds its mean', ...correlations.map((rho) => `ρ = ${rho}`));
for (const length of [20, 30, 60, 120, 300])
  row(
    `${length} s`,
    ...correlations.map((rho) =>
      rate(1_000, (seed) => {
        const { low, high } = correlatedMeanInterval(autoregressive(new Sfc32(seed), length, rho, 50))!;
        return low! <= 50 && 50 <= high!;
      }),
    ),
  );

row('intervals of the scalability law hold the truth, scatter 3 %', 'λ', 'σ', 'κ');
for (const truth of [
  { lambda: 1_000, sigma: 0.03, kappa: 0.001 },
  { lambda: 1_000, sigma: 0.05, kappa: 0 },
  { lambda: 1_000, sigma: 0, kappa: 0.0005 },
  { lambda: 1_000, sigma: 0, kappa: 0 },
])
  for (const repeats of [1, 3])
    row(
      `σ ${truth.sigma}, κ ${truth.kappa}, n = ${repeats}`,
      ...(['lambda', 'sigma', 'kappa'] as const).map((name) => {
        const random = new Sfc32(7 * repeats);
        return rate(500, () => {
          const points = [1, 2, 4, 8, 16, 32, 64].flatMap((load) =>
            Array.from({ length: repeats }, () => ({
              load,
              throughput: throughputAt(truth, load) * (1 + 0.03 * normal(random)),
            })),
          );
          const { low, high } = fitUsl(points)!.fit.intervals[name];
          return low! <= truth[name] && truth[name] <= high!;
        });
      }),
    );
