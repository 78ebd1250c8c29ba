import type { TableChecksum } from '#model/batch/batch.ts';
import { keyIndex } from '#model/dataset/columns.ts';
import type { OperationName } from '#model/settings/vocabulary.ts';
import type { ClientJob } from '#protocol/messages.ts';
import type { Generator } from '../generator/generator.ts';
import type { CallTracker } from '../workload/call-tracker.ts';
import { createChecksumSum } from './checksum.ts';

const rowsPerBlock = 8_192;

/**
 * Computes the rows that the server acknowledged, from row numbers, after the clock has stopped. insert: rows and
 * checksum (only rows if the server generated them). copy: rows and checksum of the new keys. update, delete: touched
 * rows. Reads: null.
 */
export async function acknowledgedRows(
  operation: OperationName,
  trackers: ReadonlySet<CallTracker>,
  generator: Generator,
  { table: { columns }, dataset, loadedRows }: Pick<ClientJob, 'table' | 'dataset' | 'loadedRows'>,
  serverData: boolean,
  emptyIsNull = false,
): Promise<TableChecksum | null> {
  if (operation !== 'insert' && operation !== 'update' && operation !== 'delete' && operation !== 'copy') return null;
  if (operation === 'update' || operation === 'delete' || serverData) {
    let rows = 0;
    for (const tracker of trackers) for (const call of tracker.acknowledged()) rows += tracker.numbering.rows(call);
    return { rows, columns: columns.map(() => null) };
  }
  // A copy generates only the keys itself.
  const key = operation === 'copy' ? keyIndex(dataset) : null;
  const made = key === null ? columns : [columns[key]!];
  const sum = createChecksumSum(
    made.map(({ type }) => type),
    emptyIsNull,
  );
  const block = new Float64Array(rowsPerBlock);
  let filled = 0;
  const flush = async () => {
    const rows = block.subarray(0, filled);
    sum.add(key === null ? generator.pick(rows) : generator.keys(rows.map((row) => loadedRows + row)));
    filled = 0;
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  for (const { numbering, call } of acknowledgedCalls(trackers)) {
    const first = numbering.first(call);
    for (let row = first, end = first + numbering.rows(call); row < end; row++) {
      block[filled++] = row;
      if (filled === rowsPerBlock) await flush();
    }
  }
  if (filled > 0) await flush();
  const { rows, columns: sums } = sum.total();
  return { rows, columns: key === null ? sums : columns.map((_, c) => (c === key ? sums[0]! : null)) };
}

function* acknowledgedCalls(trackers: ReadonlySet<CallTracker>) {
  for (const tracker of trackers)
    for (const call of tracker.acknowledged()) yield { numbering: tracker.numbering, call };
}
