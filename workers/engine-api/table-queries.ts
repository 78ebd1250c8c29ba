import type { ColumnType } from '#model/dataset/dataset.ts';
import type { AskedTable, StatisticsValue } from './table-facts.ts';

/** A table in a query: one of the user's, or one of Dyno's by its name in the experiment, as `{name}` writes it. */
export type QueriedTable = AskedTable | { readonly placeholder: string };

/** A column in a query. */
export interface QueriedColumn {
  /** Its name at the server. */
  readonly name: string;
  /** The type of a column of Dyno's, by which some engines store another value. Absent: a column of the user's. */
  readonly type?: ColumnType;
  /** True for the key of a table of Dyno's, which some engines name otherwise. */
  readonly isKey?: boolean;
  /** True for a text, whose lengths are compared. */
  readonly isText?: boolean;
}

/** A condition on a column. */
export interface ColumnCondition {
  /** The column. */
  readonly column: QueriedColumn;
  /** below: less than the value; atLeast: the value or more. */
  readonly operator: 'is' | 'atLeast' | 'below' | 'isNull';
  /** The value; null for `isNull`. A time is text, as the server has it or in ISO 8601. */
  readonly value: StatisticsValue | null;
  /** True if the value is a time. */
  readonly isTime: boolean;
}

/** A query for rows of a table, or of a table and the one to which it refers. */
export interface RowQuery {
  /** The table. */
  readonly table: QueriedTable;
  /** Conditions on it, all of which hold. */
  readonly where: readonly ColumnCondition[];
  /** The table to which it refers. Absent: none. */
  readonly joined?: {
    /** The other table. */
    readonly table: QueriedTable;
    /** Equal columns of both. */
    readonly on: readonly { readonly column: QueriedColumn; readonly other: QueriedColumn }[];
    /** Conditions on the other table. */
    readonly where: readonly ColumnCondition[];
  };
}

/** The texts by which an engine answers questions about its tables. They only read. */
export interface TableQueries {
  /** All columns of the rows. */
  rows(query: RowQuery): string;
  /** One row: the number of rows. */
  count(query: RowQuery): string;
  /**
   * One row: the different values of a column, the rows of its most frequent value, the rows that are not null, and the
   * mean length of the values, null where `isText` is not true.
   */
  figures(table: QueriedTable, column: QueriedColumn): string;
  /** A row for each value that is not null, the most frequent one first: the value and its rows. */
  frequent(table: QueriedTable, column: QueriedColumn): string;
}
