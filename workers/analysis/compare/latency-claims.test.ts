import { describe, expect, it } from 'vitest';
import { thirdOf } from '#platform/whole.fixture.ts';
import { Sfc32 } from '#stats/random/random.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { headlineClaims } from './headline-claims.ts';
import { latencyRatios } from './latency-ratios.ts';
import { madeCells } from './made-cells.fixture.ts';
import { madeTimes } from './made-times.fixture.ts';

const baseline = { target: 't0' };
const cv = (variant: number, target: number) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!;
const claimed = (model: RunModel, from: typeof baseline | { variant: string } = baseline) =>
  headlineClaims(model, from).latency!.certain.size > 0;

describe('claims about times of equal cells', () => {
  const grids = [
    [2, 1, 1, 3, 200, 19],
    [1, 2, 1, 3, 200, 19],
    [1, 2, 8, 5, 100, 11],
    [3, 3, 3, 3, 60, 8],
    [10, 4, 8, 3, 12, 3],
  ] as const;

  it.each(thirdOf(grids))(
    'are rare: %i × %i cells, %i statements, %i repeats of heavy-tailed calls in a row',
    (variants, targets, statements, repeats, runs, most) => {
      const random = new Sfc32(variants * 1_000 + targets * 100 + statements);
      let wrong = 0;
      for (let run = 0; run < runs; run++) {
        const model = madeTimes(random, { variants, targets, statements, repeats, cv });
        if (claimed(model, targets === 1 ? { variant: 'v0' } : baseline)) wrong++;
      }
      // 5 % of the runs and three standard errors.
      expect(wrong).toBeLessThanOrEqual(most);
    },
  );
});

it('finds the one statement of eight that is slower, and names no other', () => {
  const random = new Sfc32(5);
  let found = 0;
  let wrong = 0;
  for (let run = 0; run < 40; run++) {
    const model = madeTimes(random, {
      ...{ variants: 1, targets: 2, statements: 8, repeats: 5, calls: 1_000, correlation: 0 },
      ms: (_, target, statement) => (target === 1 && statement === 3 ? 20 : 10),
    });
    const { certain } = headlineClaims(model, baseline).latency!;
    if ([...certain].some(({ work }) => work === 's3')) found++;
    if ([...certain].some(({ work }) => work !== 's3' && work !== null)) wrong++;
  }
  expect(found).toBeGreaterThanOrEqual(36);
  expect(wrong).toBeLessThanOrEqual(6);
});

describe('latencyRatios', () => {
  const model = madeTimes(new Sfc32(3), {
    ...{ variants: 1, targets: 2, statements: 2, repeats: 4, correlation: 0, cv: () => 0.01 },
    ms: (_, target, statement) => (target === 1 && statement === 1 ? 30 : 10),
  });
  const of = (all: ReturnType<typeof latencyRatios>, work: string | null, target = 't1') =>
    all.filter((one) => one.work === work && one.target === target);

  it('has the mean, three quantiles and the maximum of all units and of each statement', () => {
    const all = of(latencyRatios(model, baseline), 's1');
    expect(all.map(({ figure }) => figure)).toEqual(['mean', 0.5, 0.95, 0.99, 1]);
    const [, p50] = all;
    expect(p50).toMatchObject({ verdict: 'slower', kind: 'statement', time: 'service' });
    expect(p50!.ratio!.value).toBeCloseTo(3, 0);
    expect(of(latencyRatios(model, baseline), null)[0]).toMatchObject({ kind: 'units', time: 'response' });
    expect(of(latencyRatios(model, baseline), 's1', 't0')[1]).toMatchObject({ verdict: 'baseline', ratio: null });
  });

  it('is the quotient of the times that stand beside it', () => {
    const [, own] = of(latencyRatios(model, baseline), 's1');
    const [, base] = of(latencyRatios(model, baseline), 's1', 't0');
    expect(own!.ratio!.value).toBeCloseTo(own!.ms!.value / base!.ms!.value, 10);
  });

  it('has no quantile for which a single repeat has too few calls', () => {
    const [, , , p99] = of(latencyRatios(model, baseline), 's1');
    expect(p99).toMatchObject({ ms: null, ratio: null, verdict: 'tooFewCalls' });
    const most = madeTimes(new Sfc32(3), { variants: 1, targets: 2, repeats: 3, calls: 1_000 });
    expect(of(latencyRatios(most, baseline), 's0')[3]!.verdict).not.toBe('tooFewCalls');
    const [first, ...others] = most.trials;
    const fewer = madeTimes(new Sfc32(3), { variants: 1, targets: 2, repeats: 3, calls: 999 }).trials[0]!;
    expect(first!.trial.target).toBe('t0');
    const mixed = { ...most, trials: [fewer, ...others] };
    expect(of(latencyRatios(mixed, baseline), 's0')[3]!.verdict).toBe('tooFewCalls');
  });

  it('has no mean and no maximum of units of work where a repeat of a side gave some up, and says so', () => {
    const trials = model.trials.map((view) => {
      const { totals } = view.result!;
      const load = { ...totals.load, unfinished: view.trial.target === 't0' ? 1 : 0 } as NonNullable<
        typeof totals.load
      >;
      return { ...view, result: { ...view.result!, totals: { ...totals, load } } };
    });
    const verdicts = (work: string | null) =>
      of(latencyRatios({ ...model, trials } as typeof model, baseline), work).map(({ verdict }) => verdict);
    expect(verdicts(null).map((verdict) => verdict === 'givenUp')).toEqual([true, false, false, false, true]);
    expect(verdicts('s1')).not.toContain('givenUp');
  });

  it('compares no maxima of unlike numbers of calls', () => {
    const [few, many] = [250, 500].map((calls) =>
      madeTimes(new Sfc32(3), { variants: 1, targets: 2, repeats: 3, calls }),
    );
    const trials = [...few!.trials, ...many!.trials].filter(({ trial }, i) => (trial.target === 't0') === i < 6);
    const all = of(latencyRatios({ ...few!, trials }, baseline), 's0');
    expect(all[4]!.verdict).toBe('notComparable');
    expect(all[1]!.verdict).not.toBe('notComparable');
  });

  it('lets nobody win who answers something else', () => {
    const cells = model.cells.map((cell) =>
      cell.target === 't1' ? { ...cell, rowProblems: [{} as (typeof cell.rowProblems)[number]] } : cell,
    );
    expect(latencyRatios({ ...model, cells }, baseline).filter(({ target }) => target === 't1')).toSatisfy(
      (all: ReturnType<typeof latencyRatios>) =>
        all.every((one) => one.ratio === null && one.verdict === 'notComparable'),
    );
  });
});

it('judges the highest percentile that all cells have, and throughput where the load did not set it', () => {
  const judged = (calls: number) => {
    const model = madeTimes(new Sfc32(9), { variants: 1, targets: 2, statements: 2, repeats: 3, calls });
    return headlineClaims(model, baseline);
  };
  const figures = (calls: number) =>
    judged(calls).latency!.ratios.flatMap(({ work, figure, target }) => (target === 't1' ? [[work, figure]] : []));
  expect(figures(1_000)).toEqual([
    [null, 0.99],
    ['s0', 0.99],
    ['s1', 0.99],
  ]);
  expect(figures(250)).toEqual([
    [null, 0.95],
    ['s0', 0.95],
    ['s1', 0.95],
  ]);
  expect(judged(250).judgesThroughput).toBe(false);
  const free = madeTimes(new Sfc32(9), { variants: 1, targets: 2, repeats: 3 });
  const cells = free.cells.map((cell) => ({ ...cell, load: null }));
  expect(headlineClaims({ ...free, cells }, baseline)).toMatchObject({ judgesThroughput: true, latency: null });
});

it('judges what the file names, also where the load does not set throughput, and shares the level with it', () => {
  const run = madeTimes(new Sfc32(9), { variants: 1, targets: 2, statements: 2, repeats: 3 });
  const named = (judge: RunModel['plan']['experiment']['judge']) => {
    const experiment = { ...run.plan.experiment, ...(judge && { judge }) };
    const cells = run.cells.map((cell) => ({ ...cell, load: null }));
    return headlineClaims({ ...run, cells, plan: { ...run.plan, experiment } }, baseline);
  };
  const of = (judge: RunModel['plan']['experiment']['judge']) => {
    const { latency, judgesThroughput } = named(judge);
    const own = latency?.ratios.filter(({ target }) => target === 't1') ?? [];
    return [judgesThroughput, ...own.map(({ work, figure }) => [work, figure])];
  };
  expect(of(undefined)).toEqual([true]);
  expect(of(['p95'])).toEqual([false, [null, 0.95]]);
  expect(of(['throughput', 'mean', { statement: 's1', quantile: 0.9 }, 'mean'])).toEqual([
    true,
    [null, 'mean'],
    ['s1', 0.9],
  ]);
  // A difference of throughput that is certain alone, and no longer beside enough other claims.
  const faster = (times: number) => {
    const model = madeCells(new Sfc32(4), {
      variants: 1,
      targets: 2,
      repeats: 5,
      cv: () => 0.02,
      rate: (_, t) => 1_000 + 45 * t,
    });
    const judge = [
      'throughput',
      ...Array.from({ length: times }, (_, i) => ({ statement: 's0', quantile: 0.5 + i / 100 })),
    ];
    const { trials } = madeTimes(new Sfc32(9), { variants: 1, targets: 2, repeats: 5 });
    const timed = model.trials.map((view, i) => ({
      ...view,
      result: { ...view.result!, ...view.trial, statements: trials[i]!.result!.statements! },
    }));
    const experiment = { judge } as RunModel['plan']['experiment'];
    return headlineClaims({ ...model, trials: timed, plan: { ...model.plan, experiment } }, baseline).certain.size;
  };
  expect([faster(0), faster(15)]).toEqual([1, 0]);
});
