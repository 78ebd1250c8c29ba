import { expect, test } from 'vitest';
import { judged, type SmallRun } from '../findings/shared/small-run.fixture.ts';
import { timesOf } from '../run-model/journal-parts.fixture.ts';
import { rowsExamined } from './rows-examined.ts';

const nothingToFind = { title: '', looksFor: '', shownWhen: '', find: () => [] };
const modelOf = (run: Partial<SmallRun> & Pick<SmallRun, 'cells'>) =>
  judged(nothingToFind, {
    probeInfo: {
      by_scan: { unit: 'count', label: 'Rows by scan', role: 'rowsExamined' },
      by_index: { unit: 'count', label: 'Rows by index', role: 'rowsExamined' },
    },
    ...run,
  }).facts.model;
const samples = [{ counters: { by_scan: 1_000, by_index: 5 } }, { counters: { by_scan: 41_000, by_index: 105 } }];

test('rows read are the sum of the server’s counters, beside the calls and rows of the client', () => {
  const trial = { perSecond: [100], samples, more: { probeDelta: { by_scan: 40_000, by_index: 100 } } };
  const model = modelOf({ cells: [{ settings: { operation: 'readByKey' }, trials: [trial, trial] }] });
  const { calls, rows } = model.trials[0]!.result!.totals;
  expect(rowsExamined(model)).toEqual([
    {
      variant: 'default',
      target: 'Server',
      counters: 'Rows by scan; Rows by index',
      calls: 2 * calls,
      examined: 80_200,
      unit: 'rows',
      touched: 2 * rows,
    },
  ]);
});

test('rows of custom statements are their own; unknown where the server did not count some', () => {
  const statement = { name: 'find', kind: 'statement', calls: 10, rows: 30, errors: {}, failed: null } as const;
  const touchedWith = (more: object) => {
    const own = { ...statement, service: timesOf([1, 10]), ...more };
    const trial = { perSecond: [100], samples, more: { probeDelta: { by_scan: 400 }, statements: [own] } };
    const cells = [{ settings: { operation: 'statement' }, trials: [trial] }] as const;
    const more2 = { statements: { find: { text: 'SELECT 1' } } };
    return rowsExamined(modelOf({ cells, more: more2 })).map(({ calls, touched }) => [calls, touched]);
  };
  expect(touchedWith({})).toEqual([[10, 30]]);
  expect(touchedWith({ uncounted: 2 })).toEqual([[10, null]]);
});

test('inserts search for no rows, and servers without these counters are left out', () => {
  const trial = { perSecond: [100], samples, more: { probeDelta: { by_scan: 400 } } };
  expect(rowsExamined(modelOf({ cells: [{ settings: { operation: 'insert' }, trials: [trial] }] }))).toEqual([]);
  const silent = { perSecond: [100] };
  expect(rowsExamined(modelOf({ cells: [{ settings: { operation: 'readByKey' }, trials: [silent] }] }))).toEqual([]);
});

test('servers that count no rows have their pages', () => {
  const trial = { perSecond: [100], samples, more: { probeDelta: { by_scan: 40_000 } } };
  const cells = [{ settings: { operation: 'readByKey' }, trials: [trial] }] as const;
  const logical = { unit: 'count', label: 'Logical reads', role: 'pagesExamined' } as const;
  expect(rowsExamined(modelOf({ cells, probeInfo: { by_scan: logical } }))).toMatchObject([
    { unit: 'pages', counters: 'Logical reads', examined: 40_000 },
  ]);
});
