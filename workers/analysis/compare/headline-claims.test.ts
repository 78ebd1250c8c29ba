import { expect, it } from 'vitest';
import { thirdOf } from '#platform/whole.fixture.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { Sfc32 } from '#stats/random/random.ts';
import type { LoadSummary } from '../run-model/run-model.ts';
import { bestOfEach } from './best-of-each.ts';
import { ratios } from './compare.ts';
import { headlineClaims } from './headline-claims.ts';
import { type MadeCells, madeCells } from './made-cells.fixture.ts';

const baseline = { variant: 'v0' };

const grids = [
  [2, 1, 5],
  [3, 1, 3],
  [2, 2, 3],
  [3, 3, 3],
  [2, 6, 3],
  [10, 4, 3],
] as const;

it.each(thirdOf(grids))(
  'claims something of %i × %i equal cells in one run of twenty at most',
  (variants, targets, repeats) => {
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
  },
);

const equalTargets = [
  [1, 2, 3],
  [1, 4, 3],
  [10, 4, 3],
  [6, 2, 3],
  [3, 3, 3],
  [2, 6, 3],
  [2, 2, 5],
] as const;

it.each(thirdOf(equalTargets))(
  'claims something of %i variants of %i equal targets in one run of twenty at most',
  (variants, targets, repeats) => {
    const random = new Sfc32(11);
    const runs = 200;
    let wrong = 0;
    for (let run = 0; run < runs; run++) {
      const cv = (variant: number, target: number) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!;
      const made = madeCells(random, { variants, targets, repeats, cv });
      const { best, certain } = headlineClaims(made, { target: 't0' });
      if (best!.others.some(({ verdict }) => verdict === 'faster') || certain.size > 0) wrong++;
    }
    expect(wrong).toBeLessThanOrEqual(19);
  },
);

/** Throughput that rises with the variant, up to a peak that several variants share. */
const peaks = (speed: readonly number[]) => (variant: number, target: number) =>
  1_000 * speed[target]! * Math.min(3, variant + 1);

it.each([
  [2, [1, 1.2]],
  [6, [1, 1]],
  [6, [1, 1.05]],
  [10, [1, 1.2, 1.2, 0.8]],
])('holds the ratios of the truly best of %i variants on targets of speed %j', (variants, speed) => {
  const random = new Sfc32(13);
  const runs = 200;
  let missed = 0;
  for (let run = 0; run < runs; run++) {
    const cv = (variant: number, target: number) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!;
    const made = madeCells(random, { variants, targets: speed.length, repeats: 4, rate: peaks(speed), cv });
    const { fastest, others } = headlineClaims(made, { target: 't0' }).best!;
    const speedOf = (target: string) => speed[Number(target.slice(1))]!;
    if (
      others.some(({ best, ratio: { low, high } }) => {
        const truth = speedOf(fastest.target) / speedOf(best.target);
        return truth < low! || truth > high!;
      })
    )
      missed++;
  }
  expect(missed).toBeLessThanOrEqual(19);
});

it('is not misled by a target with ten equal variants, of which the luckiest is chosen', () => {
  const random = new Sfc32(11);
  // The best variants of all targets are equal, but only one target has many of them.
  const rate = (variant: number, target: number) => (target === 0 || variant === 0 ? 1_000 : 300);
  let wrong = 0;
  let wrongAlone = 0;
  for (let run = 0; run < 100; run++) {
    const made = madeCells(random, { variants: 10, targets: 4, repeats: 3, rate, cv: () => 0.03 });
    if (headlineClaims(made, { target: 't0' }).best!.others.some(({ verdict }) => verdict === 'faster')) wrong++;
    if (bestOfEach(made, 1)!.others.some(({ verdict }) => verdict === 'faster')) wrongAlone++;
  }
  expect(wrong).toBeLessThanOrEqual(11);
  // Without an allowance for the choice, there would be more.
  expect(wrongAlone).toBeGreaterThan(11);
});

it('finds the faster of two targets, also where their best variants differ, and allows for their choice', () => {
  const at = (best: readonly number[], speed: readonly number[]) =>
    headlineClaims(
      madeCells(new Sfc32(17), {
        ...{ variants: 6, targets: 2, repeats: 3 },
        rate: (variant, target) => 1_000 * speed[target]! - 50 * Math.abs(variant - best[target]!),
        cv: () => 0.01,
      }),
      { target: 't0' },
    );
  const { best, lead } = at([3, 1], [1, 1.6]);
  expect(best!.fastest).toMatchObject({ variant: 'v1', target: 't1' });
  const [{ ratio, verdict, best: other }] = best!.others as [NonNullable<typeof best>['others'][number]];
  expect(other).toMatchObject({ variant: 'v3', target: 't0' });
  expect(verdict).toBe('faster');
  expect(lead).toMatchObject({ certainty: 'certain', rivals: [] });
  expect(ratio.value).toBeCloseTo(1.6, 1);
  const pair = ratios(timesAsFast([1, 1.6], 3, 0.01), { variant: 'v0' })[1]!.ratio;
  expect(ratio.high! - ratio.low!).toBeGreaterThan(pair.high! - pair.low!);
  expect(at([3, 3], [1, 1]).lead).toMatchObject({ certainty: 'uncertain', rivals: [{}] });
});

it('compares no target whose repeats, offered load or results do not allow it', () => {
  const made = (repeats: number) =>
    madeCells(new Sfc32(19), { variants: 2, targets: 3, repeats, rate: (_, target) => 1_000 * (3 - target) });
  const of = (model: ReturnType<typeof madeCells>) => {
    const { best, lead } = headlineClaims(model, { target: 't0' });
    return [lead!.certainty, ...best!.others.map(({ best: { target }, verdict }) => `${target} ${verdict}`)];
  };
  expect(of(made(5))).toEqual(['certain', 't1 faster', 't2 faster']);
  expect(of(made(1))).toEqual(['uncertain', 't1 notEnoughRepeats', 't2 notEnoughRepeats']);
  const model = made(5);
  const changed = (change: (cell: (typeof model.cells)[number]) => Partial<typeof cell>) => ({
    ...model,
    cells: model.cells.map((cell) => ({ ...cell, ...change(cell) })),
  });
  const paced = changed(({ target }) => (target === 't1' ? { load: { setsThroughput: true } as LoadSummary } : {}));
  expect(of(paced)).toEqual(['setByLoad', 't1 setByLoad', 't2 faster']);
  expect(of(changed(({ target }) => ({ clientSaturated: target === 't2' })))).toEqual([
    'clientBound',
    't1 faster',
    't2 faster',
  ]);
  expect(of(changed(({ target }) => (target === 't0' ? {} : { rowsPerSecond: null })))).toEqual(['alone']);
  // A variant that one target did not finish.
  expect(of(changed(({ target, variant }) => (target + variant === 't1v0' ? { rowsPerSecond: null } : {})))).toEqual([
    'certain',
    't1 faster',
    't2 faster',
  ]);
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
const timesAsFast = (times: readonly number[], repeats = 5, cv = 0.05) =>
  madeCells(new Sfc32(3), {
    ...{ variants: times.length, targets: 1, repeats },
    rate: (v) => 1_000 * times[v]!,
    cv: () => cv,
  });

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
