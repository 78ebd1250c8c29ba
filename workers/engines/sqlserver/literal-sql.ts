import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { Statements } from './statements.ts';
import { literal } from './values.ts';

/** A batch as the text of a statement, its values as literals. */
export function literalSql({ sent, types, sql }: Statements, batch: Batch): string {
  const values = sent.map((c, i) => decodeColumn(batch.columns[c]!, types[i]!, batch.rows));
  return sql(batch.rows, (row, column) => literal(values[column]![row]!, types[column]!));
}
