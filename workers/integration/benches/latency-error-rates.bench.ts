import { headlineClaims } from '#analysis/compare/headline-claims.ts';
import { madeTimes } from '#analysis/compare/made-times.fixture.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { rate, row } from './error-rate.fixture.ts';

/**
 * Simulates how often headlines about times claim a difference between equals, and how often they find one that is
 * there, for the tables of docs/statistics.md. Calls have a Pareto tail without a variance, and follow each other with
 * a correlation of 0.9; trials scatter as a whole by 1, 3 and 10 %. Each rate has its 95 % interval (Wilson 1927).
 */

const cv = (variant: number, target: number) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!;
const claimsOf = (model: ReturnType<typeof madeTimes>, baseline: Baseline) =>
  headlineClaims(model, baseline).latency!.certain;

row('headlines about times of equal cells claim something (variants × targets × statements)', '3 repeats', '5 repeats');
for (const [variants, targets, statements, runs] of [
  [2, 1, 1, 1_000],
  [1, 2, 1, 1_000],
  [2, 1, 8, 400],
  [3, 3, 3, 300],
  [2, 6, 4, 200],
  [10, 4, 8, 60],
] as const)
  row(
    `${variants} × ${targets} × ${statements}`,
    ...[3, 5].map((repeats) => {
      const random = new Sfc32(variants * 1_000 + targets * 100 + statements * 10 + repeats);
      return rate(runs, () => {
        const model = madeTimes(random, { variants, targets, statements, repeats, cv });
        return claimsOf(model, targets === 1 ? { variant: 'v0' } : { target: 't0' }).size > 0;
      });
    }),
  );

row(
  'one of eight statements is slower on one of two targets, and the headline names it',
  '3 repeats',
  '5 repeats',
  '10 repeats',
);
for (const correlation of [0, 0.9])
  for (const factor of [1.2, 1.5, 2, 3])
    row(
      `${factor} ×, correlation ${correlation}`,
      ...[3, 5, 10].map((repeats) => {
        const random = new Sfc32(factor * 100 + repeats);
        return rate(100, () => {
          const model = madeTimes(random, {
            ...{ variants: 1, targets: 2, statements: 8, repeats, correlation, cv: () => 0.03 },
            ms: (_, target, statement) => (target === 1 && statement === 3 ? 10 * factor : 10),
          });
          return [...claimsOf(model, { target: 't0' })].some(({ work }) => work === 's3');
        });
      }),
    );
