import type { Value } from '#drda/index.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { Dialect } from '../dialect.ts';
import { literal, rowsOf } from '../values/values.ts';
import type { Statements } from './statements.ts';

/** A batch's rows as the markers of its statement name their values. */
export function parametersOf(
  batch: Batch,
  { types, order }: Statements,
  dialect: Dialect,
): readonly (readonly Value[])[] {
  const rows = rowsOf(batch, types, dialect);
  return order.every((c, i) => c === i) ? rows : rows.map((row) => order.map((c) => row[c]!));
}

/** The statement for a batch with its values in the text. */
export function literalSql(batch: Batch, { types, sql }: Statements, dialect: Dialect): string {
  const rows = rowsOf(batch, types, dialect);
  return sql(1, (row, column) => literal(rows[row]![column]!, types[column]!));
}
