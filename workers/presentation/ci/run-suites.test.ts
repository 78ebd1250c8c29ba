import { expect, it } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { gateSuite } from './gate-suite.ts';
import { runSuites } from './run-suites.ts';
import type { TestCase } from './test-suite.ts';

const error = {
  kind: 'serverGone',
  code: '57P01',
  message: 'It went away.',
  hint: 'Start it.',
  retryable: false,
} as const;

const withGoals = (model: RunModel, goals: RunModel['plan']['experiment']['goals']): RunModel => ({
  ...model,
  plan: { ...model.plan, experiment: { ...model.plan.experiment, goals } },
});

const short = ({ name, outcome, message }: TestCase) => [name, outcome, message];

it('has a case for each cell, with failed trials as errors and cells that cannot be run as skipped', () => {
  const run = madeRun({
    ...{ factors: { method: ['prepared', 'bulk'] }, repeats: 3, targets: [{ name: 'a' }, { name: 'b' }] },
    trial: ({ target, settings, repeat }) =>
      target === 'b' && settings.method === 'bulk' && repeat > 1 ? { result: { status: 'failed', error } } : {},
  });
  const [trials, ...others] = runSuites(run);
  expect(others).toEqual([]);
  expect(trials!.cases.map(short)).toEqual([
    ['prepared on a', 'passed', ''],
    ['prepared on b', 'passed', ''],
    ['bulk on a', 'passed', ''],
    ['bulk on b', 'error', '2 of 3 trials failed: It went away. Try: Start it.'],
  ]);
  expect(trials!.cases[2]).toMatchObject({ seconds: 30, path: ['factors', 'method', 1] });
  expect(trials!.cases[2]!.details.join('\n')).toMatch(/^1\.00k \(.*\) rows\/s, 3 repeats\n/);
  expect(trials!.notes[0]).toMatch(/^Data: /);
  expect(runSuites(fixtureRun({ connections: [1], repeats: 2 }))[0]!.cases.map(short)).toContainEqual([
    'bulk · Connections: 1 on SQLite',
    'skipped',
    'SQLite has no bulk loader.',
  ]);
});

it('calls a cell an error whose trials a cancelled run has lost', () => {
  const run = madeRun({ repeats: 2 });
  const lost: RunModel = {
    ...run,
    status: 'cancelled',
    trials: run.trials.map((view) => (view.trial.repeat === 2 ? { ...view, result: null } : view)),
  };
  expect(runSuites(lost)[0]!.cases.map(short)).toEqual([
    ['server', 'error', '1 of 2 trials has no result: the run is cancelled.'],
  ]);
});

it('has a case for each goal in each cell, and skips a goal that is not shown', () => {
  const run = withGoals(madeRun({ repeats: 3 }), { p50Ms: 0.5, p95Ms: 50, errorsPercent: 0 });
  const [, goals] = runSuites(run);
  expect(goals!.cases.map(({ name, outcome, isOpen }) => [name, outcome, isOpen])).toEqual([
    ['p50 ≤ 0.5 ms: server', 'failed', false],
    ['p95 ≤ 50 ms: server', 'passed', false],
    ['errors ≤ 0 %: server', 'skipped', true],
  ]);
});

it('has a case for each condition of a gate in each cell, with the place of its statement', () => {
  const { plan } = madeRun({ factors: { method: ['prepared', 'bulk'] } });
  const statements = { pay: { text: 'SELECT 1', parameters: {} } };
  const cell = { variant: plan.variants[1]!.id, target: 'server' };
  const cellOf = (outcome: 'passed' | 'failed' | 'undecided') => ({
    ...{ cell, name: 'bulk', unit: null, interval: null, limit: null, outcome },
    sentence: `It is ${outcome}.`,
    repeatsNeeded: outcome === 'undecided' ? 4 : 0,
  });
  const gate: GateResult = {
    ...{
      outcome: 'failed',
      runId: 'r2',
      baseline: null,
      sentence: 'The gate failed.',
      repeatsNeeded: 4,
      comparisons: 3,
      changes: [],
    },
    conditions: [
      { condition: { kind: 'slower', share: 0.05 }, outcome: 'failed', cells: [cellOf('failed'), cellOf('undecided')] },
      {
        ...{ condition: { kind: 'time', work: 'pay', figure: 0.99, share: 0.1 }, outcome: 'passed' },
        cells: [cellOf('passed')],
      },
    ],
  };
  const suite = gateSuite({ ...plan, experiment: { ...plan.experiment, statements } }, gate);
  expect(suite.cases.map(({ name, outcome, isOpen, path }) => [name, outcome, isOpen, path])).toEqual([
    ['slower 5%: bulk', 'failed', false, ['factors', 'method', 1]],
    ['slower 5%: bulk (2)', 'skipped', true, ['factors', 'method', 1]],
    ['statement:pay p99 10%: bulk', 'passed', false, ['statements', 'pay']],
  ]);
  expect(suite.cases.map(({ details }) => details)).toEqual([[], ['4 more repeats would decide it.'], []]);
});
