import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { goalOutcomes } from '../goals/goal-outcomes.ts';
import { timesOf } from '../run-model/journal-parts.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { headlineClaims } from './headline-claims.ts';
import { latencyRatios } from './latency-ratios.ts';
import { madeTimes } from './made-times.fixture.ts';

const baseline = { target: 't0' };

interface Times {
  /** The time of a call on t1, and the delay of its start, ms. A call on t0 takes 10 ms, and starts on time. */
  readonly ms: number;
  readonly lateMs: number;
  readonly inProcess?: boolean;
}

/** Users make 500 calls of s0 on each of two targets in each of five repeats, which differ by a hundredth. */
function run({ ms, lateMs, inProcess = false }: Times): RunModel {
  const made = madeTimes(new Sfc32(1), { variants: 1, targets: 2, repeats: 5 });
  const trials = made.trials.map((view, i) => {
    const [own, late] = view.trial.target === 't1' ? [ms, lateMs] : [10, 0];
    const times = (each: number) => timesOf([each * (1 + (i % 5) / 100), 500]);
    const load = { response: times(own + late), sinceStart: times(own), unfinished: 0 };
    const [counts] = view.result!.statements!;
    return {
      ...view,
      result: {
        ...view.result!,
        totals: { ...view.result!.totals, load },
        statements: [{ ...counts!, calls: 500, ...load }],
      },
    };
  });
  const targets = made.targets.map((target) => ({ ...target, descriptor: { inProcess } }));
  return { ...made, trials, targets } as unknown as RunModel;
}

const verdictOf = (times: Times) =>
  latencyRatios(run(times), baseline, [0.95]).flatMap(({ target, verdict }) => (target === 't1' ? [verdict] : []));

test('a difference of times that late starts have made is no verdict', () => {
  expect(verdictOf({ ms: 16, lateMs: 0.5 }), 'slower, also on time').toEqual(['slower', 'slower']);
  expect(verdictOf({ ms: 10, lateMs: 1 }), 'only late').toEqual(['lateStarts', 'lateStarts']);
  expect(verdictOf({ ms: 13, lateMs: 3 }), 'slower, but not by this much').toEqual(['lateStarts', 'lateStarts']);
  expect(verdictOf({ ms: 10, lateMs: 0 })).toEqual(['notSignificant', 'notSignificant']);
  expect(verdictOf({ ms: 10, lateMs: 1, inProcess: true }), 'an engine in the process is late itself').toEqual([
    'slower',
    'slower',
  ]);
});

test('the answer claims no time that late starts may have made', () => {
  const certain = (times: Times) => headlineClaims(run(times), baseline).latency!.certain.size;
  expect(certain({ ms: 16, lateMs: 0.5 })).toBeGreaterThan(0);
  expect(certain({ ms: 10, lateMs: 1 })).toBe(0);
});

test('a goal is missed only if it is also missed on time', () => {
  const outcomes = (times: Times) => {
    const made = run(times);
    const experiment = { ...made.plan.experiment, goals: { p95Ms: 12 } };
    return goalOutcomes({ ...made, plan: { ...made.plan, experiment } }).map(({ outcome }) => outcome);
  };
  expect(outcomes({ ms: 16, lateMs: 0.5 })).toEqual(['met', 'missed']);
  expect(outcomes({ ms: 11, lateMs: 3 })).toEqual(['met', 'notShown']);
});
