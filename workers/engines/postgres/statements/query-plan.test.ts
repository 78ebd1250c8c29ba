import { describe, expect, test } from 'vitest';
import { type PlanJson, planSteps } from './query-plan.ts';

// This plan has the form of PostgreSQL 15.
const spilledSort = {
  'Node Type': 'Sort',
  'Parallel Aware': false,
  'Total Cost': 12_345.6,
  'Plan Rows': 1_000,
  'Actual Rows': 100_000,
  'Actual Loops': 1,
  'Sort Key': ['email'],
  'Sort Method': 'external merge',
  'Sort Space Used': 4_000,
  'Sort Space Type': 'Disk',
  Plans: [
    {
      'Node Type': 'Seq Scan',
      'Parent Relationship': 'Outer',
      'Parallel Aware': false,
      'Relation Name': 'orders',
      Schema: 'dyno',
      'Total Cost': 1_000,
      'Plan Rows': 1_000,
      'Actual Rows': 100_000,
      'Actual Loops': 1,
      Filter: "((email)::text <> 'a'::text)",
      'Rows Removed by Filter': 3,
    },
  ],
};

test('a plan becomes its steps in pre-order, with what the server counted', () => {
  expect(planSteps(spilledSort)).toEqual([
    {
      depth: 0,
      kind: 'sort',
      operator: 'Sort',
      table: null,
      index: null,
      estimatedRows: 1_000,
      actualRows: 100_000,
      examinedRows: 100_000,
      loops: 1,
      sharedBy: 1,
      extent: 'toEnd',
      cost: 12_345.6,
      spilled: true,
      filter: null,
      details: ['Sort Key: email', 'Sort Method: external merge', 'Sort Space Used: 4000', 'Sort Space Type: Disk'],
    },
    {
      depth: 1,
      kind: 'fullScan',
      operator: 'Seq Scan',
      table: 'orders',
      index: null,
      estimatedRows: 1_000,
      actualRows: 100_000,
      examinedRows: 100_003,
      loops: 1,
      sharedBy: 1,
      extent: 'toEnd',
      cost: 1_000,
      spilled: null,
      filter: "((email)::text <> 'a'::text)",
      details: ['Parent Relationship: Outer', 'Rows Removed by Filter: 3'],
    },
  ]);
});

test.each([
  [{ 'Node Type': 'Index Scan', 'Index Name': 'i', 'Index Cond': '(id = 1)' }, 'indexSeek', 'Index Scan'],
  [
    { 'Node Type': 'Index Only Scan', 'Index Name': 'i', 'Scan Direction': 'Backward' },
    'indexScan',
    'Index Only Scan Backward',
  ],
  [{ 'Node Type': 'Seq Scan', 'Parallel Aware': true }, 'fullScan', 'Parallel Seq Scan'],
  [{ 'Node Type': 'Hash Join', 'Join Type': 'Left' }, 'join', 'Hash Join (Left)'],
  [{ 'Node Type': 'Aggregate', Strategy: 'Hashed' }, 'hash', 'Hashed Aggregate'],
  [{ 'Node Type': 'ModifyTable', Operation: 'Update' }, 'change', 'Update'],
] as const)('%j is of the kind %s', (node, kind, operator) => {
  expect(planSteps(node)).toMatchObject([{ kind, operator, actualRows: null, loops: null, spilled: null }]);
});

test('a step that was not executed has no actual rows, and a hash in several batches has spilled', () => {
  expect(planSteps({ 'Node Type': 'Seq Scan', 'Actual Rows': 0, 'Actual Loops': 0 })).toMatchObject([
    { actualRows: null, examinedRows: null, loops: 0 },
  ]);
  expect(planSteps({ 'Node Type': 'Hash', 'Hash Batches': 4 })).toMatchObject([{ spilled: true }]);
  expect(planSteps({ 'Node Type': 'Hash', 'Hash Batches': 1 })).toMatchObject([{ spilled: false }]);
});

/** "operator: extent" of each step. */
const extents = (plan: PlanJson): readonly string[] =>
  planSteps(plan).map(({ operator, extent }) => `${operator}: ${extent}`);
const node = (type: string, more: Readonly<Record<string, unknown>> = {}, ...plans: readonly PlanJson[]): PlanJson => ({
  'Node Type': type,
  ...more,
  ...(plans.length > 0 && { Plans: plans }),
});
const scan = (relationship: string, more: Readonly<Record<string, unknown>> = {}) =>
  node('Seq Scan', { 'Parent Relationship': relationship, ...more });

describe('how far a step is read', () => {
  test('a step below LIMIT may stop, unless a sort reads it first', () => {
    expect(extents(node('Limit', {}, scan('Outer')))).toEqual(['Limit: toEnd', 'Seq Scan: mayStop']);
    expect(extents(node('Limit', {}, node('Sort', { 'Parent Relationship': 'Outer' }, scan('Outer'))))).toEqual([
      'Limit: toEnd',
      'Sort: mayStop',
      'Seq Scan: toEnd',
    ]);
  });

  test('EXISTS stops at the first row, a hashed subplan and an aggregate read all', () => {
    const sub = (filter: string) =>
      extents(node('Seq Scan', { Filter: filter }, scan('SubPlan', { 'Subplan Name': 'SubPlan 1' })));
    expect(sub('EXISTS(SubPlan 1)')).toEqual(['Seq Scan: toEnd', 'Seq Scan: mayStop']);
    expect(sub('(NOT (ANY (ref = (hashed SubPlan 1).col1)))')).toEqual(['Seq Scan: toEnd', 'Seq Scan: toEnd']);
    const aggregate = node('Aggregate', { Strategy: 'Plain', 'Parent Relationship': 'InitPlan' }, scan('Outer'));
    expect(extents(node('Result', {}, aggregate))).toEqual(['Result: toEnd', 'Aggregate: mayStop', 'Seq Scan: toEnd']);
  });

  test('joins stop the side of which one row is enough, and a merge join goes back in its inner side', () => {
    const join = (type: string, more: Readonly<Record<string, unknown>>, inner = scan('Inner')) =>
      extents(node(type, more, scan('Outer'), inner)).slice(1);
    expect(join('Nested Loop', { 'Join Type': 'Semi' })).toEqual(['Seq Scan: toEnd', 'Seq Scan: mayStop']);
    expect(join('Nested Loop', { 'Join Type': 'Inner', 'Inner Unique': true })[1]).toBe('Seq Scan: mayStop');
    expect(join('Nested Loop', { 'Join Type': 'Inner' })[1]).toBe('Seq Scan: toEnd');
    expect(join('Merge Join', { 'Join Type': 'Inner' })).toEqual(['Seq Scan: mayStop', 'Seq Scan: mayRepeat']);
    const kept = node('Materialize', { 'Parent Relationship': 'Inner' }, scan('Outer'));
    expect(join('Merge Join', { 'Join Type': 'Inner' }, kept).slice(1)).toEqual([
      'Materialize: mayRepeat',
      'Seq Scan: mayStop',
    ]);
    const hash = (rows: number) =>
      join('Hash Join', {}, node('Hash', { 'Parent Relationship': 'Inner', 'Actual Rows': rows }, scan('Outer')));
    expect(hash(0)[0]).toBe('Seq Scan: mayStop');
    expect(hash(5)[0]).toBe('Seq Scan: toEnd');
  });
});

test('a bitmap that combines others has no count of rows', () => {
  const member = node('Bitmap Index Scan', { 'Parent Relationship': 'Member', 'Actual Rows': 100, 'Actual Loops': 1 });
  const counted = { 'Actual Rows': 0, 'Actual Loops': 1, 'Plan Rows': 3_000 };
  for (const type of ['BitmapAnd', 'BitmapOr'])
    expect(planSteps(node(type, counted, member))).toMatchObject([
      { actualRows: null, examinedRows: null },
      { actualRows: 100, extent: 'toEnd' },
    ]);
});

test('processes share a parallel step, and each reads the whole of another', () => {
  const parallel = scan('Outer', { 'Parallel Aware': true, 'Actual Rows': 100, 'Actual Loops': 6 });
  const [gather, own, whole] = planSteps(
    node(
      'Gather',
      { 'Actual Loops': 2 },
      node(
        'Hash Join',
        { 'Parent Relationship': 'Outer', 'Actual Loops': 6 },
        parallel,
        scan('Inner', { 'Actual Loops': 6 }),
      ),
    ),
  ).toSpliced(1, 1);
  expect([gather, own, whole].map((step) => [step?.operator, step?.loops, step?.sharedBy])).toEqual([
    ['Gather', 2, 1],
    ['Parallel Seq Scan', 6, 3],
    ['Seq Scan', 6, 1],
  ]);
});
