import { expect, test } from 'vitest';
import { timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { descriptor } from '#engines/noop/descriptor.ts';
import { emptyResult, noCalls } from '#orchestrator/worker/merge-results.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planExperiment } from '../plan-experiment.ts';
import { whatFollows } from './search.ts';

/** A search for a limit from 100 to 400 arrivals/s. */
function searchPlan(goals = '{ p99Ms: 20 }'): Plan {
  const { plan, diagnostics } = planExperiment(
    parseFile(`
dyno: 1
name: Limit
question: Which rate still meets the limit?
dataset: { rows: 1000, key: id, columns: { id: { type: sequence }, payload: { type: text, length: 20 } } }
workload: { operation: statement, load: open, connections: 4 }
statements: { look: { text: SELECT 1 }, sell: { text: SELECT 2 } }
targets: [noop]
goals: ${goals}
measure:
  until: { seconds: 10 }
  repeats: 1
  search: { setting: arrivalsPerSecond, from: 100, to: 400, find: limit }
`),
    { catalog: [descriptor] },
  );
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

/** A trial with 1,000 arrivals, of which `unfinished` were not done, and `slow` took 50 ms in place of one. */
const trial = (plan: Plan, slow: number, unfinished: number): TrialResult => {
  const { next } = whatFollows(plan, []);
  const ended = 1_000 - unfinished;
  const response = timesOf([1, ended - slow], [50, slow]);
  const load = {
    ...{ arrivals: 1_000, ended, failed: 0, afterwards: 0, unfinished, responseMs: 0, thinkMs: 0, waiting: 0 },
    ...{ response, sinceStart: response, startError: response, wait: response },
  };
  const totals = { ...noCalls, calls: ended, rows: ended, service: response, load };
  return { ...emptyResult, ...next!, status: 'ok', error: null, elapsedMs: 10_000, totals };
};

test('a rate is judged by the p99 of all that arrived: what was given up took longer than what was done', () => {
  const plan = searchPlan();
  const after = (slow: number, unfinished: number) => {
    const first = trial(plan, slow, unfinished);
    const { next } = whatFollows(plan, [first]);
    return [first, next].map((one) => plan.variants.find(({ id }) => id === one?.variant)!.settings.arrivalsPerSecond);
  };
  expect(after(8, 0)).toEqual([100, 200]);
  // Seventeen of a thousand took more than 20 ms: a lower rate is tried.
  const [first, next] = after(8, 9);
  expect(next).toBeLessThan(first!);
});

test('a rate is judged by all goals: times of one statement, a mean, and the share of calls that fail', () => {
  /** The second rate of a search whose first trial has these calls: twice the first one, or less than it. */
  const next = (goals: string, failed = 0, unfinished = 0) => {
    const plan = searchPlan(goals);
    const first = trial(plan, 8, unfinished);
    const one = { kind: 'statement' as const, failed: null };
    const statements = [
      { ...one, name: 'look', calls: 992, rows: 992, service: timesOf([1, 992]), errors: {} },
      { ...one, name: 'sell', calls: 8, rows: 8, service: timesOf([50, 8]), errors: { wrongResult: failed } },
    ];
    const result = { ...first, statements, totals: { ...first.totals, errors: { wrongResult: failed } } };
    const { next } = whatFollows(plan, [result]);
    return plan.variants.find(({ id }) => id === next!.variant)!.settings.arrivalsPerSecond > 100 ? 'more' : 'less';
  };
  expect(next('{ p95Ms: 5 }')).toBe('more');
  expect(next('{ p95Ms: 5, maxMs: 40 }')).toBe('less');
  expect(next('{ meanMs: 2 }')).toBe('more');
  expect(next('{ meanMs: 1.2 }')).toBe('less');
  // Nobody knows the mean of all units if some were given up.
  expect(next('{ meanMs: 2 }', 0, 1)).toBe('less');
  expect(next('{ p99Ms: 20, of: look }')).toBe('more');
  expect(next('[{ p99Ms: 20, of: look }, { p99Ms: 20, of: sell }]')).toBe('less');
  expect(next('{ p99Ms: 60, errorsPercent: 1 }', 9)).toBe('more');
  expect(next('{ p99Ms: 60, errorsPercent: 1 }', 11)).toBe('less');
  expect(next('{ errorsPercent: 40, of: sell }', 5)).toBe('more');
  expect(next('{ errorsPercent: 40, of: sell }', 6)).toBe('less');
  expect(next('{ errorsPercent: 0 }')).toBe('more');
  expect(next('{ errorsPercent: 0 }', 1)).toBe('less');
});
