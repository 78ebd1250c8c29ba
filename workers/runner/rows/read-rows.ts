import type { FromFile } from '#model/dataset/dataset.ts';
import { CsvReader } from './csv-reader.ts';
import { formatOf, readBytes } from './file-bytes.ts';
import { JsonReader } from './json-reader.ts';
import { readParquet } from './parquet-reader.ts';
import type { ParquetType, Reading, RowsOfFile } from './row-sink.ts';

/** Reads the rows of a file, to its end or until the sink wants no more. `onStart` gets the reader’s place. */
export async function readRows(
  path: string,
  from: FromFile,
  rows: RowsOfFile,
  onStart: (reading: Reading) => void,
  signal: AbortSignal,
): Promise<void> {
  const format = formatOf(from);
  const { file, nullAs = '' } = from;
  if (format === 'parquet') return readParquet(path, file, rows, onStart, signal);
  const none: ReadonlyMap<string, ParquetType> = new Map();
  const reader =
    format === 'csv'
      ? new CsvReader({ file, nullAs, onHead: (names) => rows.onColumns(names, none), sink: rows.sink })
      : new JsonReader({ file, onNames: (names) => rows.onColumns(names, none), sink: rows.sink });
  let bytes = 0;
  onStart({
    get place() {
      return reader.place;
    },
    get bytes() {
      return bytes - reader.unread;
    },
  });
  await readBytes(
    path,
    from,
    (chunk, isLast) => {
      bytes += chunk.length;
      return reader.push(chunk, isLast);
    },
    signal,
  );
}
