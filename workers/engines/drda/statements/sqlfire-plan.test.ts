import { expect, test } from 'vitest';
import { planSteps } from './sqlfire-plan.ts';

/** A plan as snappydata-store 1.6.5 writes it, without its times. */
const plan = (nodes: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!-- GemFireXD Query Plan -->
<root>
<plan>
  <statement> SELECT …</statement>
  <stmt_id>00000001-ffff-ffff-ffff-000000000036</stmt_id>
  <details>
${nodes}
  </details>
</plan>
</root>`;
const scan =
  '<node lineage="root/BulkTableScanResultSet/" rs_name="BulkTableScanResultSet" no_children="0" name="TABLESCAN" rank="1" no_opens="1" returned_rows="2999" scanned_object="DYNO.ORDERS" scan_type="HEAP" visited_rows="2999" scan_qualifiers="Column[0][0] Id: NOTE \nOperator: = x7\n" next_qualifiers="NULL" node_details="T: ORDERS"/>';
const within = (name: string, details: string, ...nodes: readonly string[]) =>
  `<node no_children="${nodes.length}" name="${name}" no_opens="1" returned_rows="1" node_details="${details}">${nodes.join('')}</node>`;
const told = (nodes: string) =>
  planSteps(plan(nodes)).map(
    ({ depth, kind, operator, table, index, actualRows, examinedRows, loops, extent }) =>
      `${depth} ${kind} ${operator} ${table} ${index}: ${actualRows} of ${examinedRows}, ${loops} times, ${extent}`,
  );

test('a scan has its table and rows, and takes the condition above it', () => {
  expect(told(scan)).toEqual(['0 fullScan TABLESCAN ORDERS null: 2999 of 2999, 1 times, toEnd']);
  expect(planSteps(plan(scan))[0]?.details).toContain('scan_qualifiers: Column[0][0] Id: NOTE Operator: = x7');
  const filtered = within('FILTER', 'SELECT :ID CODE WHERE :( = x7)', scan);
  expect(told(filtered)).toEqual(['0 fullScan TABLESCAN ORDERS null: 1 of 2999, 1 times, toEnd']);
  expect(planSteps(plan(filtered))).toMatchObject([{ filter: '( = x7)' }]);
});

test('a look-up by key, one by an index and the rows that the index names have their objects', () => {
  const key = '<node name="REGION-GET" no_opens="1" returned_rows="0" node_details="DYNO.ORDERS ID, CODE, NOTE"/>';
  expect(told(key)).toEqual(['0 indexSeek REGION-GET ORDERS null: 0 of null, 1 times, toEnd']);
  const index =
    '<node name="INDEXSCAN" no_opens="1" returned_rows="29" scanned_object="BY_CODE" scan_type="" visited_rows="28" scan_qualifiers="None" node_details="WHERE : ((CODE = 7) and true)"/>';
  expect(told(within('PROJECTION', 'SELECT :ID', within('ROWIDSCAN', 'ORDERS : ', index)))).toEqual([
    '0 other ROWIDSCAN ORDERS null: 1 of null, 1 times, toEnd',
    '1 indexSeek INDEXSCAN null BY_CODE: 29 of null, 1 times, toEnd',
  ]);
});

test('a row limit and the inner side of an exists join may stop; sorts read all first', () => {
  const inner =
    '<node name="CONSTRAINTSCAN" no_opens="1111" returned_rows="1111" scanned_object="HASH SCAN:ITEMS" visited_rows="1" node_details="WHERE : (true)"/>';
  const join = within('NLJOIN', '(2), EXISTS JOIN', scan, inner);
  expect(told(within('ROW-COUNT', '(1)', within('SORT', '6', join)))).toEqual([
    '0 other ROW-COUNT null null: 1 of null, 1 times, toEnd',
    '1 sort SORT null null: 1 of null, 1 times, mayStop',
    '2 join NLJOIN null null: 1 of null, 1 times, toEnd',
    '3 fullScan TABLESCAN ORDERS null: 2999 of 2999, 1 times, toEnd',
    '3 indexSeek CONSTRAINTSCAN ITEMS constraint: 1 of null, 1111 times, mayStop',
  ]);
});

test('a plan without nodes has no steps', () => {
  expect(planSteps(plan(''))).toEqual([]);
});
