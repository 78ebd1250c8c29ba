import { expect, test } from 'vitest';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { variantText } from '#planning/variant-of.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import type { TimesOfRuns } from '#protocol/runs-alike.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { compareRunTimes } from '../compare/compare-run-times.ts';
import { compareRuns, earlierRuns } from '../compare/compare-runs.ts';
import { madeTimes } from '../compare/made-times.fixture.ts';
import { madeRun } from '../findings/shared/findings.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { compareWithReference } from './compare-with-reference.ts';
import { earlierTimes } from './earlier-times.ts';
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

test('a difference between times is claimed against the times of earlier runs of the experiment alone', () => {
  const timed = (runId: string, startedAt: string, ms: number): RunModel => ({
    ...madeTimes(new Sfc32(ms), {
      ...{ variants: 1, targets: 1, repeats: 5, statements: 1, cv: () => 0.01, correlation: 0 },
      ms: () => ms,
    }),
    ...{ runId, startedAt },
  });
  const [old, now] = [timed('r4', '2026-11-24T08:00:00Z', 10), timed('r5', '2026-11-25T08:00:00Z', 20)];
  const { name } = now.plan.experiment;
  const runs = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((id) => ({
    ...{ id, name, size: null, status: 'complete', startedAt: `2026-11-2${id.slice(1)}T08:00:00Z`, cells: [] },
  })) as unknown as readonly RunEntry[];
  const compared = (all: readonly TimesOfRuns[]) =>
    compareRunTimes(old, now, 0.95, earlierTimes(earlierRuns(old, now, runs), all));
  const known = (values: readonly number[]) =>
    compared([]).map(({ variant, target, work, figure }) => ({
      ...{ label: variantText(now.plan, variant), target, work, quantity: formatFigure(figure) },
      runs: values.map((value, i) => ({ id: `r${i + 1}`, value })),
    }));
  const verdictsOf = (values: readonly number[]) => [...new Set(compared(known(values)).map(({ verdict }) => verdict))];
  expect(verdictsOf([])).toEqual(['driftOrChange']);
  expect(verdictsOf([10, 10.1, 9.9, 10, 20, 20])).toEqual(['slower']);
  expect(verdictsOf([4, 10, 25, 10, 20, 20])).toEqual(['notSignificant']);
});

test('only runs that measured the same as the reference show how much runs differ by themselves', () => {
  const [reference, run] = [1, 2].map((day) => ({
    ...madeRun({ repeats: 5 }),
    ...{ runId: `r${day}`, startedAt: `2026-11-2${day + 3}T08:00:00Z` },
  })) as [RunModel, RunModel];
  const { variant, target } = run.cells[0]!;
  const cell = { label: variantText(run.plan, variant), target, value: 1_000 };
  const runs = ['a', 'b', 'c', 'd'].map((id) => ({
    ...{ id, name: run.plan.experiment.name, size: null, status: 'complete', startedAt: '2026-11-20T08:00:00Z' },
    cells: [cell],
  })) as unknown as readonly RunEntry[];
  const earlierOf = (ids: readonly string[]) =>
    compareWithReference(reference, [run], runs, { ids, times: [] }).others[0]!.cells[0]!.earlierRuns;
  expect([earlierOf(['a', 'b', 'c', 'd']), earlierOf(['b', 'c', 'd']), earlierOf(['c', 'd'])]).toEqual([4, 3, 0]);
});

test('findings that appear or vanish are told for each run, and findings of all runs are not', () => {
  const [plain, busy] = [saturated(false), saturated(true)];
  const [found] = findingsBetween([plain, busy, plain]).filter(({ rule }) => rule.id === 'clientSaturated');
  expect(found!.states.map(({ status }) => status)).toEqual(['notShown', 'shown', 'notShown']);
  expect(findingsBetween([busy, busy])).toEqual([]);
});
