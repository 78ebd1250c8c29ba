import { describe, expect, it } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { shapesOf } from '../kit/scene.fixture.ts';
import type { Scene, Shape } from '../kit/scene.ts';
import { lightTheme } from '../kit/theme.ts';
import { pictureOf } from './picture.fixture.ts';

const withClass = (scene: Scene | null, name: string): readonly Shape[] =>
  shapesOf(scene!).filter(({ attributes }) => attributes.className === name);

/** Two repeats that are far apart have an interval that is longer than every bar. */
const wide = madeRun({
  factors: { method: ['prepared', 'bulk'] },
  repeats: 2,
  trial: ({ settings, repeat }) => ({ rate: settings.method === 'bulk' ? 1_000 * repeat : 1_000 + repeat }),
});

describe('bars', () => {
  it('mark an interval that goes on beyond the axis by an arrowhead instead of a cap', () => {
    const [caps, arrows] = [/v8/, /L/].map((end) =>
      withClass(pictureOf(wide).scene, 'picture-whisker').filter(({ attributes }) => end.test(String(attributes.d))),
    );
    expect(arrows).toHaveLength(1);
    expect(caps!.length).toBeGreaterThan(0);
  });

  it('have no axis where no cell has a value', () => {
    const failed = madeRun({
      repeats: 1,
      trial: () => ({
        result: {
          status: 'failed',
          error: { kind: 'syntax', code: null, message: 'No such table.', hint: null, retryable: false },
        },
      }),
    });
    const { scene, svg } = pictureOf(failed);
    expect(svg).toContain('No such table.');
    expect(withClass(scene, 'picture-grid')).toEqual([]);
    expect(svg).not.toContain('rows/s');
    expect(withClass(pictureOf(wide).scene, 'picture-grid').length).toBeGreaterThan(0);
  });

  it('of a sole factor of two levels stand together by what is compared', () => {
    const made = (compare: 'targets' | 'levels') =>
      pictureOf(
        madeRun({
          factors: { 'secondary index': { no: {}, yes: { fetchSize: 7 } } },
          targets: [{ name: 'Alpha' }, { name: 'Beta' }],
          compare,
        }),
      );
    const [targets, levels] = [made('targets'), made('levels')];
    for (const label of ['Secondary index: no', 'Secondary index: yes']) {
      expect(levels.svg.split(label)).toHaveLength(3);
      expect(targets.svg.split(label)).toHaveLength(2);
    }
    for (const label of ['Alpha', 'Beta']) expect(targets.svg.split(`>${label}<`)).toHaveLength(3);
    expect(levels.note).toContain('Ratios refer to Secondary index: no on the same target.');
    expect(targets.note).toContain('Ratios refer to the same variant on Alpha.');
  });
});

describe('the note', () => {
  it('explains the bounds that are drawn, and none where a heat map has none', () => {
    const note = (view: 'chart' | 'heatMap' | 'table') => pictureOf(wide, { options: { view } }).note;
    expect(note('chart')).toMatch(/^Whiskers show 95 % confidence intervals .* an arrowhead/);
    expect(note('table')).toMatch(/^Numbers below a value show 95 % confidence intervals of the mean of the repeats\./);
    expect(note('heatMap')).toMatch(/^Ratios refer to /);
  });
});

describe('a heat map', () => {
  const targets = Array.from({ length: 12 }, (_, i) => ({ name: `server ${i + 1}` }));
  const run = madeRun({
    factors: { method: ['literal', 'bind', 'prepared', 'bulk'], connections: [1, 2, 4, 8, 16] },
    targets,
    repeats: 2,
    trial: ({ target, settings }) => ({
      rate: 1_000 * settings.connections,
      result: { clientSaturated: target === 'server 3' && settings.connections === 16 },
    }),
  });

  it('of 240 cells has a number in each, and a mark in those that are to be read with care', () => {
    const { scene } = pictureOf(run);
    expect(scene!.hits).toHaveLength(240);
    expect(scene!.hits.every(({ widthPx }) => widthPx >= 40)).toBe(true);
    // Four methods, and the legend entry that explains the mark.
    expect(withClass(scene, 'picture-doubt')).toHaveLength(5);
    expect(scene!.hits.filter(({ spoken }) => spoken.includes('Client-bound'))).toHaveLength(4);
  });
});

it('a heat map keeps the levels of names that are too long, or its rows would look alike', () => {
  const run = madeRun({
    factors: { method: ['prepared', 'bulk'], rowsPerCall: [1, 10, 100], connections: [1, 2] },
    targets: Array.from({ length: 10 }, (_, i) => ({ name: `server ${i + 1}` })),
  });
  const scene = pictureOf(run).scene!;
  const heads = shapesOf(scene).filter(({ tag, attributes }) => tag === 'text' && attributes.x === 16);
  const words = heads.map(({ inside }) => inside.join('')).filter((one) => one.startsWith('prepared'));
  expect(words).toHaveLength(6);
  expect(new Set(words).size).toBe(words.length);
});

it('names of targets above a heat map wrap, and are upright only where a word has no room', () => {
  const run = madeRun({
    factors: { method: ['literal', 'bind', 'prepared', 'bulk'], connections: [1, 2, 4] },
    targets: ['PostgreSQL 18 on primary', 'MariaDB 11.8 staging', 'SQL Server 2022', 'Oracle', 'MongoDB', 'SQLite'].map(
      (name) => ({ name }),
    ),
  });
  const drawn = (widthPx: number) => {
    const shapes = shapesOf(pictureOf(run, { options: { view: 'heatMap' }, widthPx }).scene!);
    const isUpright = shapes.some(({ attributes: { transform = '' } }) => String(transform).includes('rotate'));
    return { isUpright, words: shapes.flatMap(({ inside }) => inside) };
  };
  expect(drawn(1_020).isUpright).toBe(false);
  expect(drawn(1_020).words).toEqual(expect.arrayContaining(['PostgreSQL 18 on', 'primary, baseline']));
  expect(drawn(500).isUpright).toBe(true);
});

it('a heat map of ratios has numbers where their words have no room', () => {
  const run = madeRun({
    factors: { method: ['literal', 'bind', 'prepared', 'bulk'], connections: [1, 2] },
    targets: Array.from({ length: 12 }, (_, i) => ({ name: `server ${i + 1}` })),
    trial: ({ settings }) => ({ rate: settings.method === 'bulk' ? 500 : 1_000 }),
  });
  const baseline = { variant: run.plan.variants[0]!.id };
  const drawn = (widthPx: number) => pictureOf(run, { options: { show: 'ratio' }, baseline, widthPx }).svg;
  expect(drawn(760)).toContain('>0.500×<');
  expect(drawn(760)).not.toContain('>50\u00a0% slower<');
  expect(drawn(1_800)).toContain('>50\u00a0% slower<');
});

describe('lines', () => {
  const run = (count: number) =>
    madeRun({
      factors: { rowsPerCall: [1, 10, 100, 1_000] },
      targets: Array.from({ length: count }, (_, i) => ({ name: `server ${i + 1}` })),
      repeats: 2,
      trial: ({ target, settings }) => ({ rate: 1_000 * settings.rowsPerCall + Number(target.split(' ')[1]) }),
    });
  const colours = (scene: Scene | null) =>
    withClass(scene, 'picture-line')
      .filter(({ tag }) => tag === 'polyline')
      .map(({ attributes }) => attributes.stroke);

  it('have colours of their own up to eight', () => {
    expect(new Set(colours(pictureOf(run(8)).scene)).size).toBe(8);
  });

  it('beyond that are neutral where they would share a colour, and are told apart by their names', () => {
    const own = colours(pictureOf(run(12)).scene);
    expect(own.slice(0, 7)).toEqual(lightTheme.series.slice(0, 7));
    expect(new Set(own.slice(7))).toEqual(new Set([lightTheme.muted]));
  });

  it('have names that do not touch each other', () => {
    const names = shapesOf(pictureOf(run(20)).scene!).filter(
      ({ tag, inside }) => tag === 'text' && String(inside[0]).startsWith('server '),
    );
    const places = names.map(({ attributes }) => Number(attributes.y)).toSorted((a, b) => a - b);
    expect(places).toHaveLength(20);
    for (const [i, y] of places.slice(1).entries()) expect(y - places[i]!).toBeGreaterThanOrEqual(15.9);
  });
});
