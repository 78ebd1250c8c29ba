import { expect, test } from 'vitest';
import { type PlanStep, planId, planShape, unknownStep } from './query-plan.ts';

const step = (more: Partial<PlanStep>): PlanStep => ({
  ...unknownStep,
  kind: 'fullScan',
  operator: 'Seq Scan',
  table: 'orders',
  estimatedRows: 10,
  cost: 1,
  filter: 'email = $1',
  ...more,
});
const idOf = (...steps: readonly PlanStep[]) => planId({ steps });

test('constants, rows and costs do not change the shape of a plan', () => {
  const other = step({
    extent: 'mayStop',
    sharedBy: 2,
    estimatedRows: 7,
    actualRows: 1,
    cost: 9,
    filter: "email = 'a'",
    details: ['Heap Fetches: 3'],
  });
  expect(planShape({ steps: [other] })).toBe(planShape({ steps: [step({})] }));
  expect(idOf(other)).toBe(idOf(step({})));
});

test('another operator, object or nesting is another shape', () => {
  const ids = [
    idOf(step({})),
    idOf(step({ operator: 'Parallel Seq Scan' })),
    idOf(step({ table: 'customers' })),
    idOf(step({ index: 'by_email' })),
    idOf(step({ kind: 'indexScan' })),
    idOf(step({}), step({ depth: 1 })),
    idOf(step({}), step({ depth: 1 }), step({ depth: 1 })),
    idOf(step({}), step({ depth: 1 }), step({ depth: 2 })),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
});

test('the id is the FNV-1a hash of the shape', () => {
  // Reference value of the empty input: the offset basis.
  expect(planId({ steps: [] })).toBe('811c9dc5');
});
