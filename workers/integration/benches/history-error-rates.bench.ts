import { Sfc32 } from '#stats/random/random.ts';
import { autoregressive, normal } from '#stats/random/samples.fixture.ts';
import { findLevelChanges, type LevelSeries } from '#stats/series/level-changes.ts';
import { madeHistories } from '#stats/series/made-histories.fixture.ts';
import { rate, row } from './error-rate.fixture.ts';

/**
 * Simulates how often a history without a change has one claimed in any of its series, and how often a step is found,
 * for the tables of docs/statistics.md.
 */

const series = (values: readonly number[]): LevelSeries => ({
  values,
  leastError: 0.005,
  leastChange: Math.log1p(0.01),
});
const claims = (all: readonly LevelSeries[]) => findLevelChanges(all).some((found) => found.length > 0);

const counts = [1, 10] as const;
const noises = {
  'normal, 3 %': (random: Sfc32, runs: number) => Array.from({ length: runs }, () => 0.03 * normal(random)),
  'one run in ten off by 10 to 30 %': (random: Sfc32, runs: number) =>
    Array.from(
      { length: runs },
      () => 0.03 * normal(random) - (random.below(10) === 0 ? 0.1 + 0.2 * random.unit() : 0),
    ),
  'correlation 0.3 from run to run': (random: Sfc32, runs: number) =>
    autoregressive(random, runs, 0.3).map((one) => 0.03 * one),
  'correlation 0.6 from run to run': (random: Sfc32, runs: number) =>
    autoregressive(random, runs, 0.6).map((one) => 0.03 * one),
} as const;

for (const [name, noise] of Object.entries(noises)) {
  row(`histories without a change claim one: ${name}`, ...counts.map((count) => `${count} series`));
  for (const runs of [5, 8, 10, 15, 30, 60])
    row(
      `${runs} runs`,
      ...counts.map((count) => {
        const random = new Sfc32(runs * 100 + count);
        return rate(runs > 40 ? 200 : 1_000, () =>
          claims(Array.from({ length: count }, () => series(noise(random, runs)))),
        );
      }),
    );
}

row(
  'half of the series share the scatter of the machine (3 % together, 1 % alone)',
  ...counts.map((count) => `${count} series`),
);
for (const runs of [8, 15])
  row(
    `${runs} runs`,
    ...counts.map((count) => {
      const random = new Sfc32(runs * 1_000 + count);
      return rate(300, () => {
        const shared = noises['normal, 3 %'](random, runs);
        const own = () => shared.map((one) => one + 0.01 * normal(random));
        return claims(Array.from({ length: count }, () => series(own())));
      });
    }),
  );

const sizes = [0.05, 0.1, 0.2, 0.5] as const;
for (const [cv, count] of [
  [0.01, 10],
  [0.03, 1],
  [0.03, 10],
] as const) {
  row(
    `a step in the middle is found, runs scatter by ${cv * 100} %, ${count} series`,
    ...sizes.map((size) => `${size * 100} %`),
  );
  for (const runs of [5, 6, 8, 10, 15, 30])
    row(
      `${runs} runs`,
      ...sizes.map((size) => {
        const random = new Sfc32(runs * 100 + size * 1_000 + cv * 10_000);
        const at = Math.floor(runs / 2);
        const still = () => Array.from({ length: runs }, () => cv * normal(random));
        return rate(300, () => {
          const stepped = still().map((one, run) => one + (run >= at ? Math.log1p(size) : 0));
          const all = [stepped, ...Array.from({ length: count - 1 }, still)];
          return findLevelChanges(all.map(series))[0]!.some((found) => Math.abs(found.at - at) <= 1);
        });
      }),
    );
}

row('the last two runs are 20 % slower, runs scatter by 3 %', ...counts.map((count) => `${count} series`));
for (const runs of [6, 8, 10, 15, 30])
  row(
    `${runs} runs`,
    ...counts.map((count) => {
      const random = new Sfc32(runs * 10 + count);
      return rate(300, () => {
        const still = () => Array.from({ length: runs }, () => 0.03 * normal(random));
        const stepped = still().map((one, run) => one + (run >= runs - 2 ? Math.log(0.8) : 0));
        const all = [stepped, ...Array.from({ length: count - 1 }, still)];
        return findLevelChanges(all.map(series))[0]!.some(({ at }) => at === runs - 2);
      });
    }),
  );

const found = madeHistories().map(({ values, steps }) => ({
  steps,
  at: findLevelChanges([series(values.map(Math.log))])[0]!.map(({ at }) => at),
}));
const near = (a: number, all: readonly number[]) => all.some((b) => Math.abs(a - b) <= 1);
const steps = found.flatMap((one) => one.steps.map(({ at, ratio }) => ({ ratio, hit: near(at, one.at) })));
const elsewhere = found.flatMap((one) =>
  one.at.filter(
    (at) =>
      !near(
        at,
        one.steps.map((step) => step.at),
      ),
  ),
);
row(
  'the 50 made-up histories',
  `${steps.filter(({ hit }) => hit).length} of ${steps.length} steps found within one run`,
  `${elsewhere.length} claims elsewhere`,
);
