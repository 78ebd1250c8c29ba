import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SchemaElement } from 'hyparquet-writer';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import type { DataColumn, DataFile, DataValue } from '#presentation/data-set/data-file.ts';
import { type DataFormat, dataSet, dataSetReadme } from '#presentation/data-set/data-set.ts';
import { csvLine } from '#presentation/tables/shared/csv.ts';
import type { History } from '#protocol/history.ts';

/** Writes the numbers of a run, and README.md about them, into a folder. Few rows at a time are in memory. */
export async function writeDataSet(
  run: RunModel,
  baseline: Baseline,
  folder: string,
  format: DataFormat,
  history: History | null = null,
): Promise<void> {
  const files = dataSet(run, baseline, history);
  writeFileSync(join(folder, 'README.md'), dataSetReadme(run, files, format));
  for (const file of files) {
    const path = join(folder, `${file.name}.${format}`);
    if (format === 'csv') writeCsv(path, file);
    else await writeParquet(path, file);
  }
}

/** About this many characters are written at once. */
const chunkCharacters = 1 << 20;

function writeCsv(path: string, { columns, rows }: DataFile): void {
  const file = openSync(path, 'w');
  try {
    let chunk = csvLine(columns.map(({ name }) => name));
    for (const row of rows()) {
      chunk += csvLine(row.map(csvValue));
      if (chunk.length < chunkCharacters) continue;
      writeSync(file, chunk);
      chunk = '';
    }
    writeSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

const csvValue = (value: DataValue): string | number | null => (typeof value === 'boolean' ? String(value) : value);

/** A reader of the file needs this many rows in memory, and so does the writer. */
const rowsOfGroup = 50_000;

async function writeParquet(path: string, { columns, rows }: DataFile): Promise<void> {
  const { fileWriter, parquetWriteRows } = await import('hyparquet-writer');
  await parquetWriteRows({
    writer: fileWriter(path),
    columns: columns.map(({ name }) => ({ name })),
    schema: [{ name: 'row', num_children: columns.length }, ...columns.map(schemaOf)],
    rows: parquetRows(columns, rows()),
    rowGroupSize: rowsOfGroup,
    createdBy: 'Dyno',
  });
}

const schemaOf = ({ name, type }: DataColumn): SchemaElement => ({
  name,
  repetition_type: 'OPTIONAL',
  ...parquetTypes[type],
});

const parquetTypes = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  whole: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  yesNo: { type: 'BOOLEAN' },
} as const satisfies Record<DataColumn['type'], Omit<SchemaElement, 'name'>>;

function* parquetRows(
  columns: readonly DataColumn[],
  rows: Iterable<readonly DataValue[]>,
): Generator<Record<string, unknown>> {
  for (const row of rows)
    yield Object.fromEntries(columns.map(({ name, type }, i) => [name, parquetValue(type, row[i] ?? null)]));
}

function parquetValue(type: DataColumn['type'], value: DataValue): DataValue | bigint {
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return null;
  return type === 'whole' ? BigInt(Math.round(value)) : value;
}
