import { expect, test } from 'vitest';
import { compareRuns } from '../compare/compare-runs.ts';
import { madeRun } from '../findings/shared/findings.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { compareWithReference } from './compare-with-reference.ts';
import { findingsBetween } from './findings-between.ts';

const saturated = (isSaturated: boolean): RunModel =>
  madeRun({ repeats: 3, trial: () => ({ result: { clientSaturated: isSaturated } }) });

test('the intervals of several runs and of their statements hold together, so they are wider than those of two runs', () => {
  const runs = [1, 2, 3].map((seed) =>
    madeRun({ repeats: 5, trial: ({ repeat }) => ({ rate: 1_000 + seed * repeat }) }),
  );
  const [reference, first, second] = runs as [RunModel, RunModel, RunModel];
  const alone = compareRuns(reference, first);
  const together = compareWithReference(reference, [first, second]);
  expect(together.claims).toBe(2 * alone.length);
  const [own] = together.others;
  expect(own!.cells[0]!.ratio!.value).toBe(alone[0]!.ratio!.value);
  expect(own!.cells[0]!.ratio!.low).toBeLessThan(alone[0]!.ratio!.low!);
  expect(own!.cells[0]!.ratio!.high).toBeGreaterThan(alone[0]!.ratio!.high!);
});

test('findings that appear or vanish are told for each run, and findings of all runs are not', () => {
  const [plain, busy] = [saturated(false), saturated(true)];
  const [found] = findingsBetween([plain, busy, plain]).filter(({ rule }) => rule.id === 'clientSaturated');
  expect(found!.states.map(({ status }) => status)).toEqual(['notShown', 'shown', 'notShown']);
  expect(findingsBetween([busy, busy])).toEqual([]);
});
