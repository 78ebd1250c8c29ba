import type { Value } from '#model/batch/decode.ts';
import type { ColumnType, ParameterType } from '#model/dataset/dataset.ts';
import { doubleSql, numberSql } from '../../shared/sql/numbers.ts';

/**
 * The longest values that are kept in the row itself, in characters or bytes; longer ones need the type's (max) form.
 */
export const maxBytes = 8_000;
export const maxWideCharacters = 4_000;

/**
 * The declared type of a column. ASCII text is varchar, because nvarchar would double it without need. The unicode
 * alphabet has one UTF-16 unit a character, which nvarchar(n) counts. datetime2(6) holds microseconds exactly;
 * datetimeoffset would add two bytes of zero.
 */
export function columnTypeSql(type: ParameterType): string {
  switch (type.kind) {
    case 'uuid':
      return 'uniqueidentifier';
    case 'bigint':
      return 'bigint';
    case 'text':
      return type.ascii
        ? `varchar(${lengthSql(type.maxLength, maxBytes)})`
        : `nvarchar(${lengthSql(type.maxLength, maxWideCharacters)})`;
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`;
    case 'timestamp':
      return type.nanoseconds ? 'datetime2(7)' : 'datetime2(6)';
    case 'float':
      return 'float';
    case 'boolean':
      return 'bit';
    case 'bytes':
      return `varbinary(${lengthSql(type.maxLength, maxBytes)})`;
  }
}

/** A zero length is no length to declare. */
const lengthSql = (length: number, limit: number): string => (length > limit ? 'max' : String(Math.max(1, length)));

/**
 * Converts a value of the driver's to the form of decode.ts. The driver's numbers hold the 15 digits of a decimal; its
 * dates leave out fractions of a ms.
 */
export function valueRead(value: unknown, type: ColumnType): Value {
  if (value === null) return null;
  switch (type.kind) {
    case 'bigint':
      return Number(value);
    case 'decimal':
      return (value as number).toFixed(type.scale);
    case 'timestamp': {
      const date = value as Date & { readonly nanosecondsDelta?: number };
      const belowMs = Math.round((date.nanosecondsDelta ?? 0) * 1e6);
      return `${date.toISOString().slice(0, -1)}${String(belowMs).padStart(3, '0')}Z`;
    }
    case 'boolean':
      return value === true;
    case 'uuid':
      return String(value).toLowerCase();
    default:
      return value as Value;
  }
}

/** A T-SQL literal. Texts of dates and uuids take the type of the column next to them. */
export function literal(value: Value, type: ParameterType): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (type.kind === 'float') return doubleSql(Number(value));
  if (typeof value === 'number' || typeof value === 'bigint') return numberSql(value);
  if (typeof value !== 'string')
    return `0x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  switch (type.kind) {
    case 'decimal':
      return numberSql(value);
    case 'timestamp':
      return `'${value.slice(0, -1)}'`; // datetime2 accepts no Z
    case 'text':
      return textLiteral(value, type.ascii ? '' : 'N');
    default:
      return `'${value}'`;
  }
}

/**
 * A literal whose column is not known. A datetime accepts no text with more than three digits of a second, but it
 * accepts a datetime2 (manual, "CAST and CONVERT", implicit conversions).
 */
export function literalAnywhere(value: Value, type: ParameterType): string {
  if (type.kind !== 'timestamp' || typeof value !== 'string') return literal(value, type);
  const [, toMilliseconds, beyond] = /^(.*?\.\d{3})(\d*)Z$/.exec(value) ?? [];
  if (toMilliseconds !== undefined && /^0*$/.test(beyond ?? '')) return `'${toMilliseconds}'`;
  return `CAST(${literal(value, type)} AS ${columnTypeSql(type)})`;
}

/**
 * A backslash before a line break removes both (manual, "\\ (Line Continuation)"), so the literal is cut between them.
 */
function textLiteral(value: string, prefix: '' | 'N'): string {
  const quoted = `${prefix}'${value.replaceAll("'", "''")}'`;
  const cut = quoted.replaceAll(/\\(?=\r?\n)/g, `\\' + ${prefix}'`);
  return cut === quoted ? quoted : `(${cut})`;
}
