import { describe, expect, it } from 'vitest';
import { baselineOf, type Compare, compareOf } from '#planning/rates/baseline.ts';
import { fixtureRun } from '../run-model/run.fixture.ts';
import { ratios } from './compare.ts';

const model = fixtureRun({ connections: [1] });
const bulk = 'method=bulk connections=1';
const prepared = 'method=prepared connections=1';
const find = <T extends { variant: string; target: string }>(list: readonly T[], variant: string, target: string) =>
  list.find((item) => item.variant === variant && item.target === target);

describe('ratios', () => {
  it('compares each variant with the same one on the baseline target', () => {
    const all = ratios(model, { target: 'PostgreSQL' });
    const { ratio, verdict } = find(all, prepared, 'SQLite')!;
    expect(verdict).toBe('faster');
    expect(ratio.value).toBeGreaterThan(5);
    expect(ratio.low!).toBeLessThan(ratio.value);
    expect(find(all, prepared, 'PostgreSQL')!.verdict).toBe('baseline');
  });

  it('compares variants on their own target', () => {
    const all = ratios(model, { variant: prepared });
    expect(find(all, bulk, 'PostgreSQL')!.ratio.value).toBeGreaterThan(30);
    expect(find(all, prepared, 'SQLite')!.verdict).toBe('baseline');
    expect(find(all, bulk, 'SQLite')).toBeUndefined();
  });

  it('compares everything with one cell', () => {
    const all = ratios(model, { variant: bulk, target: 'PostgreSQL' });
    expect(find(all, prepared, 'PostgreSQL')!.verdict).toBe('slower');
    expect(all.filter(({ verdict }) => verdict === 'baseline')).toHaveLength(1);
  });

  it('gives values without verdicts where there was one repeat', () => {
    const single = ratios(fixtureRun({ connections: [1], repeats: 1 }), { target: 'PostgreSQL' });
    const { ratio, verdict } = find(single, prepared, 'SQLite')!;
    expect(verdict).toBe('notEnoughRepeats');
    expect(ratio).toMatchObject({ low: null, high: null, n: 1 });
  });
});

describe('baselineOf', () => {
  const withBaseline = (baseline: Record<string, string | number>, compare?: Compare) => ({
    ...model,
    plan: { ...model.plan, experiment: { ...model.plan.experiment, baseline, compare } },
  });

  it('is the first of several targets, otherwise the first variant, unless the file names another', () => {
    expect(baselineOf(model)).toEqual({ target: 'PostgreSQL' });
    const alone = {
      ...model,
      plan: { ...model.plan, targets: model.plan.targets.filter(({ name }) => name !== 'SQLite') },
    };
    expect(baselineOf(alone)).toEqual({ variant: prepared });
    expect(baselineOf(withBaseline({ method: 'bulk' }))).toEqual({ variant: bulk });
    expect(baselineOf(withBaseline({ method: 'bulk', target: 'SQLite' }))).toEqual({ variant: bulk, target: 'SQLite' });
  });

  it('is the part of the file’s baseline that belongs to what is compared', () => {
    const cell = { method: 'bulk', target: 'SQLite' };
    expect(baselineOf(withBaseline(cell, 'targets'))).toEqual({ target: 'SQLite' });
    expect(baselineOf(withBaseline(cell, 'levels'))).toEqual({ variant: bulk });
    expect(baselineOf(withBaseline({ method: 'bulk' }, 'targets'))).toEqual({ target: 'PostgreSQL' });
    expect(baselineOf(withBaseline({ target: 'SQLite' }, 'levels'))).toEqual({ variant: prepared });
    expect(baselineOf(withBaseline({ method: 'bulk' }, 'levels'), 'targets')).toEqual({ target: 'PostgreSQL' });
    expect(baselineOf(model, 'levels')).toEqual({ variant: prepared });
    expect(compareOf(model, { target: 'SQLite', variant: bulk })).toBe('targets');
    expect(compareOf(model, { variant: bulk })).toBe('levels');
  });

  it('is the default where the file names a level or a target that is gone', () => {
    for (const gone of [
      { target: 'nobody' },
      { method: 'gone' },
      { method: 'bulk', target: 'nobody' },
      { other: 'x', target: 'SQLite' },
    ])
      expect(baselineOf(withBaseline(gone as Record<string, string>))).toEqual({ target: 'PostgreSQL' });
  });

  it('is never the no-op engine if there is another', () => {
    const several = fixtureRun({ connections: [1, 2] });
    const turned = { ...several, plan: { ...several.plan, targets: several.plan.targets.toReversed() } };
    expect(baselineOf(turned)).toEqual({ target: 'SQLite' });
  });
});
