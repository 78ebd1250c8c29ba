import { describe, expect, it } from 'vitest';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { PictureKind } from '#experiment/schema/gallery-card.ts';
import { sceneText } from './kit/scene.ts';
import { type ChartTheme, lightTheme } from './kit/theme.ts';
import { thumbnail as draw } from './thumbnail.ts';
import { thumbnailFigures } from './thumbnail-figures.ts';

/** The picture, drawn from figures that were written to a file and read again. */
function thumbnail(model: RunModel, theme: ChartTheme, picture: PictureKind): string | null {
  const figures = thumbnailFigures(model, picture);
  return figures === null ? null : sceneText(draw(JSON.parse(JSON.stringify(figures)), theme));
}

const count = (svg: string | null, element: string) => svg?.split(`<${element} `).length ?? 0;

describe('the picture of a run', () => {
  it('has a mark for each cell that was measured, and a key for each target', () => {
    const model = fixtureRun({ connections: [1] });
    const references = new Set(model.targets.filter(({ descriptor }) => descriptor.reference).map(({ name }) => name));
    const cells = model.cells.filter(({ target, rowsPerSecond }) => rowsPerSecond !== null && !references.has(target));
    const keys = new Set(cells.map(({ target }) => target)).size;
    const svg = thumbnail(model, lightTheme, 'throughput');
    expect(count(svg, 'rect') - 1 + count(svg, 'circle') - 1).toBe(cells.length + keys);
    expect(svg).toContain('>PostgreSQL</text>');
  });

  it('names a built-in target as the window does, and not by its id', () => {
    const model = fixtureRun({ connections: [1] });
    const builtIn = [{ target: 'PostgreSQL', label: 'PostgreSQL 18 (built in)', about: '' }];
    const targets = model.targets.map((one) =>
      one.name === 'PostgreSQL' ? { ...one, descriptor: { ...one.descriptor, builtIn } } : one,
    );
    expect(thumbnail({ ...model, targets }, lightTheme, 'throughput')).toContain('>PostgreSQL 18</text>');
  });

  it('has a line for each target over a sweep of four levels or more', () => {
    const svg = thumbnail(fixtureRun({ connections: [1, 2, 4, 8] }), lightTheme, 'throughput');
    expect(count(svg, 'polyline') - 1).toBe(2);
    expect(count(svg, 'circle') - 1).toBe(8);
  });

  it('is the timeline of trials, over the rows so far, or the latency of commits where the card says so', () => {
    const model = fixtureRun({ connections: [1] });
    const timeline = thumbnail(model, lightTheme, 'timeline')!;
    const working = model.targets.filter(({ descriptor }) => !descriptor.reference).map(({ name }) => name);
    const trials = model.trials.filter(({ trial }) => trial.repeat === 1 && working.includes(trial.target));
    expect(trials.length).toBeGreaterThan(1);
    expect(count(timeline, 'polyline') - 1).toBe(trials.length);
    const ends = [...timeline.matchAll(/([\d.]+),[\d.]+" fill="none"/g)].map(([, x]) => Number(x));
    expect(Math.max(...ends)).toBe(352);
    // No group commit occurred in that run.
    expect(thumbnail(model, lightTheme, 'commits')).toBeNull();
  });

  it('has reference targets only where the card says that they are the point', () => {
    const model = fixtureRun({ connections: [1] });
    expect(thumbnail(model, lightTheme, 'throughput')).not.toContain('>No-op engine</text>');
    expect(thumbnail(model, lightTheme, 'references')).toContain('>No-op engine</text>');
  });

  it('leaves no place for a variant that no target measured', () => {
    const model = fixtureRun({ connections: [1] });
    const [skipped, ...others] = model.plan.variants;
    const cells = model.cells.filter(({ variant }) => variant !== skipped!.id);
    const picture = (variants: typeof model.plan.variants) =>
      thumbnail({ ...model, cells, plan: { ...model.plan, variants } }, lightTheme, 'throughput');
    expect(picture(model.plan.variants)).toContain('<rect ');
    expect(picture(model.plan.variants)).toBe(picture(others));
  });

  it('is none where nothing was measured', () => {
    const model = fixtureRun({ connections: [1] });
    expect(thumbnail({ ...model, cells: [] }, lightTheme, 'throughput')).toBeNull();
  });

  it('stays within its frame, also for values far apart', () => {
    const svg = thumbnail(fixtureRun({ connections: [1, 2, 4, 8] }), lightTheme, 'throughput')!;
    for (const [, y] of svg.matchAll(/cy="([^"]+)"/g)) {
      expect(Number(y)).toBeGreaterThanOrEqual(28);
      expect(Number(y)).toBeLessThanOrEqual(120);
    }
  });

  it('has bars from zero, or dots on a log scale that says so: never bars on a log scale', () => {
    const model = fixtureRun({ connections: [1] });
    const spread = (ratio: number) => ({
      ...model,
      cells: model.cells.map((cell, i) => ({
        ...cell,
        rowsPerSecond: { value: i === 0 ? ratio : 1, low: null, high: null, n: 1 },
      })),
    });
    const heights = (svg: string) => [...svg.matchAll(/height="([\d.]+)" fill/g)].map(([, px]) => Number(px));
    const near = thumbnail(spread(10), lightTheme, 'throughput')!;
    const [least, most] = [9.2, 92];
    expect(new Set(heights(near))).toEqual(new Set([least, most]));
    expect(near).not.toContain('log scale');
    const far = thumbnail(spread(1_000), lightTheme, 'throughput')!;
    expect(heights(far)).toEqual([]);
    expect(count(far, 'circle')).toBeGreaterThan(2);
    expect(far).toContain(', log scale');
  });

  it('has a value axis with its unit, and names its variants where they have room', () => {
    const words = (svg: string) => [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(([, one]) => one!);
    const sweep = words(thumbnail(fixtureRun({ connections: [1, 2, 4, 8] }), lightTheme, 'throughput')!);
    expect(sweep[0]).toMatch(/^Throughput \(rows\/s\)/);
    expect(sweep.filter((one) => /^\d+(\.\d+)?[kM]?$/.test(one)).length).toBeGreaterThanOrEqual(6);
    expect(sweep).toContain('Connections');
    const model = fixtureRun({ connections: [1] });
    const shown = words(thumbnail(model, lightTheme, 'latency')!);
    expect(shown[0]).toContain('p99');
    expect(shown.some((one) => one.endsWith('\u00a0ms') || one.endsWith('\u00a0µs'))).toBe(true);
    const long = model.plan.variants.map((one, i) => ({
      ...one,
      levels: { method: `a method with a very long name of its own, which no picture of a card has room for ${i}` },
    }));
    const named = words(thumbnail({ ...model, plan: { ...model.plan, variants: long } }, lightTheme, 'throughput')!);
    expect(named.join(' ')).not.toContain('very long name');
    expect(named).toContain('Method');
  });

  it('has text of at least 12 px on the narrowest card', () => {
    const narrowestCardPx = 318;
    const svg = thumbnail(fixtureRun({ connections: [1] }), lightTheme, 'throughput')!;
    const [, width] = /viewBox="0 0 (\d+) /.exec(svg)!;
    const [, font] = /font-size="(\d+)"/.exec(svg)!;
    expect((Number(font) * narrowestCardPx) / Number(width)).toBeGreaterThanOrEqual(12);
  });
});
