import { expect, test } from 'vitest';
import { timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { descriptor } from '#engines/noop/descriptor.ts';
import { emptyResult, noCalls } from '#orchestrator/worker/merge-results.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planExperiment } from '../plan-experiment.ts';
import { whatFollows } from './search.ts';

/** A limit of 20 ms, sought from 100 to 400 arrivals/s. */
function searchPlan(): Plan {
  const { plan, diagnostics } = planExperiment(
    parseFile(`
dyno: 1
name: Limit
question: Which rate still meets the limit?
dataset: { rows: 1000, key: id, columns: { id: { type: sequence }, payload: { type: text, length: 20 } } }
workload: { operation: readByKey, load: open, connections: 4 }
targets: [noop]
goals: { p99Ms: 20 }
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
