import { expect, test } from 'vitest';
import { accessPathSteps } from './access-paths.ts';
import { type Json, planSteps } from './plan-steps.ts';
import { planJson } from './query-plan.ts';

const told = (json: Json, steps = planSteps(json, 'SELECT')) =>
  steps.map(({ depth, kind, operator, table, index, estimatedRows, actualRows, examinedRows, spilled }) => ({
    step: `${depth} ${kind} ${operator}${table === null ? '' : ` ${table}`}${index === null ? '' : ` by ${index}`}`,
    rows: [estimatedRows, actualRows, examinedRows],
    spilled,
  }));

test('MariaDB: sorts, joins and tables, with the rows that ANALYZE counted', () => {
  // The plan has the form of MariaDB 10.11.
  const json = {
    query_block: {
      select_id: 1,
      r_loops: 1,
      nested_loop: [
        {
          read_sorted_file: {
            filesort: {
              sort_key: 'a.note',
              r_loops: 1,
              r_sort_passes: 3,
              r_output_rows: 40,
              table: {
                table_name: 'a',
                access_type: 'ALL',
                r_loops: 1,
                rows: 1_000,
                r_rows: 990,
                filtered: 10,
                r_filtered: 4,
                attached_condition: 'a.note > 5',
              },
            },
          },
        },
        { table: { table_name: 'b', access_type: 'eq_ref', key: 'PRIMARY', r_loops: 40, rows: 1, r_rows: 1 } },
      ],
    },
  };
  expect(told(json)).toEqual([
    { step: '0 join nested_loop', rows: [null, null, null], spilled: null },
    { step: '1 other read_sorted_file', rows: [null, null, null], spilled: null },
    { step: '2 sort filesort', rows: [null, 40, null], spilled: true },
    { step: '3 fullScan ALL a', rows: [100, 39.6, 990], spilled: null },
    { step: '1 indexSeek eq_ref b by PRIMARY', rows: [1, 1, 1], spilled: null },
  ]);
  expect(planSteps(json, 'SELECT')[3]).toMatchObject({ filter: 'a.note > 5', loops: 1 });
});

test('MySQL: a sort in the order of an index is none, and estimates are those of rows that meet the condition', () => {
  const table = { table_name: 't', access_type: 'index', key: 'i', rows_examined_per_scan: 200, filtered: '50.00' };
  const json = (using_filesort: boolean) => ({
    query_block: { cost_info: { query_cost: '1.0' }, ordering_operation: { using_filesort, table } },
  });
  expect(told(json(false))).toEqual([{ step: '0 indexScan index t by i', rows: [100, null, null], spilled: null }]);
  expect(told(json(true)).map(({ step }) => step)).toEqual(['0 sort ordering_operation', '1 indexScan index t by i']);
});

test('a change says how it finds its rows, and nothing of how many where no filter is estimated', () => {
  const table = { delete: 1, table_name: 't', access_type: 'ALL', rows: 500, attached_condition: 't.a = 1' };
  expect(told({ query_block: { table } })).toEqual([
    { step: '0 fullScan delete ALL t', rows: [null, null, null], spilled: null },
  ]);
});

test('a scan with a condition of which MariaDB has no statistics has no estimate, and a constant table no executions', () => {
  const scan = {
    table_name: 't',
    access_type: 'ALL',
    rows: 40_078,
    r_loops: 1,
    r_rows: 40_000,
    filtered: 100,
    r_filtered: 0,
  };
  const estimateOf = (more: Json) => planSteps({ query_block: { table: { ...scan, ...more } } }, 'SELECT')[0];
  expect(estimateOf({ attached_condition: "t.note = 'q'" })).toMatchObject({
    estimatedRows: null,
    examinedRows: 40_000,
  });
  expect(estimateOf({})).toMatchObject({ estimatedRows: 40_078 });
  expect(estimateOf({ attached_condition: 't.note > 1', filtered: 50 })).toMatchObject({ estimatedRows: 20_039 });
  expect(estimateOf({ access_type: 'const', key: 'PRIMARY', r_loops: 0, r_rows: null })).toMatchObject({ loops: null });
});

test('scans below LIMIT, in subqueries and where one match is enough may stop, and those below a sort do not', () => {
  const table = { table_name: 't', access_type: 'ALL', rows: 10 };
  const extents = (json: Json, text: string) =>
    planSteps(json, text).map(({ operator, extent }) => `${operator} ${extent}`);
  const block = { query_block: { nested_loop: [{ table }] } };
  expect(extents(block, 'SELECT * FROM t')).toEqual(['ALL toEnd']);
  expect(extents(block, 'SELECT * FROM t LIMIT 3')).toEqual(['ALL mayStop']);
  const sorted = { query_block: { nested_loop: [{ read_sorted_file: { filesort: { table } } }] } };
  expect(extents(sorted, 'SELECT * FROM t ORDER BY a LIMIT 3').at(-1)).toBe('ALL toEnd');
  const ordered = { query_block: { ordering_operation: { using_filesort: true, table } } };
  expect(extents(ordered, 'SELECT * FROM t ORDER BY a LIMIT 3').at(-1)).toBe('ALL toEnd');
  const within = {
    query_block: { nested_loop: [{ table }], subqueries: [{ query_block: { nested_loop: [{ table }] } }] },
  };
  expect(extents(within, 'SELECT')).toEqual(['ALL toEnd', 'ALL mayStop']);
  expect(extents({ query_block: { table: { ...table, first_match: 'u' } } }, 'SELECT')).toEqual(['ALL mayStop']);
});

test('MySQL’s access paths: a condition belongs to the step that reads its rows, and constants are not in names', () => {
  // The plan has the form of MySQL 9.
  const scan = {
    operation: 'Table scan on o',
    access_type: 'table',
    table_name: 'orders',
    alias: 'o',
    estimated_rows: 40_000,
    actual_rows: 40_000,
    actual_loops: 1,
  };
  const filter = {
    operation: "Filter: (o.note = 'x')",
    access_type: 'filter',
    condition: "(o.note = 'x')",
    estimated_rows: 4_000,
    actual_rows: 2,
    actual_loops: 1,
    estimated_total_cost: 4_100,
    inputs: [scan],
  };
  const lookup = {
    operation: 'Single-row index lookup on c using PRIMARY (id=o.customer)',
    access_type: 'index',
    index_access_type: 'index_lookup',
    table_name: 'customers',
    index_name: 'PRIMARY',
    estimated_rows: 1,
    actual_rows: 1,
    actual_loops: 2,
  };
  const join = {
    operation: 'Nested loop inner join',
    access_type: 'join',
    actual_rows: 2,
    actual_loops: 1,
    inputs: [filter, lookup],
  };
  const json = {
    query_plan: { operation: 'Limit: 2 row(s)', access_type: 'limit', actual_rows: 2, actual_loops: 1, inputs: [join] },
  };
  expect(told({}, accessPathSteps(json))).toEqual([
    { step: '0 other Limit', rows: [null, 2, null], spilled: null },
    { step: '1 join Nested loop inner join', rows: [null, 2, null], spilled: null },
    { step: '2 fullScan Table scan orders', rows: [4_000, 2, 40_000], spilled: null },
    { step: '2 indexSeek Single-row index lookup customers by PRIMARY', rows: [1, 1, 1], spilled: null },
  ]);
  expect(accessPathSteps(json)[2]).toMatchObject({ filter: "(o.note = 'x')", loops: 1, extent: 'mayStop' });
  expect(accessPathSteps(json.query_plan.inputs[0]!)[1]).toMatchObject({ extent: 'toEnd' });
  expect(
    accessPathSteps({
      operation: 'Sort: a DESC',
      inputs: [{ ...scan, operation: 'Table scan on <temporary>', table_name: '<temporary>' }],
    }).map(({ kind, table }) => [kind, table]),
  ).toEqual([
    ['sort', null],
    ['other', null],
  ]);
  expect(accessPathSteps({ query_block: {} })).toEqual([]);
});

test('MariaDB: names in double quotes within a condition', () => {
  // MariaDB 10.11 writes this plan where sql_mode has ANSI_QUOTES.
  const written = String.raw`{
  "query_block": {
    "table": {
      "table_name": "items",
      "rows": 1,
      "attached_condition": "items.\"id\" = 1 and items."note" <> ''"
    }
  }
}`.replaceAll('\\\\', '\\');
  expect(planJson(written)).toMatchObject({
    query_block: { table: { rows: 1, attached_condition: `items."id" = 1 and items."note" <> ''` } },
  });
});
