import { type FileHandle, open } from 'node:fs/promises';
import type { AsyncBuffer, FileMetaData, RowGroup, SchemaElement } from 'hyparquet';
import { DynoError, toErrorData } from '#model/error.ts';
import { formatBytes, formatCount } from '#model/format/format.ts';
import { decimalText } from '#model/text/exact-decimal.ts';
import type { Page } from './parquet-pages.ts';
import { readStructure } from './parquet-thrift.ts';
import type { ParquetType, Reading, RowsOfFile } from './row-sink.ts';

/** Rows of a row group that are decoded at once. */
const mostRows = 65_536;
/** The end of a file: the length of its description, and “PAR1”. */
const tailBytes = 8;
/** Descriptions of 1,000 columns and 100 groups of rows have some 20 MB and 3,000,000 values. */
const mostDescription = { bytes: 64_000_000, values: 8_000_000 };
const mostRowBytes = 64_000_000;

/**
 * Reads the rows of a Parquet file. Values are decoded without a conversion by hyparquet, which makes doubles of
 * decimals and milliseconds of times: each becomes the exact text of its value. Throws 'badInput' for another file, and
 * for one that would take too much memory.
 */
export async function readParquet(
  path: string,
  file: string,
  { onColumns, sink }: RowsOfFile,
  onStart: (reading: Reading) => void,
  signal: AbortSignal,
): Promise<void> {
  // Few users have Parquet files.
  const [{ parquetMetadata, parquetScan, parquetSchema }, { decodedBytesOf, mostBytes, PageGuard }] = await Promise.all(
    [import('hyparquet'), import('./parquet-pages.ts')],
  );
  const handle = await open(path);
  let row = 0;
  try {
    const { size } = await handle.stat();
    const metadata = parquetMetadata(await descriptionOf(handle, size), { geoparquet: false });
    const { children } = parquetSchema(metadata);
    const types = new Map(
      children.map(({ element, children: inner }) => [element.name, typeOf(element, inner.length > 0)]),
    );
    const elements = new Map(children.map(({ element }) => [element.name, { ...element }]));
    const wanted = onColumns([...types.keys()], types);
    // With these parsers, hyparquet leaves numbers and bytes as they are in the file.
    for (const element of metadata.schema) {
      if ((element.num_children ?? 0) > 0) continue;
      delete element.converted_type;
      delete element.logical_type;
    }
    const names = [...wanted.keys()];
    const allRows = rowsOf(metadata);
    onStart({
      rows: allRows,
      get place() {
        return `row ${row + 1}`;
      },
      get bytes() {
        return allRows === 0 ? 0 : Math.round((size * row) / allRows);
      },
    });
    const guard = new PageGuard();
    const chunks = new Map<number, ArrayBuffer>();
    const scan = await parquetScan({
      ...{ file: bufferOf(size, chunks), metadata, columns: names, utf8: false, geoparquet: false },
      ...{ compressors: guard.compressors, useOffsetIndex: false },
      parsers: { timestampFromNanoseconds: (ns) => ns },
    });
    for (const group of metadata.row_groups) {
      const first = row;
      const rows = Number(group.num_rows);
      if (rows === 0) continue;
      chunks.clear();
      const places = names.map((name) => placeOf(group, name, size));
      const keptBytes = places.reduce((sum, { length }) => sum + length, 0);
      if (keptBytes > mostBytes) throw tooLarge(keptBytes, mostBytes, 'A group of rows has');
      const columns = names.map((column) => {
        const element = elements.get(column)!;
        const { as } = types.get(column)!;
        return {
          ...{ column, element, pages: [] as readonly Page[], to: wanted.get(column)! },
          ...{ text: textMaker(element, types.get(column)!), isNested: as === 'document' },
        };
      });
      for (const [i, column] of columns.entries()) {
        const { start, length, ...chunk } = places[i]!;
        const bytes = await bytesAt(handle, start, length);
        if (chunks.has(start)) throw new Error('two columns are at the same place.');
        chunks.set(start, bytes.buffer);
        column.pages = guard.pagesOf(bytes, { ...chunk, element: column.element }, rows);
      }
      const bytesOf = (start: number, end: number): number =>
        columns.reduce((sum, { pages }) => sum + decodedBytesOf(pages, start, end), 0);
      for (const { start, end } of rangesIn(rows, first, mostBytes - keptBytes, bytesOf)) {
        signal.throwIfAborted();
        guard.begin();
        const values: ArrayLike<unknown>[] = [];
        for (const { column } of columns)
          values.push(await scan.readColumn({ column, rowStart: first + start, rowEnd: first + end }));
        for (let r = 0; r < end - start; r++, row++) {
          let rowBytes = 0;
          for (const [i, { text, to, isNested }] of columns.entries()) {
            const value = values[i]![r];
            const bytes = value === null || value === undefined ? null : text(value);
            rowBytes += bytes?.length ?? 0;
            if (rowBytes > mostRowBytes) throw new Error(`row ${formatCount(row + 1)} is longer than 64 MB.`);
            for (const column of to) {
              if (bytes === null) sink.noValue(column);
              else if (isNested) sink.nested(column, bytes);
              else sink.value(column, bytes, 0, bytes.length);
            }
          }
          if (!sink.endRow()) {
            row++;
            return;
          }
        }
      }
    }
  } catch (thrown) {
    if (thrown instanceof DynoError || signal.aborted) throw thrown;
    throw new DynoError('badInput', `${file} cannot be read as Parquet: ${toErrorData(thrown).message}`);
  } finally {
    await handle.close();
  }
}

/** Ranges of a group’s rows that take at most `most` bytes each. `first`: the number of its first row. */
function* rangesIn(
  rows: number,
  first: number,
  most: number,
  bytesOf: (start: number, end: number) => number,
): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = 0, end = 0; start < rows; start = end) {
    end = Math.min(rows, start + mostRows);
    // One row may need a page of many rows.
    while (end > start + 1 && bytesOf(start, end) > most) end = start + Math.ceil((end - start) / 2);
    const bytes = bytesOf(start, end);
    if (bytes > most) throw tooLarge(bytes, most, `The pages with row ${formatCount(first + start + 1)} take`);
    yield { start, end };
  }
}

const tooLarge = (bytes: number, most: number, what: string): Error =>
  new Error(`${what} ${formatBytes(bytes)}, and ${formatBytes(most)} can be read at once.`);

/** The description of the columns and of the groups of rows at the end of a file, up to its end. */
async function descriptionOf(handle: FileHandle, size: number): Promise<Uint8Array> {
  const tail = await bytesAt(handle, Math.max(0, size - tailBytes), Math.min(size, tailBytes));
  if (Buffer.from(tail).toString('latin1', 4) !== 'PAR1') throw new Error('it does not end with PAR1.');
  const length = new DataView(tail.buffer).getUint32(0, true);
  if (length > size - tailBytes) throw new Error('the file ends too early.');
  if (length > mostDescription.bytes) throw tooLarge(length, mostDescription.bytes, 'Its description of columns has');
  const bytes = await bytesAt(handle, size - tailBytes - length, length + tailBytes);
  readStructure({ bytes: bytes.subarray(0, length), offset: 0, left: mostDescription.values });
  return bytes;
}

/** The number of rows that the groups have. */
function rowsOf({ num_rows: rows, row_groups: groups }: FileMetaData): number {
  const all = groups.map(({ num_rows: own }) => Number(own));
  const sum = all.reduce((one, other) => one + other, 0);
  if (all.some((own) => !(own >= 0)) || sum !== Number(rows) || !Number.isSafeInteger(sum))
    throw new Error('its groups do not have the number of rows that the file declares.');
  return sum;
}

/** The place of a column’s values in the file. */
function placeOf({ columns }: RowGroup, name: string, size: number) {
  const [meta, ...others] = columns.flatMap(({ meta_data: one }) => (one?.path_in_schema[0] === name ? [one] : []));
  if (meta === undefined || others.length > 0) throw new Error(`a group of rows has not one column “${name}”.`);
  // hyparquet takes the same range.
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const length = Number(meta.total_compressed_size);
  if (!(start >= 0 && length >= 0 && start + length <= size))
    throw new Error(`the column “${name}” ends behind the file.`);
  return { start, length, type: meta.type, isCompressed: meta.codec !== 'UNCOMPRESSED' };
}

/** Hands out the columns that were checked. */
const bufferOf = (byteLength: number, chunks: ReadonlyMap<number, ArrayBuffer>): AsyncBuffer => ({
  byteLength,
  slice(start, end) {
    const found = chunks.get(start);
    if (found === undefined || end !== start + found.byteLength) throw new Error('a column is not where it should be.');
    return found;
  },
});

async function bytesAt(handle: FileHandle, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, start + done);
    if (bytesRead === 0) throw new Error('the file ends too early.');
    done += bytesRead;
  }
  return bytes;
}

/** The type of a column of the file. */
function typeOf(
  { type, repetition_type, converted_type, logical_type, ...element }: SchemaElement,
  isGroup: boolean,
): ParquetType {
  const logical = logical_type?.type ?? converted_type;
  if (isGroup || repetition_type === 'REPEATED')
    return { as: null, why: 'a list or a group of columns, and Dyno reads single values' };
  switch (logical) {
    case 'DECIMAL':
      return { as: 'decimal', precision: element.precision ?? 38, scale: element.scale ?? 0 };
    case 'DATE':
    case 'TIMESTAMP':
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return { as: 'timestamp' };
    case 'STRING':
    case 'UTF8':
    case 'ENUM':
    case 'TIME':
    case 'TIME_MILLIS':
    case 'TIME_MICROS':
      return { as: 'text' };
    case 'JSON':
      return { as: 'document' };
    case 'UUID':
      return { as: 'uuid' };
    case 'INTERVAL':
    case 'BSON':
    case 'FLOAT16':
    case 'VARIANT':
    case 'GEOMETRY':
    case 'GEOGRAPHY':
      return { as: null, why: `of the type ${logical}, which Dyno does not read` };
  }
  switch (type) {
    case 'BOOLEAN':
      return { as: 'boolean' };
    case 'INT32':
    case 'INT64':
      return { as: 'integer' };
    case 'INT96':
      return { as: 'timestamp' };
    case 'FLOAT':
    case 'DOUBLE':
      return { as: 'double' };
    default:
      return { as: 'bytes' };
  }
}

const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

/** The function that makes the text of a value of the file, in UTF-8. */
function textMaker(element: SchemaElement, type: ParquetType): (value: unknown) => Uint8Array {
  const logical = element.logical_type?.type ?? element.converted_type ?? '';
  switch (type.as) {
    case 'decimal': {
      const { scale } = type;
      return (value) => ascii(decimalText({ unscaled: wholeOf(value), scale }));
    }
    case 'timestamp': {
      if (logical === 'DATE') return (value) => ascii(timeText(wholeOf(value) * dayNs));
      const unit = unitOf(element);
      return (value) => ascii(timeText(wholeOf(value) * unit));
    }
    case 'uuid':
      return (value) => ascii(hex(value as Uint8Array));
    case 'bytes':
      return (value) => ascii(`0x${hex(value as Uint8Array)}`);
    case 'integer':
      return isUnsigned(element)
        ? (value) => ascii(String(BigInt.asUintN(element.type === 'INT32' ? 32 : 64, wholeOf(value))))
        : (value) => ascii(String(value));
    case 'text':
      if (logical.startsWith('TIME')) {
        const unit = unitOf(element);
        return (value) => ascii(timeText(wholeOf(value) * unit).slice(11, -1));
      }
      return (value) => value as Uint8Array;
    case 'document':
      return (value) => value as Uint8Array;
    default:
      return (value) => ascii(String(value));
  }
}

const isUnsigned = ({ converted_type, logical_type }: SchemaElement): boolean =>
  converted_type?.startsWith('UINT') === true || (logical_type?.type === 'INTEGER' && logical_type.isSigned === false);

const dayNs = 86_400_000_000_000n;

/** Nanoseconds of the unit of a time. */
function unitOf({ type, converted_type, logical_type }: SchemaElement): bigint {
  if (type === 'INT96') return 1n;
  const unit = (logical_type && 'unit' in logical_type ? logical_type.unit : null) ?? converted_type?.split('_')[1];
  return unit === 'MILLIS' ? 1_000_000n : unit === 'MICROS' ? 1_000n : 1n;
}

/** A whole number, also one in bytes: big-endian, in two’s complement. */
function wholeOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint);
  return value.length === 0 ? 0n : BigInt.asIntN(value.length * 8, BigInt(`0x${hex(value)}`));
}

/** "2024-02-29T12:34:56.123456789Z", without zeros at the end of the fraction. */
function timeText(ns: bigint): string {
  const seconds = ns / 1_000_000_000n - (ns % 1_000_000_000n < 0n ? 1n : 0n);
  const date = new Date(Number(seconds) * 1_000);
  // No type of times holds this value; the column reports the error.
  if (Number.isNaN(date.getTime())) return `${ns} ns since 1970`;
  const fraction = String(ns - seconds * 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${date.toISOString().slice(0, -5)}${fraction === '' ? '' : `.${fraction}`}Z`;
}
