import { expect, test } from 'vitest';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { latencyTable } from '../calls/latency-table.ts';
import { withFactorColumns } from './factor-columns.ts';

test('a table has one column for each factor that varies', () => {
  const model = fixtureRun({ connections: [1, 4] });
  const { columns, rows } = withFactorColumns(latencyTable(model), model.plan);
  expect(columns.slice(0, 3).map(({ title }) => title)).toEqual(['Method', 'Connections', 'Target']);
  expect(rows[0]!.cells.slice(0, 3)).toEqual(['prepared', '1', 'PostgreSQL']);
  expect(rows.every(({ cells }) => cells.length === columns.length)).toBe(true);
});

test('with a single factor, and for names that are no variants, the table keeps its words', () => {
  const one = fixtureRun({ connections: [1] });
  expect(withFactorColumns(latencyTable(one), one.plan)).toEqual(latencyTable(one));
  const { plan } = fixtureRun({ connections: [1, 4] });
  const other = { columns: [{ title: 'Variant', kind: 'head' as const }], rows: [{ cells: ['all of them'] }] };
  expect(withFactorColumns(other, plan).rows).toEqual([{ cells: ['all of them', ''] }]);
});
