import { expect, test } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { step } from '#analysis/server/query-plans.fixture.ts';
import { planPairTable, planUseTable } from './query-plan-table.ts';

const cell = { variant: 'v', target: 'a' };
const model = {
  cells: [cell],
  plan: { variants: [{ id: 'v', label: 'with', levels: {} }], targets: [{ name: 'a', index: 0 }] },
} as unknown as RunModel;

test('repeats that follow each other are one range', () => {
  const plan = { steps: [step('SCAN', { kind: 'fullScan', table: 'table' })], executed: false } as never;
  const repeats = [1, 2, 3, 5, 7, 8];
  const { rows } = planUseTable(model, {
    statement: null,
    plans: [{ id: 'c7', engine: 'x', plan, uses: [{ ...cell, repeats }] }],
    missing: [],
  });
  expect(rows[0]!.cells).toContain('1–3, 5, 7–8');
});

test('a step that reads far more rows says by how much at least', () => {
  const plan = (examinedRows: number) =>
    ({
      engine: 'x',
      plan: {
        steps: [step('SCAN', { kind: 'fullScan', table: 't', actualRows: 12, examinedRows, loops: 1 })],
        executed: true,
      },
    }) as never;
  expect(planPairTable(plan(50_000), plan(12)).rows[0]!.cells.at(-1)).toBe('rows read (by 10 times or more)');
  expect(planPairTable(plan(50_000), plan(49_000)).rows[0]!.cells.at(-1)).toBe('');
});
