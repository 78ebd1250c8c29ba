import { describe, expect, it } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import type { LoadSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { shapesOf } from '../kit/scene.fixture.ts';
import { lightTheme } from '../kit/theme.ts';
import { pictureData } from './draw-picture.ts';
import { pictureOf } from './picture.fixture.ts';
import { fittingOptions, type PictureOptions } from './picture-options.ts';
import { cellGrid, cellGroups, heatGrids, pictureLines } from './picture-rows.ts';

/** The throughput doubles with each connection and with each target. */
const made = (targets: number, connections: readonly number[]): RunModel =>
  madeRun({
    targets: Array.from({ length: targets }, (_, i) => ({ name: `server-${i + 1}` })),
    factors: { connections: [...connections] },
    repeats: 2,
    trial: ({ settings, target, repeat }) => ({
      rate: 1_000 * settings.connections * Number(target.slice(7)) * (1 + repeat / 100),
    }),
  });

const duel = fixtureRun({ connections: [1, 4] });
const arranged = (run: RunModel, changed: Partial<PictureOptions>) => {
  const options = { ...fittingOptions(run), ...changed };
  return { options, data: pictureData({ run, shown: run, baseline: {}, options }) };
};
const names = (run: RunModel, changed: Partial<PictureOptions>) => {
  const { data, options } = arranged(run, changed);
  return cellGroups(data, options).map(({ title, cells }) => ({
    title,
    cells: cells.map(({ label, target }) => `${label} on ${target}`),
  }));
};

describe('bars', () => {
  it('stand in the order of the plan or the fastest first, and those without a result last', () => {
    const run = made(2, [1, 2]);
    expect(names(run, { sort: 'planned', group: 'none' })[0]!.cells).toEqual([
      'Connections: 1 on server-1',
      'Connections: 1 on server-2',
      'Connections: 2 on server-1',
      'Connections: 2 on server-2',
    ]);
    expect(names(run, { sort: 'fastest', group: 'none' })[0]!.cells[0]).toBe('Connections: 2 on server-2');
    expect(names(duel, { sort: 'fastest', group: 'none' })[0]!.cells.at(-1)).toMatch(/^bulk .* on SQLite$/);
  });

  it('are called neither faster nor slower where the load set their throughput', () => {
    const run = made(2, [1]);
    const load = { setsThroughput: true } as LoadSummary;
    const paced = { ...run, cells: run.cells.map((cell) => ({ ...cell, load })) };
    const texts = (shown: RunModel) => {
      const options = { ...fittingOptions(shown), metric: 'throughput' } as const;
      const data = pictureData({ run: shown, shown, baseline: { target: 'server-1' }, options });
      return cellGroups(data, options).flatMap(({ cells }) => cells.map(({ ratioText }) => ratioText));
    };
    expect(texts(run).toSorted()).toEqual([expect.stringMatching(/faster$/), 'baseline']);
    expect(texts(paced).toSorted()).toEqual(['baseline', 'set by the load']);
    expect(fittingOptions(run).metric).toBe('throughput');
    expect(fittingOptions(paced).metric).toBe('p99');
  });

  it('show throughput where the file judges a mean that no cell has', () => {
    const run = made(2, [1]);
    const judging = { ...run, plan: { ...run.plan, experiment: { ...run.plan.experiment, judge: ['mean' as const] } } };
    expect(fittingOptions(judging).metric).toBe('mean');
    const cells = run.cells.map((cell) => ({ ...cell, latencyMs: { ...cell.latencyMs, mean: null } }));
    expect(fittingOptions({ ...judging, cells }).metric).toBe('throughput');
  });

  it('put the lowest latency first', () => {
    const { data, options } = arranged(duel, { metric: 'p50', sort: 'fastest', group: 'none' });
    const values = cellGroups(data, options)[0]!.cells.flatMap(({ drawn }) => drawn?.value ?? []);
    expect(values.length).toBeGreaterThan(3);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  });

  it('are grouped by target or variant under their names, and filtered by every word', () => {
    expect(names(duel, { group: 'target' }).map(({ title }) => title)).toEqual(
      expect.arrayContaining(['PostgreSQL', 'SQLite']),
    );
    const [only] = names(duel, { group: 'variant', filter: 'MULTI sqlite 4' });
    expect(only).toEqual({ title: 'multiRow · Connections: 4', cells: ['multiRow · Connections: 4 on SQLite'] });
  });

  it('say why a cell has no value, and leave out a target that does no work', () => {
    const { data, options } = arranged(duel, { group: 'none' });
    const cells = cellGroups(data, options).flatMap((group) => group.cells);
    expect(cells.find(({ variant, target }) => variant.includes('bulk') && target === 'SQLite')!.why).toBe(
      'Skipped: SQLite has no bulk loader.',
    );
    expect(cells.some(({ target }) => target === 'No-op engine')).toBe(false);
  });

  it('say of a cell whose trials are damaged in the file that they are', () => {
    const damage = 'Line 7 could not be read.';
    const run = { ...duel, cells: [], trials: duel.trials.map((view) => ({ ...view, result: null, damage })) };
    const { data, options } = arranged(run, { group: 'none' });
    const whys = cellGroups(data, options).flatMap(({ cells }) => cells.map(({ why }) => why));
    expect(whys).toContain(`Damaged: ${damage}`);
    expect(whys).not.toContain('No trial has finished.');
  });

  it.each([
    ['running', 'No trial has finished yet.'],
    ['cancelled', 'No trial has finished.'],
  ] as const)('promise further trials only while the run goes on: %s', (status, why) => {
    const { data, options } = arranged({ ...duel, cells: [], trials: [], status }, { group: 'none' });
    const whys = cellGroups(data, options).flatMap(({ cells }) => cells.map((cell) => cell.why));
    expect(new Set(whys.filter((one) => !one.startsWith('Skipped: ')))).toEqual(new Set([why]));
  });

  it('begin at the baseline on a log axis, so that their length is the ratio', () => {
    const run = made(1, [1, 1_000]);
    const { scene } = pictureOf(run, {
      baseline: { variant: 'connections=1', target: 'server-1' },
      options: { view: 'chart' },
    });
    const bars = scene!.shapes.filter(
      ({ tag, attributes }) => tag === 'rect' && attributes.className === 'picture-mark',
    );
    const origin = scene!.shapes.find(({ attributes }) => attributes.className === 'picture-one')!;
    expect(bars).toHaveLength(2);
    for (const bar of bars) expect(bar.attributes.x).toBeCloseTo(Number(origin.attributes.x1), 6);
  });
});

describe('a heat map', () => {
  it('has a table for each target with the numbers as columns, or one for the run', () => {
    const byTarget = arranged(duel, { group: 'target', view: 'heatMap' });
    const grids = heatGrids(byTarget.data, byTarget.options);
    expect(grids.map(({ title }) => title)).toEqual(['PostgreSQL', 'SQLite']);
    expect(grids[0]!.columns.map(({ label }) => label)).toEqual(['1', '4']);
    expect(grids[0]!.rows.map(({ label }) => label)).toEqual(['prepared', 'multiRow', 'bulk']);
    const whole = arranged(duel, { group: 'none', view: 'heatMap' });
    expect(heatGrids(whole.data, whole.options)[0]!.columns.map(({ label }) => label)).toEqual([
      'PostgreSQL',
      'SQLite',
    ]);
  });

  it('of 12 targets and 20 levels has every cell within its drawing, none on another', () => {
    const run = made(
      12,
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    const { scene } = pictureOf(run, { options: { view: 'heatMap' }, widthPx: 800 });
    expect(scene!.hits).toHaveLength(240);
    for (const { xPx, yPx, widthPx, heightPx } of scene!.hits) {
      expect(xPx + widthPx).toBeLessThanOrEqual(scene!.widthPx);
      expect(yPx + heightPx).toBeLessThanOrEqual(scene!.heightPx);
      expect(widthPx).toBeGreaterThan(40);
    }
    expect(new Set(scene!.hits.map(({ xPx, yPx }) => `${xPx} ${yPx}`)).size).toBe(240);
  });
});

describe('the table', () => {
  it('has every target, and the order and the filter of the picture', () => {
    const { data, options } = arranged(duel, { sort: 'fastest', filter: 'Connections: 4' });
    const grid = cellGrid(data, options, duel.plan.targets)!;
    expect(grid.columns.map(({ label }) => label)).toEqual(['PostgreSQL', 'SQLite', 'No-op engine']);
    expect(grid.rows.every(({ label }) => label.endsWith('Connections: 4'))).toBe(true);
    const best = grid.rows.map(({ cells }) => Math.max(...cells.flatMap((cell) => cell?.drawn?.value ?? [])));
    expect(best).toEqual(best.toSorted((a, b) => b - a));
  });
});

describe('lines', () => {
  it('are one for each target and combination of the other factors, with rising levels', () => {
    const { data, options } = arranged(duel, { view: 'chart' });
    const lines = pictureLines(data, options, 'connections');
    expect(lines.map(({ label }) => label)).toContain('SQLite · multiRow');
    for (const { points } of lines) expect(points.map(({ x }) => x)).toEqual([1, 4]);
  });

  it('keep the colours of their targets, and let the one that is pointed at stand out', () => {
    const run = made(12, [1, 2, 4, 8]);
    const lines = shapesOf(pictureOf(run, { highlighted: 'server-2' }).scene!).filter(({ tag }) => tag === 'g');
    const opacities = lines.map(({ attributes }) => [attributes['data-series'], attributes.opacity]);
    expect(opacities.filter(([series]) => series !== undefined)).toEqual(
      run.plan.targets.map(({ name }) => [name, name === 'server-2' ? 1 : 0.25]),
    );
    const { svg } = pictureOf(run);
    for (const colour of lightTheme.series.slice(0, 7)) expect(svg).toContain(colour);
  });
});
