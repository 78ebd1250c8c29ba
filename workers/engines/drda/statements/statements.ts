import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { commonStatement, fetchFirst, type Place } from '../../shared/sql/statements.ts';
import { quote, tableSql } from '../names.ts';

export const marker: Place = () => '?';

/** SQL of one operation. Pure. */
export interface Statements {
  /** Types of a batch's columns, in order. */
  readonly types: readonly ColumnType[];
  /** The batch's columns in the order in which the markers name them; SQL has the new value before the key. */
  readonly order: readonly number[];
  /** The statement for `rows` rows, in which `place` writes each value. */
  sql(rows: number, place: Place): string;
}

export function statementsOf(table: TablePlan, operation: TableOperation, settings: Settings): Statements {
  const dialect = { target: tableSql(table), quote, first: fetchFirst };
  const { columns, sql } = commonStatement(table, operation, settings, dialect);
  const types = columns.map(({ type }) => type);
  return { types, order: operation === 'update' ? [1, 0] : types.map((_, c) => c), sql };
}
