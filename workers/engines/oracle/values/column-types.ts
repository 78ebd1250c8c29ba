import oracledb from 'oracledb';
import { convertsNull } from '#engine-api/support/converts-null.ts';
import type { Column, ColumnType, ParameterType } from '#model/dataset/dataset.ts';
import type { NullBinding } from '#model/settings/vocabulary.ts';
import type { AnswerType } from '#model/statements/statements.ts';
import { type Dialect, isSince23 } from '../connection/dialect.ts';
import { descriptor } from '../descriptor.ts';

/**
 * The most bytes of a VARCHAR2 or RAW column if MAX_STRING_SIZE is STANDARD (Database Reference, "Datatype Limits").
 */
const longestText = 4_000;
const longestRaw = 2_000;
/** The most bytes of a bind of VARCHAR2 or RAW; longer ones are streamed as LONG. */
const longestBind = 32_767;

const textBytes = (type: ColumnType & { kind: 'text' }): number => type.maxLength * (type.ascii ? 1 : 4);

/** Longer values are LOBs, which have no checksum and no literals. */
export const isLob = (type: ColumnType): boolean =>
  (type.kind === 'text' && textBytes(type) > longestText) || (type.kind === 'bytes' && type.maxLength > longestRaw);

export function columnTypeSql(type: ColumnType, dialect: Dialect): string {
  switch (type.kind) {
    case 'uuid':
      return 'RAW(16)';
    case 'bigint':
      return 'NUMBER(19)';
    case 'text':
      return isLob(type) ? 'CLOB' : `VARCHAR2(${Math.max(1, type.maxLength)} CHAR)`;
    case 'decimal':
      return `NUMBER(${type.precision}, ${type.scale})`;
    case 'timestamp':
      return 'TIMESTAMP(6)';
    case 'boolean':
      return isSince23(dialect) ? 'BOOLEAN' : 'NUMBER(1)';
    case 'bytes':
      return isLob(type) ? 'BLOB' : `RAW(${Math.max(1, type.maxLength)})`;
  }
}

/** Empty text and bytes are nulls here, so a column that may hold some cannot be NOT NULL. */
export const mayBeNull = ({ type, nullable }: Column): boolean =>
  nullable || ((type.kind === 'text' || type.kind === 'bytes') && !(type.fixed && type.maxLength > 0));

/**
 * The type and size with which a column's values are bound: the same for every row and call, so that the server keeps
 * one cursor.
 */
export interface BindType {
  readonly type: oracledb.DbType;
  /** The length in bytes, for text and bytes only. */
  readonly maxSize?: number;
}

/**
 * The type with which a null is bound that is declared otherwise than its column; null if it is declared as its column.
 */
export function nullBindType(type: ParameterType, nulls: NullBinding): BindType | null {
  if (
    (nulls !== 'asFloat' && nulls !== 'asText') ||
    type.kind === 'float' ||
    !convertsNull(descriptor.nullBindings![nulls]!, type)
  )
    return null;
  return nulls === 'asFloat'
    ? { type: oracledb.DB_TYPE_BINARY_DOUBLE }
    : { type: oracledb.DB_TYPE_VARCHAR, maxSize: 1 };
}

export function bindType(type: ParameterType, dialect: Dialect): BindType {
  switch (type.kind) {
    case 'uuid':
      return { type: oracledb.DB_TYPE_RAW, maxSize: 16 };
    case 'bigint':
    case 'decimal':
      return { type: oracledb.DB_TYPE_NUMBER };
    case 'float':
      return { type: oracledb.DB_TYPE_BINARY_DOUBLE };
    case 'timestamp':
      return { type: oracledb.DB_TYPE_TIMESTAMP };
    case 'boolean':
      return { type: isSince23(dialect) ? oracledb.DB_TYPE_BOOLEAN : oracledb.DB_TYPE_NUMBER };
    case 'text': {
      const bytes = Math.max(1, textBytes(type));
      return bytes > longestBind
        ? { type: oracledb.DB_TYPE_LONG, maxSize: bytes }
        : { type: oracledb.DB_TYPE_VARCHAR, maxSize: bytes };
    }
    case 'bytes': {
      const bytes = Math.max(1, type.maxLength);
      return bytes > longestBind
        ? { type: oracledb.DB_TYPE_LONG_RAW, maxSize: bytes }
        : { type: oracledb.DB_TYPE_RAW, maxSize: bytes };
    }
  }
}

/** The type of an answer's column as parameters. */
export function answerType({ dbType, scale }: Pick<oracledb.Metadata<unknown>, 'dbType' | 'scale'>): AnswerType {
  switch (dbType) {
    case oracledb.DB_TYPE_NUMBER:
      return scale === 0 ? 'integer' : 'decimal';
    case oracledb.DB_TYPE_BINARY_INTEGER:
      return 'integer';
    case oracledb.DB_TYPE_BINARY_DOUBLE:
    case oracledb.DB_TYPE_BINARY_FLOAT:
      return 'float';
    case oracledb.DB_TYPE_DATE:
    case oracledb.DB_TYPE_TIMESTAMP:
    case oracledb.DB_TYPE_TIMESTAMP_TZ:
    case oracledb.DB_TYPE_TIMESTAMP_LTZ:
      return 'timestamp';
    case oracledb.DB_TYPE_BOOLEAN:
      return 'boolean';
    case oracledb.DB_TYPE_RAW:
    case oracledb.DB_TYPE_LONG_RAW:
    case oracledb.DB_TYPE_BLOB:
      return 'bytes';
    default:
      return 'text';
  }
}
