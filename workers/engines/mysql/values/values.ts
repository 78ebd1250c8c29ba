import type mysql from 'mysql2';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn, decodeFirst, rowMajor } from '#model/batch/decode.ts';
import type { Column, ColumnType, ParameterType, TablePlan } from '#model/dataset/dataset.ts';
import { numberSql } from '../../shared/sql/numbers.ts';

/** The types that both drivers accept as a parameter. */
export type ParameterValue = string | number | bigint | boolean | Buffer | mysql.TypedParameterValue | null;

/** A logical type, and the way in which it is stored and sent. */
export interface StoredType<Type extends ParameterType = ColumnType> {
  readonly type: Type;
  /** uuid as 36 characters instead of 16 bytes. */
  readonly uuidText: boolean;
}

export const storedTypes = (table: TablePlan, columns: readonly Column[]): readonly StoredType[] =>
  columns.map(({ type }) => ({ type, uuidText: table.options.uuid === 'text' }));

// Text compares by its bytes, so that keys that differ in case or accents are different keys, as on other engines.
const utf8 = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const ascii = 'CHARACTER SET ascii COLLATE ascii_bin';

/** A row without its TEXT and BLOB columns takes at most 65,535 bytes (manual, "Limits on … Row Size"). */
const roomInRow = 60_000;
const longestChar = 255;

/** Column types of a table in their order. The longest texts and bytes move out of the row if they do not fit. */
export function columnTypesSql(table: TablePlan): readonly string[] {
  let room = roomInRow;
  const inRow = new Set<number>();
  const byLength = table.columns.map((column, c) => ({ c, bytes: mostBytes(column.type) }));
  byLength.sort((a, b) => Number(b.c === table.key) - Number(a.c === table.key) || a.bytes - b.bytes);
  for (const { c, bytes } of byLength) {
    if (bytes > room) continue;
    room -= bytes;
    inRow.add(c);
  }
  return storedTypes(table, table.columns).map((stored, c) => columnTypeSql(stored, inRow.has(c)));
}

function mostBytes(type: ColumnType): number {
  switch (type.kind) {
    case 'text':
      if (type.document) return Number.POSITIVE_INFINITY;
      return type.maxLength * (type.ascii ? 1 : 4) + 2;
    case 'bytes':
      return type.maxLength + 2;
    default:
      return 36;
  }
}

function columnTypeSql({ type, uuidText }: StoredType, inRow: boolean): string {
  switch (type.kind) {
    case 'uuid':
      return uuidText ? `CHAR(36) ${ascii}` : 'BINARY(16)';
    case 'bigint':
      return 'BIGINT';
    case 'text': {
      if (type.document) return 'JSON';
      const { maxLength } = type;
      if (!inRow) return `LONGTEXT ${type.ascii ? ascii : utf8}`;
      if (!type.ascii) return `VARCHAR(${maxLength}) ${utf8}`;
      // CHAR drops spaces at the end; ASCII texts of the dataset have none.
      return `${type.fixed && maxLength <= longestChar ? 'CHAR' : 'VARCHAR'}(${maxLength}) ${ascii}`;
    }
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`;
    case 'timestamp':
      return 'DATETIME(6)';
    case 'boolean':
      return 'BOOLEAN';
    case 'bytes':
      return inRow ? `VARBINARY(${type.maxLength})` : 'LONGBLOB';
  }
}

/** A type for CAST, for parameters that have no column to take their type from. */
export function castTypeSql({ type, uuidText }: StoredType): string {
  switch (type.kind) {
    case 'uuid':
      return uuidText ? 'CHAR(36) CHARACTER SET ascii' : 'BINARY(16)';
    case 'bigint':
    case 'boolean':
      return 'SIGNED';
    case 'text': {
      const length = type.maxLength >= 1 && type.maxLength <= 16_383 ? `(${type.maxLength})` : '';
      return `CHAR${length} CHARACTER SET ${type.ascii ? 'ascii' : 'utf8mb4'}`;
    }
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`;
    case 'timestamp':
      return 'DATETIME(6)';
    case 'bytes':
      return 'BINARY'; // with a length it would be padded with zero bytes
  }
}

const int32 = 2_147_483_647;

/**
 * The first `rows` values of a column as parameters. `wide`: 64-bit integers are bigints, because numbers are sent as
 * doubles.
 */
export function toParameters(
  column: ColumnVector,
  { type, uuidText }: StoredType<ParameterType>,
  rows: number,
  wide = false,
): ParameterValue[] {
  if (type.kind === 'uuid' && !uuidText && column.kind === 'fixed')
    return Array.from({ length: rows }, (_, r) =>
      column.nulls?.[r] === 1 ? null : view(column.bytes, column.offset + r * column.stride, column.width),
    );
  const values = decodeColumn(column, type, rows);
  if (type.kind === 'timestamp') return values.map((value) => (typeof value === 'string' ? dateTimeText(value) : null));
  // All rows of a column have one type, because the connector begins a new packet if the type changes.
  if (wide && values.some((value) => typeof value === 'number' && Math.abs(value) >= int32))
    return values.map((value) => (typeof value === 'number' ? BigInt(value) : (value as ParameterValue)));
  return values.map((value) => (value instanceof Uint8Array ? view(value, 0, value.length) : value));
}

const view = (bytes: Uint8Array, start: number, length: number): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, length);

/** "2024-02-29T12:34:56.000789Z" as DATETIME takes it; sessions are in UTC. */
export const dateTimeText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, -1)}`;

/** The values of a batch in one list, row after row. */
export function flatRows({ rows, columns }: Batch, types: readonly StoredType<ParameterType>[]): ParameterValue[] {
  if (rows > 1)
    return rowMajor(
      columns.map((column, c) => toParameters(column, types[c]!, rows)),
      rows,
    );
  const values = new Array<ParameterValue>(rows * columns.length);
  for (let c = 0; c < values.length; c++) {
    const { type } = types[c]!;
    const isWhole = columns[c]!.kind === 'number' && type.kind === 'bigint';
    values[c] = isWhole
      ? (decodeFirst(columns[c]!, type) as number | null)
      : toParameters(columns[c]!, types[c]!, 1)[0]!;
  }
  return values;
}

/** An SQL literal, safe under every sql_mode (backslashes, quotes). */
export function literal(value: ParameterValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value !== 'string' && typeof value !== 'object') return numberSql(value);
  if (typeof value === 'object') return `x'${value.toString('hex')}'`;
  if (value.includes('\\')) return `_utf8mb4 x'${Buffer.from(value).toString('hex')}'`;
  return `'${value.replaceAll("'", "''")}'`;
}
