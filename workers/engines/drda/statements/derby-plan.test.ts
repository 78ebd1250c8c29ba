import { expect, test } from 'vitest';
import { planSteps } from './derby-plan.ts';
import { recorded } from './derby-plans.fixture.ts';

const told = (text: string) =>
  planSteps(text).map(
    ({ depth, kind, operator, table, index, estimatedRows, actualRows, examinedRows, loops, extent }) => ({
      step: `${depth} ${kind} ${operator}${table === null ? '' : ` ${table}`}${index === null ? '' : ` by ${index}`}`,
      rows: [estimatedRows, actualRows, examinedRows, loops],
      extent,
    }),
  );

test('a scan has the rows that it visited, and those of them that it returned', () => {
  expect(told(recorded.scan)).toEqual([
    { step: '0 fullScan Table Scan ORDERS', rows: [300.5, 1, 3_000, 1], extent: 'toEnd' },
  ]);
  expect(planSteps(recorded.scan)).toMatchObject([
    {
      cost: 856,
      details: [
        'Number of pages visited: 28',
        'Number of rows qualified: 1',
        'Scan type: heap',
        'start position: null',
        'stop position: null',
      ],
    },
  ]);
});

test('a condition that is checked above a scan belongs to the scan, and what leaves out columns is no step', () => {
  expect(told(recorded.lower)).toEqual([
    { step: '0 fullScan Table Scan ORDERS', rows: [300.5, 1, 3_000, 1], extent: 'toEnd' },
  ]);
});

test('an index is read within bounds or as a whole, and a constraint has no generated name', () => {
  expect(told(recorded.sorted)).toEqual([
    { step: '0 sort Sort', rows: [30.05, 30, null, 1], extent: 'toEnd' },
    { step: '1 other Index Row to Base Row ORDERS', rows: [30.05, 30, null, 1], extent: 'toEnd' },
    { step: '2 indexSeek Index Scan ORDERS by ORDERSIC', rows: [30.05, 30, 31, 1], extent: 'toEnd' },
  ]);
  expect(planSteps(recorded.sorted)[0]).toMatchObject({ spilled: false });
  expect(told(recorded.byKey).at(-1)?.step).toBe('1 indexSeek Index Scan ORDERS by constraint');
  expect(told(recorded.grouped).map(({ step }) => step)).toEqual([
    '0 aggregate Grouped Aggregate',
    '1 indexScan Index Scan ORDERS by ORDERSIC',
  ]);
});

test('rows of an inner side are those of one open, and what FETCH FIRST stops may have more', () => {
  const inner = told(recorded.nested);
  expect(inner.map(({ step }) => step)).toEqual([
    '0 join Nested Loop Join',
    '1 other Index Row to Base Row ORDERS',
    '2 indexSeek Index Scan ORDERS by constraint',
    '1 other Index Row to Base Row ORDERS',
    '2 indexSeek Index Scan ORDERS by ORDERSIC',
  ]);
  expect(inner[3]?.rows).toEqual([142.74 / 20, 231 / 20, 30, 20]);
  expect(inner[4]?.rows).toEqual([142.74 / 20, 30, 31, 20]);
  expect(told(recorded.limited).map(({ step, extent }) => `${step}: ${extent}`)).toEqual([
    '0 other Row Count: toEnd',
    '1 join Hash Exists Join: mayStop',
    '2 fullScan Table Scan ORDERS: mayStop',
    '2 hash Hash Scan ORDERS: mayStop',
  ]);
});

test('a text without a plan has no steps', () => {
  expect(planSteps('')).toEqual([]);
  expect(planSteps('Statement Execution Plan Text: \nnull')).toEqual([]);
});
