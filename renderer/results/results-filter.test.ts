import { expect, test } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { filtered, noFilter } from './results-filter.ts';

const cells = [
  { variant: 'a', target: 'x' },
  { variant: 'a', target: 'y' },
  { variant: 'b', target: 'y' },
];
// The model has only the properties that the filter reads.
const model = {
  plan: {
    targets: [
      { name: 'x', engine: 'e', index: 0 },
      { name: 'y', engine: 'e', index: 1 },
    ],
    variants: [{ id: 'a' }, { id: 'b' }],
  },
  trials: cells.map((trial) => ({ trial })),
  cells,
  skipped: [],
  sessionsLeft: [],
  halted: null,
  searches: [],
} as unknown as RunModel;

test('without a filter the model is the same object', () => {
  expect(filtered(model, noFilter)).toBe(model);
});

test('a hidden target is gone and the others keep their index', () => {
  const shown = filtered(model, { hiddenTargets: new Set(['x']), variant: null });
  expect(shown.plan.targets).toEqual([{ name: 'y', engine: 'e', index: 1 }]);
  expect(shown.cells).toEqual(cells.slice(1));
});

test('one variant alone keeps its cells on every target', () => {
  const shown = filtered(model, { hiddenTargets: new Set(), variant: 'a' });
  expect(shown.trials).toHaveLength(2);
  expect(shown.plan.variants).toHaveLength(1);
});
