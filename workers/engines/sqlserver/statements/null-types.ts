import { convertsNull } from '#engine-api/support/converts-null.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import type { NullBinding } from '#model/settings/vocabulary.ts';
import { descriptor } from '../descriptor.ts';
import { columnTypeSql, maxWideCharacters } from '../values/values.ts';
import { type Collation, float64, type WireType, wideText, wireType } from '../wire/tds.ts';
import { placeholders, type Statements } from './statements.ts';

/** The types with which programs declare a null if they do not know its column. */
export type Guess = 'asDecimal' | 'asFloat' | 'asText';

/**
 * Precision and scale of a decimal for which a program names none, as JDBC's setNull(…, DECIMAL) with Microsoft's
 * driver.
 */
export const anyDecimal = { kind: 'decimal', precision: 38, scale: 0 } as const;

/**
 * True if a null can be sent with a guessed type, because the server converts it (manual, "CAST and CONVERT", implicit
 * conversions).
 */
const converts = (type: ColumnType, nulls: NullBinding): nulls is Guess =>
  (nulls === 'asDecimal' || nulls === 'asFloat' || nulls === 'asText') &&
  convertsNull(descriptor.nullBindings![nulls]!, type);

/** The type with which a null is sent; null: it is not sent, but written in the statement. */
export function nullWireOf(
  type: ColumnType,
  wire: WireType,
  nulls: NullBinding,
  collation: Collation,
): WireType | null {
  if (nulls === 'untyped') return null;
  if (!converts(type, nulls)) return wire;
  switch (nulls) {
    case 'asDecimal':
      return wireType(anyDecimal, collation);
    case 'asFloat':
      return float64;
    case 'asText':
      return wideText(maxWideCharacters, collation);
  }
}

function declaredType(type: ColumnType, guess: Guess | null): string {
  switch (guess) {
    case null:
      return columnTypeSql(type);
    case 'asDecimal':
      return columnTypeSql(anyDecimal);
    case 'asFloat':
      return 'float';
    case 'asText':
      return `nvarchar(${maxWideCharacters})`;
  }
}

/**
 * A parameter of a statement: its name, its column among those sent, and the type of its nulls if it is another one.
 */
interface NullParameter {
  readonly name: string;
  readonly column: number;
  readonly guess: Guess | null;
}

/** Statements of one row that differ in the values that are nulls and not declared as their columns: "010". */
interface NullPatterns {
  readonly withoutNulls: string;
  of(batch: Batch): string;
  statement(pattern: string): {
    readonly sql: string;
    readonly parameters: readonly NullParameter[];
    readonly declarations: string;
  };
}

export function patternsOf({ sent, types, sql }: Statements, nulls: NullBinding): NullPatterns {
  const withoutNulls = '0'.repeat(types.length);
  const differs = types.map((type) => nulls === 'untyped' || converts(type, nulls));
  const isText = (pattern: string, column: number) => nulls === 'untyped' && pattern[column] === '1';
  /** Parameters are numbered without the nulls that are not sent. */
  const parameter = (pattern: string, column: number) => {
    const before = Array.from({ length: column }, (_, c) => c).filter((c) => !isText(pattern, c));
    return placeholders(types.length)(0, before.length);
  };
  return {
    withoutNulls,
    of: (batch) => sent.map((c, i) => (differs[i] && batch.columns[c]!.nulls?.[0] === 1 ? '1' : '0')).join(''),
    statement(pattern) {
      const parameters = types.flatMap((type, column): NullParameter[] => {
        if (isText(pattern, column)) return [];
        const guess = pattern[column] === '1' && converts(type, nulls) ? nulls : null;
        return [{ name: parameter(pattern, column), column, guess }];
      });
      return {
        sql: sql(1, (_row, column) => (isText(pattern, column) ? 'NULL' : parameter(pattern, column))),
        parameters,
        declarations: parameters
          .map(({ name, column, guess }) => `${name} ${declaredType(types[column]!, guess)}`)
          .join(', '),
      };
    },
  };
}
