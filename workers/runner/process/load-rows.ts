import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { ControlRequest } from '#protocol/messages.ts';
import { createGenerator } from '../generator/generator.ts';
import { createChecksumSum } from '../verify/checksum.ts';

const progressEveryMs = 200;
const batchBytes = 1_000_000;
const mostBatchRows = 10_000;

/**
 * Loads a range of the rows that the dataset's seed defines, independent of other loaders of the same table. Resolves
 * with the checksum of the generated rows.
 */
export async function loadRows(
  descriptor: EngineDescriptor,
  database: Database,
  { table, dataset, storedAs, rows: { first, end } }: ControlRequest & { readonly call: 'load' },
  signal: StopSignal,
  onRows: (rows: number) => void,
): Promise<TableChecksum> {
  const generator = createGenerator(dataset, storedAs);
  const sum = createChecksumSum(
    table.columns.map(({ type }) => type),
    descriptor.emptyIsNull,
  );
  const rowsPerBatch = Math.max(1, Math.min(mostBatchRows, Math.floor(batchBytes / widestRowBytes(table))));
  function* batches() {
    for (let start = first; start < end; start += rowsPerBatch) {
      const batch = generator.fill(start, Math.min(rowsPerBatch, end - start), null);
      sum.add(batch);
      yield batch;
    }
  }
  let reportAtMs = 0;
  await database.load(
    table,
    batches(),
    (loaded) => {
      if (performance.now() < reportAtMs) return;
      reportAtMs = performance.now() + progressEveryMs;
      onRows(loaded);
    },
    signal,
  );
  return sum.total();
}

function widestRowBytes({ columns }: TablePlan): number {
  return columns.reduce(
    (bytes, { type }) =>
      bytes +
      (type.kind === 'text' ? type.maxLength * (type.ascii ? 1 : 3) : type.kind === 'bytes' ? type.maxLength : 16),
    0,
  );
}
