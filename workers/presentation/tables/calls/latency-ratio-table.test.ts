import { expect, test } from 'vitest';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { allTimesTable } from './latency-ratio-table.ts';

test('a time, its interval and its ratio each have a line, and the kind of calls is no head where all rows share it', () => {
  const model = fixtureRun({ connections: [1] });
  const { columns, rows } = allTimesTable(model, baselineOf(model));
  expect(columns[0]).toEqual({ title: 'Calls', kind: 'words' });
  const mean = columns.findIndex(({ title }) => title === 'mean');
  const own = rows.find(({ cells }) => cells.includes('PostgreSQL'))!;
  expect(own.cells[mean]).toEqual({
    text: [expect.stringMatching(/^[\d.]+\s(ns|µs|ms)$/), expect.stringMatching(/^\([\d.]+.*–.*s\)$/), 'baseline'],
  });
});
