import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { LoadedRows } from '#protocol/measurement.ts';
import type { ControlRequest } from '#protocol/messages.ts';
import { createGenerator } from '../generator/generator.ts';
import { valueBytes } from '../rows/value-bytes.ts';
import { createChecksumSum } from '../verify/checksum.ts';

const progressEveryMs = 200;
const batchBytes = 1_000_000;
const mostBatchRows = 10_000;

/**
 * Loads a range of the rows that the dataset's seed defines, independent of other loaders of the same table. Resolves
 * with the checksum of the generated rows, and the bytes of their values.
 */
export async function loadRows(
  descriptor: EngineDescriptor,
  database: Database,
  { table, dataset, storedAs, rows: { first, end } }: ControlRequest & { readonly call: 'load' },
  signal: StopSignal,
  onRows: (rows: number) => void,
): Promise<LoadedRows> {
  const generator = createGenerator(dataset, storedAs);
  const types = table.columns.map(({ type }) => type);
  const sum = createChecksumSum(types, descriptor.emptyIsNull);
  let bytes = 0;
  const rowsPerBatch = Math.max(1, Math.min(mostBatchRows, Math.floor(batchBytes / widestRowBytes(table))));
  function* batches() {
    for (let start = first; start < end; start += rowsPerBatch) {
      const batch = generator.fill(start, Math.min(rowsPerBatch, end - start), null);
      sum.add(batch);
      bytes += valueBytes(batch, types);
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
  return { checksum: sum.total(), bytes };
}

function widestRowBytes({ columns }: TablePlan): number {
  return columns.reduce(
    (bytes, { type }) =>
      bytes +
      (type.kind === 'text' ? type.maxLength * (type.ascii ? 1 : 3) : type.kind === 'bytes' ? type.maxLength : 16),
    0,
  );
}
