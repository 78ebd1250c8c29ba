import { expect, it } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { Sfc32 } from '#stats/random.ts';
import { headlines } from './headlines.ts';

/** A run of equal variants on one target: elapsed times scatter by 5 %, and by nothing else. */
function equalVariants(count: number, repeats: number, random: Sfc32): RunModel {
  const ids = Array.from({ length: count }, (_, index) => `v${index}`);
  const cells = ids.map((variant) => ({ variant, target: 'T' }));
  const trials = cells.flatMap((trial) =>
    Array.from({ length: repeats }, () => {
      const noise = (random.unit() + random.unit() + random.unit() - 1.5) * 0.1;
      return {
        trial,
        result: { status: 'ok', elapsedMs: 1_000 * Math.exp(noise), totals: { rows: 1_000, calls: 1_000 } },
      };
    }),
  );
  const rateOf = (variant: string) => {
    const own = trials.filter(({ trial }) => trial.variant === variant);
    return own.reduce((sum, { result }) => sum + 1e6 / result.elapsedMs, 0) / own.length;
  };
  return {
    plan: {
      variants: ids.map((id) => ({ id, label: id, levels: {}, settings: defaultSettings })),
      targets: [{ name: 'T' }],
    },
    targets: [{ name: 'T', descriptor: {} }],
    cells: cells.map((cell) => ({
      ...cell,
      rowsPerSecond: { value: rateOf(cell.variant), low: null, high: null, n: repeats },
    })),
    trials,
    searches: [],
  } as unknown as RunModel; // the parts that headlines read
}

it('rarely claims that the best of equal variants beats the worst, although these two were picked', () => {
  const random = new Sfc32(7);
  const runs = 200;
  let [claims, highest] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const lines = headlines(equalVariants(8, 5, random), {}, 'rows/s');
    const last = lines.at(-1)!;
    if (lines[0]!.startsWith('Highest')) highest++;
    expect(last).toMatch(/^On T: .* for all 28 pairs[.;]/);
    if (!last.includes('no difference shown')) claims++;
  }
  expect(claims / runs).toBeLessThan(0.08);
  expect(highest / runs).toBeLessThan(0.08);
});

it('rarely claims anything of equal variants by telling the largest ratios to a baseline', () => {
  const random = new Sfc32(11);
  const runs = 200;
  let claims = 0;
  for (let run = 0; run < runs; run++) {
    const lines = headlines(equalVariants(16, 5, random), { variant: 'v0' }, 'rows/s');
    const told = lines.filter((line) => line.endsWith('the baseline.') || line.includes('and the baseline:'));
    expect(told).toHaveLength(5);
    expect(lines.some((line) => line.includes('all 15 comparisons'))).toBe(true);
    if (told.some((line) => line.includes('as fast as'))) claims++;
  }
  expect(claims / runs).toBeLessThan(0.08);
});

it('names a highest throughput only where it differs from all others', () => {
  /** Equal variants, but for those that are so many times as fast. */
  const first = (times: readonly number[], repeats = 5) => {
    const model = equalVariants(times.length, repeats, new Sfc32(3));
    const trials = model.trials.map(({ trial, result, ...rest }) => {
      const elapsedMs = result!.elapsedMs / times[Number(trial.variant.slice(1))]!;
      return { ...rest, trial, result: { ...result!, elapsedMs } };
    });
    const cells = model.cells.map((cell, i) => ({
      ...cell,
      rowsPerSecond: { ...cell.rowsPerSecond!, value: cell.rowsPerSecond!.value * times[i]! },
    }));
    return headlines({ ...model, trials, cells }, {}, 'rows/s')[0];
  };
  expect(first([1, 2, 1.5])).toMatch(/^Highest throughput: v1, .* rows\/s\.$/);
  expect(first([1, 2, 2])).toMatch(/^No highest throughput shown among v[12], .* rows\/s; v[12], .* rows\/s\.$/);
  expect(first([2, 2, 1, 2])).toMatch(/ rows\/s; and 1 more\.$/);
  expect(first([1, 2], 1)).toMatch(/^Highest throughput: v1, .*, with too few repeats for a verdict\.$/);
});

it('begins its sentences with a capital', () => {
  const lines = headlines(equalVariants(3, 5, new Sfc32(3)), { variant: 'v0' }, 'rows/s');
  expect(lines[1]).toMatch(/^No difference shown between /);
  expect(lines.some((line) => line.startsWith('These intervals hold for both comparisons'))).toBe(true);
});

it('begins the verdict of an only variant with a capital, too', () => {
  const one = equalVariants(1, 5, new Sfc32(3));
  const both = <T>(of: (target: string) => T): T[] => ['T', 'U'].map(of);
  const model = {
    ...one,
    plan: { ...one.plan, targets: both((name) => ({ ...one.plan.targets[0]!, name })) },
    targets: both((name) => ({ ...one.targets[0]!, name })),
    cells: both((target) => ({ ...one.cells[0]!, target })),
    trials: both((target) => one.trials.map((view) => ({ ...view, trial: { ...view.trial, target } }))).flat(),
  };
  expect(headlines(model, { target: 'T' }, 'rows/s')).toContainEqual(
    expect.stringMatching(/^No difference shown between U and T/),
  );
});
