import { expect, test } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { step } from '#analysis/server/query-plans.fixture.ts';
import { planName, planNames, planPairTable, planUseTable, stepTable } from './query-plan-table.ts';

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
  const far = planPairTable(plan(50_000), plan(12));
  expect(far.columns.at(-1)!.title).toBe('Differs in');
  expect(far.rows[0]!.cells.at(-1)).toBe('rows read (by 10 times or more)');
  const near = planPairTable(plan(50_000), plan(49_000));
  expect(near.columns.map(({ title }) => title)).not.toContain('Differs in');
  expect(near.rows[0]!.cells).toHaveLength(near.columns.length);
});

test('plans are named by the work they do, and plans of one engine that do the same are numbered', () => {
  const seek = step('Index Scan', { kind: 'indexSeek', table: 'orders', index: 'orders_created' });
  expect(planName([step('Limit'), seek])).toBe('index seek orders_created');
  expect(planName([step('ref', { kind: 'indexSeek', table: 'orders', index: 'PRIMARY' })])).toBe(
    'index seek orders PRIMARY',
  );
  const scan = step('Seq Scan', { kind: 'fullScan', table: 'orders', depth: 1 });
  expect(planName([step('Sort', { kind: 'sort', spilled: true }), scan])).toBe('sort (spilled), full scan orders');
  expect(planName([step('Result')])).toBe('Result');
  const used = (id: string, engine: string) => ({
    ...{ id, engine, uses: [] },
    plan: { command: '', executed: true, steps: [seek], text: '', printed: null },
  });
  const names = planNames([used('1', 'x'), used('2', 'x'), used('1', 'y')]);
  expect([...names.values()]).toEqual([
    'index seek orders_created',
    'index seek orders_created (2)',
    'index seek orders_created',
  ]);
});

test('an estimate that is far off is marked beside the rows, and only then the table has a column for it', () => {
  const of = (estimatedRows: number, actualRows: number) =>
    stepTable({
      plan: {
        ...{ command: '', executed: true, text: '', printed: null },
        steps: [step('Seq Scan', { kind: 'fullScan', table: 't', estimatedRows, actualRows, loops: 1 })],
      },
    });
  const estimates = (table: ReturnType<typeof of>) => {
    const at = table.columns.findIndex(({ title }) => title === 'Estimate');
    return at < 0 ? null : table.rows.map(({ cells }) => cells[at]);
  };
  expect(estimates(of(10, 50_000))).toEqual([{ text: '5,000× too low', tone: 'differs' }]);
  expect(estimates(of(50_000, 100))).toEqual([{ text: '500× too high', tone: 'differs' }]);
  expect(estimates(of(900, 1_000))).toBeNull();
});
