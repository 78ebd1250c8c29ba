import { expect, test } from 'vitest';
import type { RunComparison } from '#analysis/compare/compare-runs.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { comparedRunsAnswer } from './compared-runs-answer.ts';

const after = fixtureRun({ connections: [1] });
const [first, second] = after.plan.variants;

const cell = (variant: string, value: number, verdict: RunComparison['verdict']): RunComparison => ({
  ...{ variant, target: 'Alpha', before: null, after: null, verdict, earlierRuns: 0 },
  ratio: { value, low: value * 0.9, high: value * 1.1, n: 5 },
});
const answerOf = (...all: readonly RunComparison[]) => comparedRunsAnswer(after, all);

test('names the cell that differs most, and the direction of all that differ', () => {
  const slower = answerOf(cell(first!.id, 0.7, 'slower'), cell(second!.id, 0.5, 'slower'));
  expect(slower.headline).toContain('2 of 2 cells are slower');
  expect(slower.headline).toContain(`${second!.label} on Alpha: 50`);
  expect(slower.isCertain).toBe(true);
  const both = answerOf(cell(first!.id, 3, 'faster'), cell(second!.id, 0.5, 'slower'));
  expect(both.headline).toContain('differ (1 is faster, 1 is slower)');
  expect(both.headline).toContain(`${first!.label} on Alpha: 3.0`);
});

test('a difference that may be drift is never certain, and does not replace a difference that is', () => {
  const open = cell(first!.id, 0.2, 'driftOrChange');
  const alone = answerOf(open, cell(second!.id, 1, 'notSignificant'));
  expect(alone.headline).toContain('1 of 2 cells differs');
  expect(alone).toMatchObject({ isCertain: false, certainty: expect.stringContaining('drift') });
  const beside = answerOf(open, cell(second!.id, 0.9, 'slower'));
  expect(beside.headline).toContain('1 of 2 cells is slower');
  expect(beside.headline).toContain(second!.label);
  expect(beside.certainty).toContain('1 more cell may have changed or drifted');
});

test('claims nothing for cells without a difference, and says where nothing can be compared', () => {
  const same = answerOf(cell(first!.id, 1.02, 'notSignificant'));
  expect(same).toMatchObject({ headline: 'No difference is shown in 1 cell', isCertain: false });
  expect(same.certainty).toContain('More repeats');
  // The differences between earlier runs widen the interval, and more repeats would not change them.
  const known = answerOf({ ...cell(first!.id, 1.02, 'notSignificant'), earlierRuns: 4 });
  expect(known.certainty).toContain('earlier runs');
  expect(answerOf(cell(first!.id, 1, 'notComparable'), cell(second!.id, 1, 'missing')).certainty).toBeNull();
});
