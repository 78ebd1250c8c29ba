import { datasetTable } from '#model/dataset/tables.ts';
import { formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { sentence } from '#model/format/sentence.ts';
import type { TriedAs } from '#model/statements/statements.ts';

/** Says which part of the run was tried, and how the run may differ from it. */
export function triedAsText({ variant, others, smaller }: TriedAs): string {
  const more = others === 0 ? '' : `; the run has ${many(others, 'other variant')} here`;
  const how = `Tried as in the run with ${variant}${more}.`;
  if (smaller.length === 0) return how;
  const tables = smaller.map(
    ({ table, rows, rowsInRun }) =>
      `${table === datasetTable ? 'the table' : table} has ${formatCount(rows)} rows here and ${formatCount(rowsInRun)} in the run`,
  );
  return `${how} ${sentence(tables.join(', '))}: plan and time may differ.`;
}
