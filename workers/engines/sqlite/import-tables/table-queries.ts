import type { StatisticsValue } from '#engine-api/table-facts.ts';
import type { QueriedColumn, TableQueries } from '#engine-api/table-queries.ts';
import { plainTime, sqlTableQueries } from '../../shared/import-tables/sql-queries.ts';
import { numberSql } from '../../shared/sql/numbers.ts';
import { quote } from '../tables.ts';

/** A column of Dyno's has decimals without their point, and times in microseconds. */
function literal(value: StatisticsValue, { type }: QueriedColumn): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return numberSql(type?.kind === 'decimal' ? Math.round(value * 10 ** type.scale) : value);
}

/** The texts of {@link TableQueries} in SQLite’s SQL. */
export const tableQueries: TableQueries = sqlTableQueries({
  ...{ quote, schema: null, literal },
  time: (value, { type }) =>
    type?.kind === 'timestamp'
      ? `${Date.parse(/Z$/.test(value) ? value : `${value.replace(' ', 'T')}Z`) * 1_000}`
      : `'${plainTime(value)}'`,
});
