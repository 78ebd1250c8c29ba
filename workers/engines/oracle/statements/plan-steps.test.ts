import { expect, test } from 'vitest';
import { type PlanRow, planSteps } from './plan-steps.ts';

let id = 0;
/** A row of V$SQL_PLAN_STATISTICS_ALL as Oracle 19c has it. */
const row = (
  parent: number | null,
  operation: string,
  options: string | null,
  more: Partial<PlanRow> = {},
): PlanRow => ({
  id: id++,
  parent_id: parent,
  operation,
  options,
  object_name: null,
  table_name: null,
  cardinality: null,
  cost: null,
  access_predicates: null,
  filter_predicates: null,
  last_starts: null,
  last_output_rows: null,
  last_cr_buffer_gets: null,
  last_execution: null,
  ...more,
});
const stepsOf = (make: () => readonly PlanRow[]) => {
  id = 0;
  return planSteps(make());
};
const extents = (make: () => readonly PlanRow[]): readonly string[] =>
  stepsOf(make).map(({ depth, operator, extent }) => `${depth} ${operator} ${extent}`);

test('rows are those of one start, and an index has its table', () => {
  const steps = stepsOf(() => [
    row(null, 'SELECT STATEMENT', null, { cost: 120, last_starts: 1, last_output_rows: 40 }),
    row(0, 'NESTED LOOPS', null, { cardinality: 40, last_starts: 1, last_output_rows: 40 }),
    row(1, 'TABLE ACCESS', 'FULL', {
      object_name: 'DYNO_T1',
      cardinality: 20,
      cost: 110,
      filter_predicates: '"CODE"=:1',
      last_starts: 1,
      last_output_rows: 20,
      last_cr_buffer_gets: 160,
    }),
    row(1, 'INDEX', 'RANGE SCAN', {
      object_name: 'DYNO_T2_I1',
      table_name: 'DYNO_T2',
      cardinality: 2,
      access_predicates: '"B"="A"',
      last_starts: 20,
      last_output_rows: 40,
    }),
  ]);
  expect(steps).toMatchObject([
    { depth: 0, kind: 'other', operator: 'SELECT STATEMENT', actualRows: 40 },
    { depth: 1, kind: 'join', operator: 'NESTED LOOPS', loops: 1 },
    {
      depth: 2,
      kind: 'fullScan',
      operator: 'TABLE ACCESS FULL',
      table: 'DYNO_T1',
      index: null,
      estimatedRows: 20,
      actualRows: 20,
      examinedRows: null,
      filter: '"CODE"=:1',
      extent: 'toEnd',
      details: ['Consistent gets: 160'],
    },
    {
      kind: 'indexSeek',
      operator: 'INDEX RANGE SCAN',
      table: 'DYNO_T2',
      index: 'DYNO_T2_I1',
      actualRows: 2,
      loops: 20,
      details: ['Access: "B"="A"'],
    },
  ]);
});

test('a sort in one pass and more has spilled, in its memory not, and a step that never started has no rows', () => {
  const sort = (more: Partial<PlanRow>) => stepsOf(() => [row(null, 'SORT', 'ORDER BY', more)])[0];
  expect(sort({ last_execution: '1 PASS' })).toMatchObject({
    kind: 'sort',
    spilled: true,
    details: ['Work area: 1 PASS'],
  });
  expect(sort({ last_execution: 'OPTIMAL' })).toMatchObject({ spilled: false });
  expect(sort({})).toMatchObject({ spilled: null });
  expect(sort({ last_starts: 0, last_output_rows: 0 })).toMatchObject({ loops: 0, actualRows: null });
});

test('what a row limit or EXISTS may stop is told, and what a sort reads first is read to its end', () => {
  expect(
    extents(() => [row(null, 'SELECT STATEMENT', null), row(0, 'COUNT', 'STOPKEY'), row(1, 'TABLE ACCESS', 'FULL')]),
  ).toEqual(['0 SELECT STATEMENT toEnd', '1 COUNT STOPKEY toEnd', '2 TABLE ACCESS FULL mayStop']);
  expect(
    extents(() => [
      row(null, 'COUNT', 'STOPKEY'),
      row(0, 'SORT', 'ORDER BY STOPKEY'),
      row(1, 'TABLE ACCESS', 'FULL'),
    ]).at(-1),
  ).toBe('2 TABLE ACCESS FULL toEnd');
  expect(
    extents(() => [row(null, 'FILTER', null), row(0, 'TABLE ACCESS', 'FULL'), row(0, 'INDEX', 'RANGE SCAN')]),
  ).toEqual(['0 FILTER toEnd', '1 TABLE ACCESS FULL toEnd', '1 INDEX RANGE SCAN mayStop']);
  expect(
    extents(() => [
      row(null, 'MERGE JOIN', null),
      row(0, 'INDEX', 'FULL SCAN'),
      row(0, 'SORT', 'JOIN'),
      row(2, 'TABLE ACCESS', 'FULL'),
    ]),
  ).toEqual(['0 MERGE JOIN toEnd', '1 INDEX FULL SCAN mayStop', '1 SORT JOIN mayRepeat', '2 TABLE ACCESS FULL toEnd']);
});

test('processes share a scan in blocks', () => {
  const steps = stepsOf(() => [
    row(null, 'PX COORDINATOR', null, { last_starts: 1 }),
    row(0, 'PX BLOCK', 'ITERATOR', { last_starts: 2 }),
    row(1, 'TABLE ACCESS', 'FULL', { last_starts: 26, last_output_rows: 52 }),
  ]);
  expect(steps.at(-1)).toMatchObject({ loops: 26, sharedBy: 26, actualRows: 2 });
});

test('no row is no plan', () => {
  expect(planSteps([])).toEqual([]);
});
