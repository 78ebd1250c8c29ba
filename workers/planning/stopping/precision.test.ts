import { describe, expect, it } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { compareMeans } from '#stats/intervals/compare-means.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { throughput } from '#stats/random/samples.fixture.ts';
import { judgeRepeats } from './precision.ts';

interface Options {
  readonly repeats?: { readonly min: number; readonly max: number; readonly relativeMargin: number } | number;
  readonly budgetSeconds?: number;
  readonly variants?: number;
}

/** The parts of a plan that the tests read, with so many variants on two targets. */
function planOf({ repeats = { min: 5, max: 20, relativeMargin: 0.05 }, budgetSeconds, variants = 1 }: Options): Plan {
  const max = typeof repeats === 'number' ? repeats : repeats.max;
  const ids = Array.from({ length: variants }, (_, i) => `v${i}`);
  const cells = ids.flatMap((variant) => ['a', 'b'].map((target) => ({ variant, target })));
  const trials = Array.from({ length: max }, (_, i) => cells.map((cell) => ({ ...cell, repeat: i + 1 }))).flat();
  return {
    experiment: { targets: ['a', 'b'] },
    variants: ids.map((id) => ({ id, levels: {} })),
    skipped: [],
    targets: ['a', 'b'].map((name, index) => ({ name, engine: 'e', index })),
    trials: trials.map((trial, i) => ({ ...trial, number: i + 1 })),
    measure: { repeats, ...(budgetSeconds === undefined ? {} : { budgetSeconds }) },
  } as unknown as Plan;
}

const targets = ['a', 'b'].map((name) => ({ name, descriptor: {}, fingerprint: null }) as unknown as TargetRecord);

/** Results of the first `rounds`; each trial takes a second besides its phases of two; `rate` in rows per second. */
const resultsOf = (plan: Plan, rounds: number, rate: (trial: Plan['trials'][number]) => number | null) =>
  plan.trials
    .filter(({ repeat }) => repeat <= rounds)
    .map((trial) => {
      const rows = rate(trial);
      return {
        ...trial,
        status: rows === null ? 'failed' : 'ok',
        elapsedMs: 1_000,
        totals: { rows: rows ?? 0, calls: rows ?? 0 },
        phaseMs: rows === null ? {} : { prepare: 1_000, measure: 1_000 },
      } as unknown as TrialResult;
    });

const steady = ({ repeat, target }: Plan['trials'][number]) =>
  (target === 'a' ? 1_000 : 1_100) * (1 + 0.001 * (repeat % 3));

describe('judgeRepeats', () => {
  it('does not wait for a cell whose calls found nothing: it is not comparable', () => {
    const made = planOf({});
    const variants = made.variants.map((one) => ({ ...one, settings: { ...defaultSettings, operation: 'statement' } }));
    const text = 'SELECT a FROM t WHERE b = :b';
    const statements = { find: { text, parameters: { b: { type: 'integer' } } } };
    const plan = { ...made, variants, experiment: { ...made.experiment, statements } } as unknown as Plan;
    const known = targets.map((one) => ({ ...one, engine: 'e', descriptor: { statements: { language: 'sql' } } }));
    const wild = (trial: Plan['trials'][number]) => steady(trial) * (trial.target === 'b' ? 1 + (trial.repeat % 3) : 1);
    const results = (rowsOfB: number) =>
      resultsOf(plan, 5, wild).map((result) => {
        const rows = result.target === 'b' ? rowsOfB : 100;
        const rowSpread = { empty: rows === 0 ? 100 : 0, squares: rows, most: rows / 100 };
        return { ...result, statements: [{ name: 'find', kind: 'statement', calls: 100, rows, rowSpread }] };
      }) as unknown as readonly TrialResult[];
    const at = (rowsOfB: number) =>
      judgeRepeats({ plan, targets: known as unknown as readonly TargetRecord[], results: results(rowsOfB) });
    expect(at(100)).toMatchObject({ reason: 'outOfReach' });
    expect(at(0)).toMatchObject({ reason: 'narrow', precision: { cells: [{ target: 'a', of: 'mean' }] } });
  });

  it('looks after whole rounds only, not before the floor, and ends when every ratio is narrow', () => {
    const plan = planOf({});
    const at = (rounds: number) => judgeRepeats({ plan, targets, results: resultsOf(plan, rounds, steady) });
    expect(at(4)).toMatchObject({ reason: null, precision: { round: 4, roundsMore: 0 } });
    expect(at(5)).toMatchObject({ reason: 'narrow', precision: { round: 5, relativeMargin: 0.05 } });
    // The ratio's interval includes the baseline's scatter.
    expect(at(5)!.precision.cells).toMatchObject([{ variant: 'v0', target: 'b', of: 'ratio' }]);
    expect(judgeRepeats({ plan, targets, results: resultsOf(plan, 5, steady).slice(0, -1) })).toBeNull();
  });

  it('goes on for the one cell that is not narrow, and says for how long about', () => {
    const plan = planOf({ variants: 3 });
    const random = new Sfc32(3);
    const results = resultsOf(plan, 6, (trial) =>
      trial.variant === 'v1' ? throughput(random, 1, 0.1)[0]! : steady(trial),
    );
    const { reason, precision } = judgeRepeats({ plan, targets, results })!;
    expect(reason).toBeNull();
    expect(precision.cells[0]).toMatchObject({ variant: 'v1', target: 'b' });
    expect(precision.cells[0]!.halfWidth!).toBeGreaterThan(0.05);
    expect(precision.cells[2]!.halfWidth!).toBeLessThan(0.05);
    expect(precision.roundsMore).toBeGreaterThan(5);
  });

  it('ends at the most repeats, and before a round that would exceed the budget', () => {
    const scattering = ({ number }: { readonly number: number }) => throughput(new Sfc32(number), 1, 0.1)[0]!;
    const end = (options: Options, rounds: number) => {
      const plan = planOf(options);
      return judgeRepeats({ plan, targets, results: resultsOf(plan, rounds, scattering) })?.reason;
    };
    expect(end({}, 19)).toBeNull();
    expect(end({}, 20)).toBe('max');
    // A round is two trials of two seconds: eight rounds take 32 s, and the ninth would end after 36 s.
    expect(end({ budgetSeconds: 36 }, 8)).toBeNull();
    expect(end({ budgetSeconds: 35 }, 8)).toBe('budget');
    // The minimum of repeats has priority over the budget.
    expect(end({ budgetSeconds: 1 }, 4)).toBeNull();
    expect(end({ budgetSeconds: 1 }, 5)).toBe('budget');
  });

  it('gives up a precision that would be missed by far even after the most repeats, once five show the scatter', () => {
    // The rate is half and double by turns, so that ± 5 % would take hundreds of repeats.
    const wild = ({ repeat, target }: Plan['trials'][number]) =>
      target === 'a' ? 1_000 : 500 * (1 + 3 * (repeat % 2));
    const end = (max: number, rounds: number) => {
      const plan = planOf({ repeats: { min: 3, max, relativeMargin: 0.05 } });
      return judgeRepeats({ plan, targets, results: resultsOf(plan, rounds, wild) })?.reason;
    };
    expect(end(20, 4)).toBeNull();
    expect(end(20, 5)).toBe('outOfReach');
    // With that many repeats allowed, the interval may still become narrow.
    expect(end(1_000, 5)).toBeNull();
  });

  it('does not wait for a target without results; the other’s mean must be narrow then', () => {
    const plan = planOf({});
    const oneGone = (trial: Plan['trials'][number]) => (trial.target === 'b' ? null : steady(trial));
    const { reason, precision } = judgeRepeats({ plan, targets, results: resultsOf(plan, 5, oneGone) })!;
    expect(reason).toBe('narrow');
    expect(precision.cells).toMatchObject([{ target: 'a', of: 'mean' }]);
    expect(judgeRepeats({ plan, targets, results: resultsOf(plan, 5, () => null) })?.reason).toBe('nothing');
  });

  it('neither waits for ratios that the load set, nor is decided by them', () => {
    const planned = planOf({ variants: 2 });
    const plan: Plan = {
      ...planned,
      measure: { ...planned.measure, seconds: 10 },
      variants: planned.variants.map((one) => ({
        ...one,
        settings: { ...defaultSettings, load: 'open', arrivalsPerSecond: 100, connections: 4 },
      })),
    };
    const random = new Sfc32(3);
    const loaded = (arrivals: number) => ({ arrivals, ended: 1_000, unfinished: 0, responseMs: 1_000, thinkMs: 0 });
    const results = (arrivals: (trial: Plan['trials'][number]) => number) =>
      resultsOf(plan, 6, (trial) => (trial.variant === 'v1' ? throughput(random, 1, 0.3)[0]! : steady(trial))).map(
        (result) => ({
          ...result,
          elapsedMs: 10_000,
          totals: { ...result.totals, load: loaded(arrivals(result)) } as TrialResult['totals'],
        }),
      );
    const of = (arrivals: (trial: Plan['trials'][number]) => number) =>
      judgeRepeats({ plan, targets, results: results(arrivals) })!;
    // The two targets fell behind in v0 alone; what v1 scatters by is that of its load.
    const mixed = of(({ variant }) => (variant === 'v0' ? 2_000 : 1_000));
    expect(mixed.reason).toBe('narrow');
    expect(mixed.precision.cells).toMatchObject([{ variant: 'v0', target: 'b', of: 'ratio' }]);
    expect(of(() => 1_000)).toMatchObject({ reason: 'setByLoad', precision: { cells: [] } });
    expect(of(() => 2_000).reason).toBe('outOfReach');
  });

  it('waits for the times that are judged: where the load sets throughput, and where the file names them', () => {
    const planned = planOf({});
    const open = { ...defaultSettings, load: 'open', arrivalsPerSecond: 100, connections: 4 } as const;
    const plan = (judge?: Plan['experiment']['judge']): Plan => ({
      ...planned,
      experiment: { ...planned.experiment, ...(judge && { judge }) },
      measure: { ...planned.measure, seconds: 10 },
      variants: planned.variants.map((one) => ({ ...one, settings: judge ? defaultSettings : open })),
    });
    const load = { arrivals: 1_000, ended: 1_000, unfinished: 0, responseMs: 1_000, thinkMs: 0 };
    const at = (scatter: number, calls: number, judge?: Plan['experiment']['judge']) => {
      const random = new Sfc32(5);
      const own = plan(judge);
      const results = resultsOf(own, 6, steady).map((result) => {
        const times = new Histogram();
        times.recordMany(1e6 * throughput(random, 1, scatter, 1)[0]!, calls);
        const service = times.encode();
        const totals = { ...result.totals, service, ...(!judge && { load: { ...load, response: service } }) };
        return { ...result, elapsedMs: judge ? 1_000 : 10_000, totals } as unknown as TrialResult;
      });
      return judgeRepeats({ plan: own, targets, results })!;
    };
    expect(at(0.01, 1_000)).toMatchObject({
      reason: 'narrow',
      precision: { cells: [{ target: 'b', of: 'ratio', time: { work: null, figure: 0.99 } }] },
    });
    expect(at(0.08, 1_000).reason).toBeNull();
    expect(at(0.08, 1_000).precision.roundsMore).toBeGreaterThan(5);
    expect(at(0.01, 10)).toMatchObject({ reason: 'setByLoad' });
    expect(at(0.08, 1_000, ['throughput']).reason).toBe('narrow');
    expect(at(0.08, 1_000, ['throughput', 'p95']).reason).toBeNull();
    expect(at(0.01, 1_000, ['p95']).precision.cells).toMatchObject([{ time: { figure: 0.95 } }]);
  });

  it('decides anew when a resumed run has made up for what was missing, and not in between', () => {
    const plan = planOf({});
    const all = resultsOf(plan, 7, steady);
    const missing = all.filter(({ target, repeat }) => target === 'a' || repeat <= 5);
    expect(judgeRepeats({ plan, targets, results: missing })).toBeNull();
    expect(judgeRepeats({ plan, targets, results: all })?.precision.round).toBe(7);
  });

  it('has nothing to say where the number of repeats is fixed', () => {
    const plan = planOf({ repeats: 5 });
    expect(judgeRepeats({ plan, targets, results: resultsOf(plan, 5, steady) })).toBeNull();
  });

  // The two cells of this test are equal, so every claim is false.
  it.each([
    [5, 0.05, 1],
    [3, 0.05, 1],
    [5, 0.04, 4],
  ])(
    'claims a difference between equals hardly more often than with fixed repeats: from %i on, ± %f, %i variants',
    (min, relativeMargin, variants) => {
      const random = new Sfc32(100 * min + variants);
      const runs = variants === 1 ? 150 : 15;
      const tally = { claims: 0, comparisons: 0, rounds: 0 };
      for (let run = 0; run < runs; run++) {
        const plan = planOf({ repeats: { min, max: 20, relativeMargin }, variants });
        const rates = new Map(plan.trials.map(({ number }) => [number, throughput(random, 1, 0.04)[0]!]));
        let round = min;
        while (
          judgeRepeats({ plan, targets, results: resultsOf(plan, round, ({ number }) => rates.get(number)!) })!
            .reason === null
        )
          round++;
        tally.rounds += round;
        for (const { id } of plan.variants) {
          const of = (target: string) =>
            plan.trials
              .filter((trial) => trial.variant === id && trial.target === target && trial.repeat <= round)
              .map(({ number }) => rates.get(number)!);
          tally.comparisons++;
          if (compareMeans(of('b'), of('a'))!.verdict !== 'notSignificant') tally.claims++;
        }
      }
      const rate = tally.claims / tally.comparisons;
      console.log(
        `from ${min} repeats, ± ${relativeMargin * 100} %, ${variants} variants: ${(tally.rounds / runs).toFixed(1)} rounds, a difference claimed in ${(rate * 100).toFixed(1)} % of ${tally.comparisons} comparisons of equals`,
      );
      expect(rate).toBeLessThan(0.09);
    },
  );
});
