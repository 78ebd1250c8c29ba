import type { TableChecksum } from '#model/batch/batch.ts';
import { keyIndex } from '#model/dataset/columns.ts';
import type { OperationName } from '#model/settings/vocabulary.ts';
import type { ClientJob } from '#protocol/messages.ts';
import type { Generator } from '../generator/generator.ts';
import { valueBytes } from '../rows/value-bytes.ts';
import type { CallTracker } from '../workload/call-tracker.ts';
import { createChecksumSum } from './checksum.ts';

const rowsPerBlock = 8_192;

interface Acknowledged {
  readonly checksum: TableChecksum;
  /** The bytes of the values of inserted rows; null: other rows, or rows that the server generated. */
  readonly bytes: number | null;
}

/**
 * Computes the rows that the server acknowledged, from row numbers, after the clock has stopped. insert: rows, checksum
 * and bytes (only rows if the server generated them). copy: rows and checksum of the new keys. update, delete: touched
 * rows. Reads: null.
 */
export async function acknowledgedRows(
  operation: OperationName,
  trackers: ReadonlySet<CallTracker>,
  generator: Generator,
  { table: { columns }, dataset, loadedRows }: Pick<ClientJob, 'table' | 'dataset' | 'loadedRows'>,
  serverData: boolean,
  emptyIsNull = false,
): Promise<Acknowledged | null> {
  if (operation !== 'insert' && operation !== 'update' && operation !== 'delete' && operation !== 'copy') return null;
  if (operation === 'update' || operation === 'delete' || serverData) {
    let rows = 0;
    for (const tracker of trackers) for (const call of tracker.acknowledged()) rows += tracker.numbering.rows(call);
    return { checksum: { rows, columns: columns.map(() => null) }, bytes: null };
  }
  // A copy generates only the keys itself.
  const key = operation === 'copy' ? keyIndex(dataset) : null;
  const made = key === null ? columns : [columns[key]!];
  const types = made.map(({ type }) => type);
  const sum = createChecksumSum(types, emptyIsNull);
  let bytes = 0;
  const block = new Float64Array(rowsPerBlock);
  let filled = 0;
  const flush = async () => {
    const rows = block.subarray(0, filled);
    const batch = key === null ? generator.pick(rows) : generator.keys(rows.map((row) => loadedRows + row));
    sum.add(batch);
    bytes += valueBytes(batch, types);
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
  return key === null
    ? { checksum: { rows, columns: sums }, bytes }
    : { checksum: { rows, columns: columns.map((_, c) => (c === key ? sums[0]! : null)) }, bytes: null };
}

function* acknowledgedCalls(trackers: ReadonlySet<CallTracker>) {
  for (const tracker of trackers)
    for (const call of tracker.acknowledged()) yield { numbering: tracker.numbering, call };
}
