import { describe, expect, it } from 'vitest';
import type { Prices } from '#experiment/schema/prices.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { compareMeans } from '#stats/intervals/compare-means.ts';
import { positiveMeanInterval } from '#stats/intervals/intervals.ts';
import { Sfc32 } from '#stats/random/random.ts';
import type { Interval, LoadSummary, RunModel } from '../run-model/run-model.ts';
import { ratios } from './compare.ts';
import { costs } from './costs.ts';
import { headlineClaims } from './headline-claims.ts';
import { type MadeCells, madeCells } from './made-cells.fixture.ts';

const baseline = { target: 't0' };

/** Made-up cells with these prices, and with the intervals that a run has. */
function pricedCells(random: Sfc32, made: MadeCells, perHour: Prices['perHour']): RunModel {
  const run = madeCells(random, made);
  return {
    ...run,
    plan: { ...run.plan, experiment: { ...run.plan.experiment, prices: { perHour } } },
    cells: run.cells.map((cell) => ({
      ...cell,
      rowsPerSecond: positiveMeanInterval(ratesOf(run, cell.target, cell.variant)),
    })),
  };
}

const ratesOf = ({ trials }: RunModel, target: string, variant = 'v0'): readonly number[] =>
  trials.flatMap(({ trial, result }) =>
    trial.target === target && trial.variant === variant && result ? [throughputOf(result)] : [],
  );

const close = (found: Interval | undefined, wanted: Interval | null | undefined): void => {
  for (const part of ['value', 'low', 'high'] as const) expect(found![part]! / wanted![part]!, part).toBeCloseTo(1, 9);
};

describe('costs', () => {
  it.each([2, 3, 5, 8])('are those of each repeat for itself, with %i repeats', (repeats) => {
    const random = new Sfc32(3);
    for (let run = 0; run < 20; run++) {
      const prices = { t0: 0.1 + random.unit(), t1: 0.1 + 3 * random.unit() };
      const rate = (_: number, target: number) => (target === 0 ? 1_000 : 700 + 900 * random.unit());
      const model = pricedCells(random, { variants: 1, targets: 2, repeats, rate }, prices);
      // The slow way: the operations that each repeat completes for one unit of money.
      const money = (target: 't0' | 't1') => ratesOf(model, target).map((own) => (own * 3_600) / prices[target]);
      const [first, second] = costs(model, baseline);
      close(first!.perMoney, positiveMeanInterval(money('t0')));
      close(second!.perMoney, positiveMeanInterval(money('t1')));
      expect(second!.perMillion.value * second!.perMoney.value).toBeCloseTo(1e6, 3);
      expect(second!.perMillion.low! * second!.perMoney.high!).toBeCloseTo(1e6, 3);
      const slow = compareMeans(money('t1'), money('t0'))!;
      close(second!.ratio!.ratio, slow.ratio);
      expect(second!.ratio!.verdict).toBe(slow.verdict);
      expect(first!.ratio!.verdict).toBe('baseline');
    }
  });

  it('have the ratios of the throughputs where all prices are equal', () => {
    const model = pricedCells(new Sfc32(5), { variants: 3, targets: 2, repeats: 6 }, { t0: 1, t1: 1 });
    expect(costs(model, baseline).map(({ ratio }) => ratio)).toEqual(ratios(model, baseline));
  });

  it('have a value without bounds where there was one repeat', () => {
    const [only] = costs(pricedCells(new Sfc32(5), { variants: 1, targets: 1, repeats: 1 }, { t0: 3.6 }), {});
    expect(only).toMatchObject({ perHour: 3.6, perMillion: { low: null, high: null, n: 1 }, ratio: null });
    expect(only!.perMillion.value).toBeCloseTo(1e3 / only!.perMoney.value / 1e-3, 6);
  });

  it('of a slower and cheaper server are lower, with a verdict of their own', () => {
    const rate = (_: number, target: number) => (target === 0 ? 2_000 : 1_000);
    const made = { variants: 1, targets: 2, repeats: 5, rate, cv: () => 0.01 };
    const model = pricedCells(new Sfc32(7), made, { t0: 4, t1: 1 });
    expect(ratios(model, baseline)[1]!.verdict).toBe('slower');
    const [dear, cheap] = costs(model, baseline);
    expect(cheap!.ratio!.verdict).toBe('faster');
    expect(cheap!.ratio!.ratio.value).toBeCloseTo(2, 1);
    expect(cheap!.perMillion.high!).toBeLessThan(dear!.perMillion.low!);
    const { best, cheapest } = headlineClaims(model, baseline);
    expect([best!.fastest.target, cheapest!.fastest.target]).toEqual(['t0', 't1']);
    expect(cheapest!.others[0]!.verdict).toBe('faster');
    expect(cheapest!.others[0]!.ratio.value).toBeCloseTo(2, 1);
  });

  it('are left out without prices, and on targets without a price, which no ratio refers to', () => {
    const made = { variants: 1, targets: 2, repeats: 5 };
    expect(costs(pricedCells(new Sfc32(1), made, {}), baseline)).toEqual([]);
    const model = pricedCells(new Sfc32(1), made, { t1: 2 });
    expect(costs(model, baseline)).toMatchObject([{ target: 't1', perHour: 2, ratio: null }]);
    const { cheapest } = headlineClaims(model, baseline);
    expect(cheapest!.fastest.target).toBe('t1');
    expect(cheapest!.others).toEqual([]);
  });

  it('are set by the load where the load set the throughput, whatever the prices', () => {
    const made = pricedCells(new Sfc32(1), { variants: 1, targets: 2, repeats: 5, cv: () => 0.01 }, { t0: 4, t1: 1 });
    const load = { setsThroughput: true } as LoadSummary;
    const model = { ...made, cells: made.cells.map((cell) => ({ ...cell, load })) };
    const found = costs(model, baseline);
    expect(found.map(({ isSetByLoad }) => isSetByLoad)).toEqual([true, true]);
    expect(found[1]!.ratio!.verdict).toBe('setByLoad');
    expect(headlineClaims(model, baseline).cheapest!.others[0]!.verdict).toBe('setByLoad');
  });

  it('are left out where calls are reported one by one', () => {
    const model = pricedCells(new Sfc32(1), { variants: 1, targets: 2, repeats: 3 }, { t0: 4, t1: 1 });
    const trials = model.trials.map(({ result, ...view }) => ({ ...view, result: { ...result!, perCall: [] } }));
    expect(costs({ ...model, trials }, baseline)).toEqual([]);
  });
});

it.each([
  [1, 2],
  [1, 4],
  [6, 3],
])('one run of twenty at most calls one of %i variants on %i equally dear targets cheaper', (variants, targets) => {
  const random = new Sfc32(17);
  const prices = Object.fromEntries(Array.from({ length: targets }, (_, t) => [`t${t}`, t + 1]));
  let wrong = 0;
  for (let run = 0; run < 200; run++) {
    const rate = (_: number, target: number) => 1_000 * (target + 1);
    const cv = (variant: number, target: number) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!;
    const model = pricedCells(random, { variants, targets, repeats: 3, rate, cv }, prices);
    if (headlineClaims(model, baseline).cheapest!.others.some(({ verdict }) => verdict === 'faster')) wrong++;
  }
  // 5 % of 200 and three standard errors.
  expect(wrong).toBeLessThanOrEqual(19);
});
