import { expect, it } from 'vitest';
import type { RunTimeComparison } from '#analysis/compare/compare-run-times.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { comparisonSuite } from './comparison-suite.ts';

const run = fixtureRun({ connections: [1] });

const time = (verdict: RunTimeComparison['verdict'], value: number): RunTimeComparison => ({
  ...{ variant: run.cells[0]!.variant, target: run.cells[0]!.target, work: 'sell', figure: 0.99, time: 'response' },
  ...{ before: { value: 10, low: 9, high: 11, n: 5 }, after: { value: 10 * value, low: null, high: null, n: 5 } },
  ...{ ratio: { value, low: value * 0.95, high: value * 1.05, n: 5 }, verdict, earlierRuns: 4 },
});

it('fails for a time that is certainly longer, and leaves open a time that may have drifted', () => {
  const times = [time('slower', 1.3), time('driftOrChange', 1.3), time('faster', 0.5), time('tooFewCalls', 1)];
  const { cases } = comparisonSuite({ run, cells: [], times }, []);
  expect(cases.map(({ outcome, isOpen }) => [outcome, isOpen])).toEqual([
    ['failed', false],
    ['skipped', true],
    ['passed', false],
    ['skipped', false],
  ]);
  expect(cases[0]!.name).toMatch(/, p99 of sell$/);
  expect(cases[0]!.message).toMatch(/slower/);
  expect(cases[1]!.message).toMatch(/change or drift/);
});
