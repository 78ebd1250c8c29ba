import { expect, test } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import { formatLevels } from '#planning/variant-of.ts';
import type { Variant } from '#protocol/plan.ts';
import { choosePicture } from './choose-picture.ts';

const variantsOf = (factors: Readonly<Record<string, Variant['levels'][string][]>>): readonly Variant[] =>
  Object.entries(factors)
    .reduce<readonly Variant['levels'][]>(
      (all, [name, levels]) => all.flatMap((one) => levels.map((level) => ({ ...one, [name]: level }))),
      [{}],
    )
    .map((levels) => ({ id: formatLevels(levels), label: formatLevels(levels), levels, settings: defaultSettings }));

const pictureOf = (factors: Parameters<typeof variantsOf>[0], targets: number, search?: 'users') =>
  choosePicture({
    variants: variantsOf(factors),
    targets: Array.from({ length: targets }),
    measure: search ? { search: { find: 'limit', setting: search, from: 1, to: 64, relativeStep: 0.05 } } : {},
    experiment: { goals: { p99Ms: 50 } },
  });

test('names are compared by bars, and where they are many by a heat map', () => {
  expect(pictureOf({}, 3)).toEqual({ kind: 'bars' });
  expect(pictureOf({ method: ['prepared', 'bulk', 'literal'] }, 12)).toEqual({ kind: 'bars' });
  expect(pictureOf({ method: ['prepared', 'bulk', 'literal', 'bind'] }, 12)).toEqual({ kind: 'heatMap' });
});

test('numbers make lines, but two of them bars', () => {
  expect(pictureOf({ rowsPerCall: [1, 10, 100] }, 2)).toEqual({ kind: 'lines', factor: 'rowsPerCall' });
  expect(pictureOf({ rowsPerCall: [1, 100] }, 2)).toEqual({ kind: 'bars' });
  expect(pictureOf({ users: [1, 8, 64] }, 2)).toEqual({ kind: 'users', factor: 'users' });
});

test('two factors make a heat map; a factor with one level is none', () => {
  expect(pictureOf({ method: ['prepared', 'bulk'], connections: [1, 4, 8] }, 1)).toEqual({ kind: 'heatMap' });
  expect(pictureOf({ method: ['prepared'], connections: [1, 4, 8] }, 1)).toEqual({
    kind: 'lines',
    factor: 'connections',
  });
});

test('a search is drawn over its load, with its limit', () => {
  expect(pictureOf({ users: [1, 2] }, 1, 'users')).toEqual({ kind: 'search', factor: 'users', limitMs: 50 });
});
