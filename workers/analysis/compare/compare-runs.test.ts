import { describe, expect, it } from 'vitest';
import { keyOf } from '#protocol/cell-key.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { noAnnotation } from '#protocol/run-annotation.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { normal } from '#stats/random/samples.fixture.ts';
import { fixtureRun } from '../run-model/run.fixture.ts';
import type { LoadSummary, RunModel } from '../run-model/run-model.ts';
import { compareRuns, comparisonPromise, comparisonRemarks, earlierRuns } from './compare-runs.ts';
import { madeCells } from './made-cells.fixture.ts';

const model = fixtureRun({ connections: [1] });
const prepared = 'method=prepared connections=1';

const entryOf = (run: Pick<RunModel, 'cells'>, more: Partial<RunEntry> = {}): RunEntry => ({
  id: 'earlier',
  name: 'Insert duel',
  size: null,
  ...noAnnotation,
  isBaseline: false,
  startedAt: '2026-01-01T00:00:00.000Z',
  status: 'complete',
  trialsDone: 1,
  trialsGood: 1,
  trialsPlanned: 1,
  comparison: 'made',
  grade: null,
  targets: [],
  bytes: 1,
  durationMs: 1,
  cells: run.cells.map(({ variant, target, rowsPerSecond }) => ({
    label: variant,
    target,
    index: 0,
    value: rowsPerSecond?.value ?? 1,
    digits: 3,
    unit: 'rows/s',
  })),
  ...more,
});

/**
 * Runs of one experiment whose machine drifts between runs: all cells together by 5 %, and each cell by another 3 %.
 */
function driftingRuns(random: Sfc32, count: number, cells: number): readonly RunModel[] {
  return Array.from({ length: count }, () => {
    const drift = 0.05 * normal(random);
    const own = Array.from({ length: cells }, () => 0.03 * normal(random));
    const rate = (variant: number) => 1_000 * Math.exp(drift + own[variant]!);
    return madeCells(random, { variants: cells, targets: 1, repeats: 5, cv: () => 0.02, rate });
  });
}

describe('compareRuns', () => {
  it('claims a difference in one of twenty comparisons of identical runs at most, whatever drifts between them', () => {
    const random = new Sfc32(11);
    const pairs = 200;
    let claimed = 0;
    let withoutHistory = 0;
    for (let i = 0; i < pairs; i++) {
      const runs = driftingRuns(random, 5, 6);
      const [before, after] = [runs[3]!, runs[4]!];
      const earlier = runs.slice(0, 4).map((run) => entryOf(run));
      if (compareRuns(before, after, earlier).some(({ verdict }) => verdict === 'faster' || verdict === 'slower'))
        claimed++;
      const alone = compareRuns(before, after);
      if (alone.some(({ verdict }) => verdict === 'driftOrChange')) withoutHistory++;
      expect(alone.every(({ verdict }) => verdict !== 'faster' && verdict !== 'slower')).toBe(true);
    }
    // 5 % of 200 and three standard errors.
    expect(claimed).toBeLessThanOrEqual(19);
    // With the scatter of the repeats alone, most pairs would have been called different.
    expect(withoutHistory).toBeGreaterThan(100);
  });

  it('finds a change that is larger than the runs differ by themselves', () => {
    const random = new Sfc32(12);
    const runs = Array.from({ length: 8 }, () =>
      madeCells(random, {
        variants: 3,
        targets: 1,
        repeats: 5,
        cv: () => 0.02,
        rate: () => 1_000 * Math.exp(0.02 * normal(random)),
      }),
    );
    const after = madeCells(random, {
      variants: 3,
      targets: 1,
      repeats: 5,
      cv: () => 0.02,
      rate: (v) => (v === 1 ? 2_000 : 1_000),
    });
    const all = compareRuns(
      runs[7]!,
      after,
      runs.map((run) => entryOf(run)),
    );
    expect(all.map(({ verdict }) => verdict)).toEqual(['notSignificant', 'faster', 'notSignificant']);
    expect(all[1]).toMatchObject({ earlierRuns: 8 });
    for (const { ratio, verdict } of all)
      expect(ratio!.low! <= 1 && ratio!.high! >= 1).toBe(verdict === 'notSignificant');
    expect(comparisonPromise(all, 'dyno …')).toEqual([expect.stringContaining('8 earlier runs')]);
  });

  it('claims nothing where the machine was in another state, however many earlier runs there are', () => {
    const runs = driftingRuns(new Sfc32(13), 6, 1);
    const [before] = runs as [RunModel];
    const earlier = runs.map((run) => entryOf(run));
    const faster = madeCells(new Sfc32(14), { variants: 1, targets: 1, repeats: 5, cv: () => 0.02, rate: () => 3_000 });
    expect(compareRuns(before, faster, earlier)[0]!.verdict).toBe('faster');
    const elsewhere = { ...faster, environment: { ...faster.environment, cores: 64 } };
    const all = compareRuns(before, elsewhere, earlier);
    expect(all[0]!.verdict).toBe('driftOrChange');
    expect(comparisonPromise(all, null).join(' ')).toMatch(/6 earlier runs .* its rounds alternate/);
  });

  it('calls no run faster or slower if the offered load limited its throughput', () => {
    const made = (rate: number, load: boolean) => {
      const run = madeCells(new Sfc32(rate), { variants: 1, targets: 1, repeats: 5, cv: () => 0.02, rate: () => rate });
      return { ...run, cells: run.cells.map((cell) => ({ ...cell, load: { setsThroughput: load } as LoadSummary })) };
    };
    const verdicts = (before: RunModel, after: RunModel) => {
      const earlier = driftingRuns(new Sfc32(13), 6, 1).map((run) => entryOf(run));
      return [compareRuns(before, after), compareRuns(before, after, earlier)].map(([one]) => one!.verdict);
    };
    // The later run offered more load and completed it.
    expect(verdicts(made(1_000, true), made(3_000, true))).toEqual(['setByLoad', 'setByLoad']);
    expect(verdicts(made(3_000, true), made(1_000, true))).toEqual(['setByLoad', 'setByLoad']);
    // Under the same load, a cell that fell behind is slower than a cell that kept up.
    expect(verdicts(made(3_000, true), made(1_000, false))).toEqual(['driftOrChange', 'slower']);
    expect(comparisonPromise(compareRuns(made(1_000, true), made(3_000, true)), null)).toEqual([]);
  });

  it('explains that two runs alone cannot separate drift from change, and names the remedy', () => {
    const [before, after] = driftingRuns(new Sfc32(1), 2, 4) as [RunModel, RunModel];
    const all = compareRuns(before, after, [entryOf(before)]);
    const promise = comparisonPromise(all, 'dyno compare a b --interleaved c').join(' ');
    expect(promise).toContain('cannot tell a change from drift of the machine');
    expect(promise).toMatch(/its rounds alternate.* This command writes it: dyno compare a b --interleaved c$/);
    expect(comparisonPromise(all, null).join(' ')).not.toContain('command');
  });

  it('shows no difference between a run and itself, and marks cells that one run lacks', () => {
    const all = compareRuns(model, fixtureRun({ connections: [1, 2] }));
    const find = (variant: string, target: string) => all.find((one) => keyOf(one) === keyOf({ variant, target }));
    expect(find(prepared, 'SQLite')!.verdict).toBe('notSignificant');
    expect(find('method=bulk connections=2', 'PostgreSQL')).toMatchObject({ verdict: 'missing', before: null });
  });
});

it('takes as earlier runs the complete ones of the experiment that began before the later run', () => {
  const later = { ...model, runId: 'later', startedAt: '2126-01-01T00:00:00.000Z' };
  const own = entryOf(model);
  const others = [
    entryOf(model, { id: 'later' }),
    entryOf(model, { name: 'Another' }),
    entryOf(model, { status: 'cancelled' }),
    entryOf(model, { size: 'Large' }),
    entryOf(model, { startedAt: '2126-01-02T00:00:00.000Z' }),
  ];
  expect(earlierRuns(model, later, [own, ...others])).toEqual([own]);
  const foreign = { ...later, plan: { ...later.plan, experiment: { ...later.plan.experiment, name: 'Another' } } };
  expect(earlierRuns(model, foreign, [own, ...others])).toEqual([]);
});

describe('two runs that are a questionable pair', () => {
  const later = { ...fixtureRun({}), runId: 'later', startedAt: '2126-01-01T00:00:00.000Z' };

  it('are reported: a run with itself, the later run first, nothing in common', () => {
    expect(comparisonRemarks(model, later)).toEqual([]);
    expect(comparisonRemarks(later, model)).toEqual([expect.stringContaining('the later one')]);
    expect(comparisonRemarks(model, model)).toEqual([expect.stringContaining('one run')]);
    const foreign = later.cells.map((cell) => ({ ...cell, target: 'other' }));
    expect(comparisonRemarks(model, { ...later, cells: foreign })).toEqual([
      expect.stringContaining('nothing to compare'),
    ]);
  });
});
