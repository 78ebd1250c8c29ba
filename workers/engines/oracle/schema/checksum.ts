import type oracledb from 'oracledb';
import type { RangeFilter } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import { type Dialect, isSince23 } from '../connection/dialect.ts';
import { dictionaryName, quote, tableSql } from '../names.ts';
import { isLob } from '../values/column-types.ts';
import { createBinder } from '../values/values.ts';

/**
 * The steps by which a column becomes a number: the value, its text if text is hashed, its hash, the number. Null: the
 * server cannot, because STANDARD_HASH accepts no LOB.
 */
interface Steps {
  readonly plain: string;
  readonly text?: (c: string) => string;
  readonly hash?: boolean;
  readonly number?: (c: string) => string;
}

function stepsOf(column: string, type: ColumnType, dialect: Dialect): Steps | null {
  const name = quote(column);
  if (isLob(type)) return null;
  switch (type.kind) {
    case 'bigint':
      return { plain: name };
    case 'decimal':
      return { plain: name, number: (c) => `ROUND(${c} * ${10 ** type.scale})` };
    case 'boolean':
      return isSince23(dialect) ? { plain: name, number: (c) => `CASE WHEN ${c} THEN 1 ELSE 0 END` } : { plain: name };
    case 'timestamp':
      return { plain: `${name} - TIMESTAMP '1970-01-01 00:00:00'`, number: microseconds };
    case 'uuid':
      return { plain: `RAWTOHEX(${name})`, text: uuidText, hash: true };
    case 'text':
      // Text is hashed as it is stored. If that is not UTF-8, plain ASCII is the same in every character set of the
      // product but EBCDIC.
      return {
        plain: dialect.unicode || type.ascii ? name : `UTL_I18N.STRING_TO_RAW(${name}, 'AL32UTF8')`,
        hash: true,
      };
    case 'bytes':
      return { plain: name, hash: true };
  }
}

/** 32 hexadecimal digits as 36 characters. */
function uuidText(c: string): string {
  const part = (from: number, length: number) => `SUBSTR(${c}, ${from}, ${length})`;
  // NULL || '-' is '-', so nulls are left out first.
  return `CASE WHEN ${c} IS NOT NULL THEN LOWER(${[part(1, 8), part(9, 4), part(13, 4), part(17, 4), part(21, 12)].join(" || '-' || ")}) END`;
}

/** The fields of an interval are whole numbers, except for the seconds, which have six decimals; all have its sign. */
const microseconds = (c: string): string =>
  `ROUND(EXTRACT(DAY FROM ${c}) * 86400000000 + EXTRACT(HOUR FROM ${c}) * 3600000000 + EXTRACT(MINUTE FROM ${c}) * 60000000 + EXTRACT(SECOND FROM ${c}) * 1000000)`;

/** STANDARD_HASH of NULL is the hash of nothing, and not NULL. */
const md5 = (c: string): string => `CASE WHEN ${c} IS NOT NULL THEN RAWTOHEX(STANDARD_HASH(${c}, 'MD5')) END`;
/** The number of the first 4 bytes. */
const prefix = (c: string): string => `TO_NUMBER(SUBSTR(${c}, 1, 8), 'XXXXXXXX')`;

/**
 * The steps are nested queries and not one expression, because parsers take time that grows exponentially with nesting.
 */
export function checksumSql(table: TablePlan, dialect: Dialect, range?: RangeFilter): string {
  const columns = table.columns.flatMap(({ name, type }, i) => {
    const steps = stepsOf(name, type, dialect);
    return steps ? [{ c: `c${i}`, ...steps }] : [];
  });
  type Step = (column: (typeof columns)[number]) => string;
  const list = (step: Step) => columns.map((column) => `${step(column)} AS ${column.c}`).join(', ') || '1 AS c';
  const sums = table.columns.map((_, i) =>
    // The sum is sent as text, because it may have more digits than a JavaScript number can hold.
    columns.some(({ c }) => c === `c${i}`) ? `CAST(SUM(c${i}) AS VARCHAR2(40))` : 'NULL',
  );
  return `WITH plain AS (SELECT ${list(({ plain }) => plain)} FROM ${tableSql(table)}${range ? whereSql(table, dialect, range) : ''}),
     texts AS (SELECT ${list(({ c, text }) => text?.(c) ?? c)} FROM plain),
     hashes AS (SELECT ${list(({ c, hash }) => (hash ? md5(c) : c))} FROM texts),
     numbers AS (SELECT ${list(({ c, hash, number }) => number?.(c) ?? (hash ? prefix(c) : c))} FROM hashes)
SELECT COUNT(*), ${sums.join(', ')} FROM numbers`;
}

function whereSql({ columns }: TablePlan, dialect: Dialect, { column, bounds }: RangeFilter): string {
  const { name, type } = columns[column]!;
  const values = createBinder([type, type], dialect).literals(bounds);
  return ` WHERE ${rangeSql(quote(name), (_row, side) => values[side]!)}`;
}

export const unusableIndexesSql = `SELECT index_name FROM user_indexes WHERE table_name = :1 AND status = 'UNUSABLE'
 UNION ALL
SELECT p.index_name FROM user_ind_partitions p JOIN user_indexes i ON i.index_name = p.index_name WHERE i.table_name = :2 AND p.status = 'UNUSABLE'`;

/** A direct path load does not refuse duplicates: it leaves the index unusable. */
async function refuseUnusableIndex(connection: oracledb.Connection, table: TablePlan): Promise<void> {
  const name = dictionaryName(table.name);
  const { rows } = await connection.execute(unusableIndexesSql, [name, name]);
  if (rows?.length)
    throw new DynoError('uniqueViolation', `The index of ${tableSql(table)} is unusable: two rows have the same key.`, {
      hint: 'A direct path load (bulk) stored them; it checks keys only at its end.',
    });
}

export async function checksum(
  connection: oracledb.Connection,
  table: TablePlan,
  dialect: Dialect,
  range?: RangeFilter,
): Promise<TableChecksum> {
  if (table.key !== null && dialect.emulator === null) await refuseUnusableIndex(connection, table);
  const { rows } = await connection.execute<(number | string | null)[]>(checksumSql(table, dialect, range));
  const [count, ...sums] = rows?.[0] ?? [];
  return {
    rows: Number(count),
    // The sum of a column with nulls alone is null, too.
    columns: table.columns.map(({ type }, i) => (isLob(type) ? null : String(sums[i] ?? 0))),
  };
}
