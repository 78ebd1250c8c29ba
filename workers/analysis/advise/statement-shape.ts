/** A column of a table, or a field within its documents. */
export interface ColumnUse {
  readonly table: string;
  readonly column: string;
  /** The names of the fields, with dots between them; absent: the column itself. */
  readonly path?: string;
}

/** A condition that an index of its column can serve. */
export interface Condition extends ColumnUse {
  /** join: the column equals a column of another table. prefix: a text that begins with a constant. */
  readonly kind: 'equal' | 'in' | 'range' | 'prefix' | 'isNull' | 'join';
  /** The condition on the column alone, where it has no parameter: "status = 'open'". */
  readonly constant: string | null;
}

/** A condition in which an expression surrounds the column, so that no index of the column serves it. */
export interface WrappedCondition {
  readonly column: string;
  /** The table; null: unknown, because the statement reads tables of the user's own. */
  readonly table: string | null;
  /** The column with its expression, as the text has it: "date(o.sold)". */
  readonly expression: string;
  /** The column as the text names it: "o.sold". */
  readonly written: string;
  /** The other side of the equality, as the text has it. */
  readonly value: string;
  /** The place of the whole condition in the text. */
  readonly start: number;
  readonly end: number;
}

/** The parts of a statement that candidates are made of. */
export interface StatementShape {
  readonly verb: 'select' | 'update' | 'delete' | 'insert';
  /** The tables of Dyno's, in the order of the text. The first one is written where the statement writes. */
  readonly tables: readonly string[];
  readonly conditions: readonly Condition[];
  readonly wrapped: readonly WrappedCondition[];
  /** The sort keys of the rows, or else the columns of the groups. Empty: none, or one is an expression. */
  readonly order: readonly (ColumnUse & { readonly descending: boolean })[];
  /** Columns that are read anywhere in the text, by table; null: all of them, or unknown. */
  readonly reads: ReadonlyMap<string, readonly string[]> | null;
}
