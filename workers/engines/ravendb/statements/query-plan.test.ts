import { expect, test } from 'vitest';
import { planSteps, type QueryAnswer } from './query-plan.ts';

const told = (answer: QueryAnswer, text: string) =>
  planSteps(answer, text, ['orders']).map(
    ({ depth, kind, operator, table, index, estimatedRows, actualRows, examinedRows }) =>
      `${depth} ${kind} ${operator} ${table} ${index}: ${estimatedRows} estimated, ${actualRows} of ${examinedRows}`,
  );

// Answers of RavenDB 7.2.
test('an automatic index has the operations on its terms, without what they are about', () => {
  const answer = {
    IndexName: 'Auto/orders/BycodeAndnote',
    TotalResults: 60,
    ScannedResults: 0,
    SkippedResults: 0,
    Timings: {
      DurationInMs: 1_074,
      QueryPlan: {
        Operation: 'SortingMatch',
        Parameters: { FieldName: 'note' },
        Children: [
          {
            Operation: 'MultiTermMatch [Memoization]',
            Parameters: { Count: '58', CountConfidence: 'Low' },
            Children: [{ Operation: 'TermNumericRangeProvider', Parameters: { LowValue: '98' }, Children: [] }],
          },
        ],
      },
      Timings: { Query: { DurationInMs: 181, Timings: { Corax: { DurationInMs: 37, Timings: null } } } },
    },
  };
  expect(told(answer, 'from orders where code > 97 order by note')).toEqual([
    '0 indexSeek Automatic index orders Auto/orders/BycodeAndnote: null estimated, 60 of 60',
    '1 sort SortingMatch null null: null estimated, null of null',
    '2 indexSeek MultiTermMatch null null: 58 estimated, null of null',
    '3 indexSeek TermNumericRangeProvider null null: null estimated, null of null',
  ]);
  expect(planSteps(answer, 'from orders', [])[0]?.details).toEqual(['Query: 181 ms', 'Query, Corax: 37 ms']);
});

test('a filter reads the whole of a collection, a look-up by id one document, and an index of one’s own has its table', () => {
  const filtered = { IndexName: 'collection/orders', TotalResults: 1, ScannedResults: 3_000, SkippedResults: 2_999 };
  expect(told(filtered, "from orders filter note = 'x7'")).toEqual([
    '0 fullScan Collection orders null: null estimated, 1 of 3000',
  ]);
  expect(planSteps(filtered, "from orders filter note = 'x7' limit 3", [])).toMatchObject([
    { filter: "note = 'x7'", extent: 'mayStop' },
  ]);
  const byId = { IndexName: 'collection/orders', TotalResults: 1, ScannedResults: 0, SkippedResults: 0 };
  expect(told(byId, "from orders where id() = 'orders/7'")).toEqual([
    '0 indexSeek Documents by id orders null: null estimated, 1 of 1',
  ]);
  expect(told({ ...byId, IndexName: 'dyno/orders' }, "from index 'dyno/orders' where id > 3")).toEqual([
    '0 indexSeek Index orders dyno/orders: null estimated, 1 of 1',
  ]);
});

test('an index of which every entry is read is scanned', () => {
  const answer = {
    IndexName: 'Auto/orders/ByCountReducedBycode',
    TotalResults: 100,
    Timings: { DurationInMs: 1, QueryPlan: { Operation: 'AllEntriesMatch', Parameters: { Count: '100' } } },
  };
  expect(told(answer, 'from orders group by code select code, count()')).toEqual([
    '0 indexScan Automatic index orders Auto/orders/ByCountReducedBycode: null estimated, 100 of 100',
    '1 indexScan AllEntriesMatch null null: 100 estimated, null of null',
  ]);
});
