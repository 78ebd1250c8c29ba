import type pg from 'pg';
import type { RangeFilter } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import { quote, tableSql } from '../names.ts';
import { flatRows, literal } from '../values/values.ts';

/** First 4 bytes of md5 as an unsigned number: eight hexadecimal digits read as bit(32). */
const md5Prefix = (value: string): string => `('x' || left(md5(${value}), 8))::bit(32)::bigint`;

/** jsonb is canonical JSON, except for a space after each colon and comma outside of strings. */
const withoutSpaces = (json: string): string =>
  `regexp_replace(${json}, ${literal('("(?:[^"\\\\]|\\\\.)*")|([:,]) ')}, ${literal('\\1\\2')}, 'g')`;

function sumSql(column: string, type: ColumnType): string {
  const name = quote(column);
  switch (type.kind) {
    case 'bigint':
      return `sum(${name})`;
    case 'decimal':
      return `round(sum(${name}) * ${10 ** type.scale})`;
    case 'boolean':
      return `sum(${name}::int)`;
    // This is exact in every version: extract(epoch) was floating point before 14, and the seconds field in µs always
    // fits.
    case 'timestamp':
      return `sum(extract(epoch FROM date_trunc('minute', ${name}))::bigint * 1000000 + extract(microseconds FROM ${name})::bigint)`;
    case 'uuid':
      return `sum(${md5Prefix(`${name}::text`)})`;
    case 'text':
      return `sum(${md5Prefix(`convert_to(${type.document ? withoutSpaces(`${name}::text`) : name}, 'UTF8')`)})`;
    case 'bytes':
      return `sum(${md5Prefix(name)})`;
  }
}

/** The query of one row: the number of rows, then the sum of each column, as text. Pure. */
export function checksumSql(table: TablePlan, range?: RangeFilter): string {
  const sums = table.columns.map(({ name, type }) => `coalesce(${sumSql(name, type)}, 0)::text`);
  return `SELECT ${['count(*)::text', ...sums].join(', ')} FROM ${tableSql(table)}${range ? whereSql(table, range) : ''}`;
}

export async function checksum(client: pg.Client, table: TablePlan, range?: RangeFilter): Promise<TableChecksum> {
  const { rows } = await client.query<string[]>({ text: checksumSql(table, range), rowMode: 'array' });
  const [count, ...columns] = rows[0] ?? [];
  return { rows: Number(count), columns };
}

function whereSql({ columns }: TablePlan, { column, bounds }: RangeFilter): string {
  const { name, type } = columns[column]!;
  const values = flatRows(bounds, [type, type]).map(literal);
  return ` WHERE ${rangeSql(quote(name), (_row, side) => values[side]!)}`;
}
