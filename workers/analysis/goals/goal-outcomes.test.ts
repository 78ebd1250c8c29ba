import { describe, expect, it } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { madeTimes } from '../compare/made-times.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { goalOutcomes } from './goal-outcomes.ts';

type Goals = RunModel['plan']['experiment']['goals'];

interface Made {
  readonly repeats?: number;
  readonly failed?: number;
  readonly unfinished?: number;
  readonly retries?: number;
}

/** Two targets whose calls of s1 take 10 and 30 ms or more; some calls of the second one fail or are given up. */
function outcomesOf(goals: Goals, { repeats = 5, failed = 0, unfinished = 0, retries = 0 }: Made = {}) {
  const made = madeTimes(new Sfc32(3), {
    ...{ variants: 1, targets: 2, statements: 2, repeats, calls: 400, correlation: 0, cv: () => 0.02 },
    ms: (_, target, statement) => (target === 1 && statement === 1 ? 30 : 10),
  });
  const trials = made.trials.map((view) => {
    const isFailing = view.trial.target === 't1';
    const load = { ...view.result!.totals.load, unfinished: isFailing ? unfinished : 0 };
    const errors = isFailing ? { wrongResult: failed } : {};
    const totals = { ...view.result!.totals, load, retries: isFailing ? retries : 0, errors };
    const statements = view.result!.statements!.map((one) => (one.name === 's1' ? { ...one, errors } : one));
    return { ...view, result: { ...view.result!, totals, statements } };
  });
  const experiment = { ...made.plan.experiment, goals };
  return goalOutcomes({ ...made, trials, plan: { ...made.plan, experiment } } as RunModel);
}
const outcomes = (...of: Parameters<typeof outcomesOf>) => outcomesOf(...of).map(({ outcome }) => outcome);

describe('a goal for a time', () => {
  it('is met or missed where the whole interval is on that side of it, and otherwise not shown', () => {
    expect(outcomes({ p50Ms: 30, of: 's1' })).toEqual(['met', 'missed']);
    const [, slow] = outcomesOf({ p50Ms: 30, of: 's1' });
    expect(outcomes({ p50Ms: slow!.value!.value, of: 's1' })).toEqual(['met', 'notShown']);
    expect(outcomes({ p50Ms: slow!.value!.high!, of: 's1' })).toEqual(['met', 'met']);
    expect(outcomes({ p50Ms: slow!.value!.low! * 0.999, of: 's1' })[1]).toBe('missed');
  });

  it('is not shown by a single repeat, nor by too few calls', () => {
    expect(outcomes({ p50Ms: 30, of: 's1' }, { repeats: 1 })).toEqual(['notShown', 'notShown']);
    expect(outcomes({ p99Ms: 30, of: 's1' })).toEqual(['tooFewCalls', 'tooFewCalls']);
  });

  it('of the mean or the maximum of all calls is open where units of work were given up', () => {
    expect(outcomes({ meanMs: 300 }, { unfinished: 1 })).toEqual(['met', 'givenUp']);
    expect(outcomes({ maxMs: 9, of: 's1' }, { unfinished: 1 })).toEqual(['missed', 'missed']);
  });

  it('has a wider interval beside more goals, because all of them hold together', () => {
    const width = (goals: Goals) => {
      const { low, high } = outcomesOf(goals)[0]!.value!;
      return high! / low!;
    };
    expect(width([{ p50Ms: 1, of: 's1' }, { p95Ms: 1 }, { meanMs: 1 }])).toBeGreaterThan(width({ p50Ms: 1, of: 's1' }));
  });

  it('is open for a statement that the run has not, and without goals there are none', () => {
    expect(outcomesOf({ p50Ms: 1, of: 'none' })).toEqual([]);
    expect(outcomesOf(undefined)).toEqual([]);
  });
});

it('a share of errors is met without errors only where the calls are enough to show it', () => {
  expect(outcomes({ errorsPercent: 1 })).toEqual(['met', 'met']);
  expect(outcomes({ errorsPercent: 0.001 })).toEqual(['notShown', 'notShown']);
  expect(outcomes({ errorsPercent: 1 }, { failed: 100 })).toEqual(['met', 'missed']);
  expect(outcomes({ errorsPercent: 0 })).toEqual(['notShown', 'notShown']);
});

it('a share of errors of a statement is not shown where its failed attempts may have been repeated', () => {
  const goals = [{ errorsPercent: 1 }, { errorsPercent: 1, of: 's1' }];
  const ofFailing = (retries: number) =>
    outcomesOf(goals, { failed: 100, retries })
      .filter(({ target }) => target === 't1')
      .map(({ outcome }) => outcome);
  expect(ofFailing(0)).toEqual(['missed', 'missed']);
  expect(ofFailing(100)).toEqual(['met', 'notShown']);
  expect(ofFailing(20)).toEqual(['missed', 'missed']);
});

it('is asked at the answers of a search alone, and a search for a limit has its goals as limits', () => {
  const made = madeTimes(new Sfc32(3), { variants: 2, targets: 1, repeats: 3, calls: 1_000, correlation: 0 });
  const search = { find: 'limit', setting: 'users', from: 1, to: 8, relativeStep: 0.1, p99Ms: 1_000 } as const;
  const of = (find: 'limit' | 'saturation') => {
    const experiment = { ...made.plan.experiment, goals: { p99Ms: 1_000, meanMs: 1_000 } };
    const plan = { ...made.plan, experiment, measure: { search: { ...search, find } } };
    const searches = [{ target: 't0', at: { load: 4, variant: 'v1' } }];
    return goalOutcomes({ ...made, plan, searches } as unknown as RunModel).map(({ variant, of: figure }) => [
      variant,
      figure,
    ]);
  };
  expect(of('limit')).toEqual([]);
  expect(of('saturation')).toEqual([
    ['v1', 'mean'],
    ['v1', 0.99],
  ]);
});
