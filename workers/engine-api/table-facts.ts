import type { IndexKind } from '#model/dataset/indexes.ts';

/** A value in statistics: a number, a text, or a time as text. */
export type StatisticsValue = string | number | boolean;

/** A value with its share of all rows, nulls included. */
interface CommonValue {
  /** The value as the server has it. */
  readonly value: StatisticsValue;
  /** Its share of all rows, from 0 to 1. */
  readonly share: number;
}

/** Statistics of a column, as the server keeps them. */
export interface ColumnStatistics {
  /** Share of rows that are null; null: the server does not tell. */
  readonly nullShare: number | null;
  /** Number of different values; null: unknown. */
  readonly distinct: number | null;
  /** The most frequent values, the most frequent first. */
  readonly common: readonly CommonValue[];
  /** Ascending values; between two neighbours lie equally many of the rows without a common value. */
  readonly bounds: readonly StatisticsValue[];
  /** Mean length of the values in bytes. */
  readonly meanBytes: number | null;
  /** Rank correlation of the values with the order of the rows on disk. */
  readonly rowOrder: number | null;
}

/** A column of a table at a server. */
export interface ColumnFacts {
  /** Its name at the server. */
  readonly name: string;
  /** The words of its type in lower case, without arguments: `character varying`. */
  readonly type: string;
  /** The arguments of its type: `['10', '2']`. */
  readonly args: readonly string[];
  /** True if it may be null. */
  readonly isNullable: boolean;
  /** The server numbers the rows. */
  readonly isCounted: boolean;
  /** The server computes the value. */
  readonly isComputed: boolean;
  /** True for an array of its type. */
  readonly isArray: boolean;
  /** The labels of an enumerated type; null: another type. */
  readonly labels: readonly string[] | null;
  /** Null: the server has no statistics of the column. */
  readonly statistics: ColumnStatistics | null;
}

/** An index other than that of the primary key. */
export interface IndexFacts {
  /** Its name at the server. */
  readonly name: string;
  /** Its columns and expressions, the most significant first. */
  readonly parts: readonly ({ readonly desc?: true } & (
    | { readonly column: string }
    | { readonly expression: string }
  ))[];
  /** Columns whose values it stores in addition. */
  readonly include: readonly string[];
  /** The condition; null: all rows are in the index. */
  readonly where: string | null;
  /** True if it rejects duplicate values. */
  readonly unique: boolean;
  /** Null: a kind that Dyno does not have, in `method`. */
  readonly kind: IndexKind | null;
  /** The kind in the words of the server. */
  readonly method: string;
  /** False: no query uses it. */
  readonly visible: boolean;
}

/** Statistics of several columns of a table together. */
export interface JointStatistics {
  /** The columns, by their names at the server. */
  readonly columns: readonly string[];
  /** The most frequent combinations, in the order of `columns`, with their shares of all rows. Null is null. */
  readonly common: readonly { readonly values: readonly (StatisticsValue | null)[]; readonly share: number }[];
  /** The share of rows in which the first columns determine the other one. */
  readonly dependencies: readonly { readonly from: readonly string[]; readonly to: string; readonly degree: number }[];
}

/**
 * A statement of `setup` by which another table of the same engine gets the kinds of statistics that this one has. In
 * the text, {own} is the object that it makes, {} the table, and {columns} the names of columns between separators.
 */
export interface CollectedStatistics {
  /** Example: `CREATE STATISTICS {own} (mcv) ON "{columns}" FROM {}`. */
  readonly text: string;
  /** The columns, by their names at the server. */
  readonly columns: readonly string[];
  /** The text between two names of columns. */
  readonly separator: string;
}

/** A table at a server, with its statistics. */
export interface TableFacts {
  /** Null: the server finds the table without it. */
  readonly schema: string | null;
  /** Its name, without the schema. */
  readonly name: string;
  /** Number of rows, as the server knows it. */
  readonly rows: number;
  /** The columns in the order of the table. */
  readonly columns: readonly ColumnFacts[];
  /** Columns of the primary key; empty: none. */
  readonly key: readonly string[];
  /** The foreign keys, with the columns to which they refer; without these: the primary key. */
  readonly foreignKeys: readonly {
    readonly columns: readonly string[];
    readonly schema: string | null;
    readonly table: string;
    readonly referred: readonly string[];
  }[];
  /** All indexes other than that of the primary key. */
  readonly indexes: readonly IndexFacts[];
  /** Statistics of several columns together; empty: the server has none. */
  readonly joint: readonly JointStatistics[];
  /** Statistics that this table has beside those that every table gets. Absent: none. */
  readonly collected?: readonly CollectedStatistics[];
  /** Sentences about facts that the server does not have, and how to get them. */
  readonly notes: readonly string[];
}

/** A table that is asked for. */
export interface AskedTable {
  /** Null: the server finds the table by its name. */
  readonly schema: string | null;
  /** Its name, without the schema. */
  readonly name: string;
}

/** The type in words and its arguments, from a text like `character varying(20)` or `numeric(10,2)[]`. */
export function typeWords(text: string): { readonly type: string; readonly args: readonly string[] } {
  const args = /\(([^)]*)\)/.exec(text)?.[1] ?? '';
  return {
    type: text
      .toLowerCase()
      .replace(/\([^)]*\)/, ' ')
      .replaceAll('[]', '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    args: args === '' ? [] : args.split(',').map((one) => one.trim()),
  };
}
