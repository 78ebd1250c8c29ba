import { expect, it } from 'vitest';
import { keyOf } from '#protocol/cell-key.ts';
import { Sfc32 } from '#stats/random/random.ts';
import type { LoadSummary } from '../run-model/run-model.ts';
import { ratios } from './compare.ts';
import { headlineClaims } from './headline-claims.ts';
import { type MadeCells, madeCells } from './made-cells.fixture.ts';

const baseline = { variant: 'v0' };

it.each([
  [2, 1, 5],
  [3, 1, 3],
  [2, 2, 3],
  [3, 3, 3],
  [2, 6, 3],
  [10, 4, 3],
])('claims something of %i × %i equal cells in one run of twenty at most', (variants, targets, repeats) => {
  const random = new Sfc32(7);
  const runs = 200;
  let wrong = 0;
  for (let run = 0; run < runs; run++) {
    // Cells with different scatter, as in real runs.
    const cv = (variant: number, target: number) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!;
    const { lead, certain } = headlineClaims(madeCells(random, { variants, targets, repeats, cv }), baseline);
    if (lead!.certainty === 'certain' || certain.size > 0) wrong++;
  }
  // 5 % of 200 and three standard errors.
  expect(wrong).toBeLessThanOrEqual(19);
});

it('leaves the verdict of a single ratio as it is: 10 % at scatter 5 % is found in 3 of 5 runs of 5 repeats', () => {
  const random = new Sfc32(5);
  const made: MadeCells = { variants: 4, targets: 1, repeats: 5, rate: (variant) => (variant === 1 ? 1_100 : 1_000) };
  let found = 0;
  let certain = 0;
  for (let run = 0; run < 100; run++) {
    const model = madeCells(random, made);
    const ratio = ratios(model, baseline).find(({ variant }) => variant === 'v1')!;
    if (ratio.verdict === 'faster') found++;
    if (headlineClaims(model, baseline).certain.has(keyOf(ratio))) certain++;
  }
  expect(found).toBeGreaterThan(50);
  expect(certain).toBeGreaterThan(20);
  expect(certain).toBeLessThan(found);
});

/** The same run with variants whose throughput the offered load limited. */
const setByLoad = (model: ReturnType<typeof madeCells>, ...variants: readonly string[]) => ({
  ...model,
  cells: model.cells.map((cell) => ({
    ...cell,
    load: variants.includes(cell.variant) ? ({ setsThroughput: true } as LoadSummary) : cell.load,
  })),
});

it('does not call slower who did all that its load asked for, and leaves the others’ verdicts as they are', () => {
  const model = timesAsFast([1, 2, 0.5]);
  const verdicts = (of: typeof model) => ratios(of, baseline).map(({ verdict }) => verdict);
  expect(verdicts(model)).toEqual(['baseline', 'faster', 'slower']);
  // The baseline's throughput is a lower bound: a faster cell may in fact be slower, and a slower cell is slower.
  expect(verdicts(setByLoad(model, 'v0'))).toEqual(['baseline', 'setByLoad', 'slower']);
  expect(verdicts(setByLoad(model, 'v1'))).toEqual(['baseline', 'faster', 'slower']);
  expect(verdicts(setByLoad(model, 'v2'))).toEqual(['baseline', 'faster', 'setByLoad']);
  const { lead } = headlineClaims(setByLoad(model, 'v0', 'v2'), baseline);
  expect(lead).toMatchObject({ certainty: 'setByLoad', rivals: [] });
  expect(lead!.byLoad.map(({ variant }) => variant)).toEqual(['v0', 'v2']);
});

/** Variants on one target, each by a factor faster than another. */
const timesAsFast = (times: readonly number[], repeats = 5) =>
  madeCells(new Sfc32(3), { variants: times.length, targets: 1, repeats, rate: (v) => 1_000 * times[v]! });

it('is certain of a lead only where the fastest differs from all others, and counts those that may be as fast', () => {
  const of = (times: readonly number[], repeats?: number) => {
    const { fastest, certainty, rivals } = headlineClaims(timesAsFast(times, repeats), baseline).lead!;
    return [fastest.variant, certainty, rivals.length];
  };
  expect(of([1, 2, 1.5])).toEqual(['v1', 'certain', 0]);
  expect(of([1, 2, 2])).toEqual([expect.stringMatching(/v[12]/), 'uncertain', 1]);
  expect(of([2, 2, 1, 2])).toEqual([expect.any(String), 'uncertain', 2]);
  expect(of([1, 2], 1)).toEqual(['v1', 'uncertain', 1]);
  expect(of([1])).toEqual(['v0', 'alone', 0]);
});

it('has no lead where nothing was measured', () => {
  const model = timesAsFast([1, 2]);
  const cells = model.cells.map((cell) => ({ ...cell, rowsPerSecond: null }));
  expect(headlineClaims({ ...model, cells }, baseline).lead).toBeNull();
});
