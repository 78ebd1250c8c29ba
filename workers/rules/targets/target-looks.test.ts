import { expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { hues, leastUsedHue } from '#model/hues.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { referenceIndex } from '#protocol/plan.ts';
import { parseFile } from '../parsed-file.ts';
import { looksOf } from './target-looks.ts';

const own = (hue: number) => ({ hue, isReference: false });
const unknown = { hue: null, isReference: false };
const reference = { hue: null, isReference: true };

test('a target keeps its colour whatever stands beside it', () => {
  expect(looksOf([own(4), own(2)])).toEqual([4, 2]);
  expect(looksOf([own(2), own(4)])).toEqual([2, 4]);
  expect(looksOf([unknown, own(0)])).toEqual([1, 0]);
});

test('no two targets of a run look the same: who comes second to a hue is neutral, as references are', () => {
  expect(looksOf([own(3), own(3), own(5), own(3)])).toEqual([3, hues, 5, hues + 1]);
  expect(looksOf([own(0), reference])).toEqual([0, referenceIndex + 1]);
  const many = looksOf([...Array.from({ length: 12 }, () => unknown), reference]);
  expect(new Set(many).size).toBe(13);
  expect(many.filter((index) => index < hues)).toHaveLength(hues);
});

test('new connections get the hue that the fewest have', () => {
  const given = Array.from({ length: 2 * hues }).reduce<readonly number[]>((all) => [...all, leastUsedHue(all)], []);
  expect(given.slice(0, hues).toSorted()).toEqual(Array.from({ length: hues }, (_, i) => i));
  expect(given.slice(hues)).toEqual(given.slice(0, hues));
  expect(leastUsedHue([])).toBeGreaterThan(1);
});

test('built-in targets have hues of their own', () => {
  const builtIn = catalog.flatMap(({ descriptor }) => (descriptor.reference ? [] : descriptor.builtIn));
  const given = builtIn.flatMap(({ hue }) => hue ?? []);
  expect(new Set(given).size).toBe(given.length);
  expect(given).toHaveLength(Math.min(hues, builtIn.length));
});

test('a connection has its colour in every experiment, in the place of its name', () => {
  const indexes = (targets: string) =>
    planExperiment(
      parseFile(
        [
          'dyno: 1',
          'name: Looks',
          'question: Which?',
          'dataset: { rows: 10, columns: { id: { type: sequence } } }',
          'workload: { operation: insert }',
          `targets: ${targets}`,
        ].join('\n'),
      ),
      {
        catalog: catalog.map(({ descriptor }) => descriptor),
        connections: [{ name: 'staging', engine: 'postgres', hue: 4 }],
      },
    ).plan?.targets.map(({ name, index }) => [name, index]);
  expect(indexes('[staging, sqlite, noop]')).toEqual([
    ['staging', 4],
    ['sqlite', 1],
    ['noop', referenceIndex + 2],
  ]);
  expect(indexes('[embedded-postgres, sqlite, staging]')).toEqual([
    ['embedded-postgres', 0],
    ['sqlite', 1],
    ['staging', 4],
  ]);
});
