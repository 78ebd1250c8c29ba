import type { RangeFilter } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { quote, tableSql } from '../names.ts';
import { flatRows, literal, type StoredType, storedTypes } from '../values/values.ts';

/** The first 4 bytes of md5 as an unsigned number, from hexadecimal. Text is hashed as it is stored, in UTF-8. */
const md5Prefix = (value: string): string => `CAST(CONV(LEFT(MD5(${value}), 8), 16, 10) AS UNSIGNED)`;

/** 16 bytes as the 36 characters of a uuid; MySQL 5.7 has no BIN_TO_UUID. */
function uuidText(name: string): string {
  const parts = [
    [1, 8],
    [9, 4],
    [13, 4],
    [17, 4],
    [21, 12],
  ].map(([from, length]) => `SUBSTR(HEX(${name}), ${from}, ${length})`);
  return `LOWER(CONCAT_WS('-', ${parts.join(', ')}))`;
}

function sumSql(column: string, stored: StoredType): string {
  const name = quote(column);
  const { type } = stored;
  switch (type.kind) {
    case 'bigint':
    case 'boolean':
      return `SUM(${name})`;
    case 'decimal':
      return `CAST(SUM(${name}) * ${10 ** type.scale} AS DECIMAL(65, 0))`;
    case 'timestamp':
      return `SUM(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${name}))`;
    case 'uuid':
      // CONCAT_WS skips nulls, so they have to be kept apart.
      return `SUM(IF(${name} IS NULL, 0, ${md5Prefix(stored.uuidText ? name : uuidText(name))}))`;
    case 'text':
    case 'bytes':
      return `SUM(${md5Prefix(name)})`;
  }
}

/** Sums over BIGINT and DECIMAL are exact: DECIMAL of 65 digits. */
export function checksumSql(database: string, table: TablePlan, range?: RangeFilter): string {
  const sums = storedTypes(table, table.columns).map(
    (stored, c) => `CAST(COALESCE(${sumSql(table.columns[c]!.name, stored)}, 0) AS CHAR)`,
  );
  return `SELECT COUNT(*), ${sums.join(', ')} FROM ${tableSql(database, table)}${range ? whereSql(table, range) : ''}`;
}

function whereSql(table: TablePlan, { column, bounds }: RangeFilter): string {
  const over = table.columns[column]!;
  const values = flatRows(bounds, storedTypes(table, [over, over])).map(literal);
  return ` WHERE ${rangeSql(quote(over.name), (_row, side) => values[side]!)}`;
}

export async function checksum(
  connection: MysqlConnection,
  database: string,
  table: TablePlan,
  range?: RangeFilter,
): Promise<TableChecksum> {
  const { rows } = await connection.query(checksumSql(database, table, range));
  const [count, ...columns] = rows?.[0] ?? [];
  // MySQL's JSON type has its own form of white space and numbers; MariaDB keeps the text as it was sent.
  const isRewritten = ({ type }: Column) => connection.mariadb === null && type.kind === 'text' && type.document;
  return {
    rows: Number(count),
    columns: columns.map((sum, c) => (isRewritten(table.columns[c]!) ? null : String(sum))),
  };
}
