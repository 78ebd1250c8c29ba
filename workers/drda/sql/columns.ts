/**
 * SQL types by the numbers of SQLDARD (DRDA Volume 1, "SQLDA type"; the same as in Db2's SQLDA), which are one less for
 * types without nulls. Booleans are described as by Derby 10.7 and later; 2000 is Derby's number for user-defined
 * types.
 */
const types = new Map<number, ColumnType>([
  [384, 'date'],
  [388, 'time'],
  [392, 'timestamp'],
  [404, 'blob'],
  [408, 'clob'],
  [448, 'varchar'],
  [452, 'char'],
  [456, 'longVarchar'],
  [480, 'double'],
  [484, 'decimal'],
  [492, 'bigint'],
  [496, 'integer'],
  [500, 'smallint'],
  [504, 'decimal'],
  [908, 'varBytes'],
  [912, 'bytes'],
  [2000, 'udt'],
  [2436, 'boolean'],
]);

export type ColumnType =
  | 'smallint'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'real'
  | 'double'
  | 'char'
  | 'varchar'
  | 'longVarchar'
  | 'bytes'
  | 'varBytes'
  | 'longVarBytes'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'boolean'
  | 'clob'
  | 'blob'
  | 'udt'
  | 'other';

/** A column of a result, or a parameter of a statement, as the server describes it. */
export interface Column {
  /** The name or label; empty for parameters, and for expressions without a name. */
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** The digits of a decimal, and those behind its point. */
  readonly precision: number;
  readonly scale: number;
  /** The most bytes (or characters) of a value, as the server counts them. */
  readonly length: number;
  /** The number of the type on the wire, which says more than `type` for 'other'. */
  readonly sqlType: number;
}

/** Character types with this CCSID hold bytes (FOR BIT DATA). */
const noCharacters = (ccsid: number): boolean => ccsid === 0 || ccsid === 0xffff;

export function columnType(sqlType: number, length: number, ccsid: number): ColumnType {
  const type = types.get(sqlType & ~1) ?? 'other';
  if (type === 'double' && length === 4) return 'real';
  if (!noCharacters(ccsid)) return type;
  if (type === 'char') return 'bytes';
  if (type === 'varchar') return 'varBytes';
  return type === 'longVarchar' ? 'longVarBytes' : type;
}
