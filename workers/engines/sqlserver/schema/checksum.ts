import type { Connection } from 'tedious';
import type { RangeFilter } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import { isAtLeast, type Server } from '../connection/server.ts';
import { quote, sentColumns, tableSql } from '../names.ts';
import { literal } from '../values/values.ts';
import { query } from '../wire/request.ts';

/** First 4 bytes of md5 as an unsigned number: a binary that becomes a bigint is big-endian and padded with zeros. */
const md5Prefix = (value: string): string => `CAST(SUBSTRING(HASHBYTES('MD5', ${value}), 1, 4) AS bigint)`;

/** A collation whose varchar is UTF-8; SQL Server 2019 and later. */
const utf8Collation = 'Latin1_General_100_BIN2_UTF8';

/** Texts as UTF-8 bytes; null: the server cannot make them. The emulator itself hashes nvarchar as UTF-8. */
function utf8(column: string, type: ColumnType & { kind: 'text' }, server: Server): string | null {
  if (type.ascii || server.emulator !== null) return column;
  return isAtLeast(server, 15) ? `CAST(${column} COLLATE ${utf8Collation} AS varchar(max))` : null;
}

/** The value of a row that is summed; null: the server cannot compute it. */
function termSql(name: string, type: ColumnType, server: Server): string | null {
  const column = quote(name);
  switch (type.kind) {
    case 'bigint':
    case 'boolean':
      return column;
    case 'decimal':
      return `${column} * CAST(${10 ** type.scale} AS decimal(16, 0))`;
    case 'timestamp':
      return `DATEDIFF_BIG(microsecond, '1970-01-01', ${column})`;
    case 'uuid':
      return md5Prefix(`LOWER(CAST(${column} AS char(36)))`);
    case 'bytes':
      return md5Prefix(column);
    case 'text': {
      const bytes = utf8(column, type, server);
      return bytes === null ? null : md5Prefix(bytes);
    }
  }
}

/** The query of one row: the number of rows, then the sum of each compared column, as text. Pure. */
export function checksumSql(table: TablePlan, server: Server, range?: RangeFilter): string {
  const sums = comparedTerms(table, server).map((term, c) =>
    term === null ? [] : [`CAST(COALESCE(SUM(CAST(${term} AS decimal(38, 0))), 0) AS varchar(40)) AS c${c}`],
  );
  return `SELECT ${['COUNT_BIG(*) AS row_count', ...sums.flat()].join(', ')} FROM ${tableSql(table)}${range ? whereSql(table, range) : ''}`;
}

/** A key that the server made is not compared. */
const comparedTerms = (table: TablePlan, server: Server): readonly (string | null)[] => {
  const sent = sentColumns(table);
  return table.columns.map(({ name, type }, c) => (sent.includes(c) ? termSql(name, type, server) : null));
};

function whereSql({ columns }: TablePlan, { column, bounds }: RangeFilter): string {
  const { name, type } = columns[column]!;
  const values = bounds.columns.map((side) => literal(decodeColumn(side, type, 1)[0]!, type));
  return ` WHERE ${rangeSql(quote(name), (_row, side) => values[side]!)}`;
}

export async function checksum(
  connection: Connection,
  table: TablePlan,
  server: Server,
  range?: RangeFilter,
): Promise<TableChecksum> {
  const rows = await query<Record<string, string | null>>(connection, checksumSql(table, server, range));
  const row = rows[0]!;
  return { rows: Number(row.row_count), columns: table.columns.map((_, c) => row[`c${c}`] ?? null) };
}
