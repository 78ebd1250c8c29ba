import { type FileHandle, open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { AsyncBuffer, FileMetaData, SchemaElement } from 'hyparquet';
import { DynoError, toErrorData } from '#model/error.ts';
import { decimalText } from '#model/text/exact-decimal.ts';
import type { ParquetType, Reading, RowsOfFile } from './row-sink.ts';

/** Rows of a row group that are decoded at once. */
const mostRows = 65_536;

/**
 * Reads the rows of a Parquet file. Values are decoded without a conversion by hyparquet, which makes doubles of
 * decimals and milliseconds of times: each becomes the exact text of its value. Throws 'badInput' for another file.
 */
export async function readParquet(
  path: string,
  file: string,
  { onColumns, sink }: RowsOfFile,
  onStart: (reading: Reading) => void,
  signal: AbortSignal,
): Promise<void> {
  // Few users have Parquet files.
  const { parquetMetadataAsync, parquetScan, parquetSchema } = await import('hyparquet');
  const handle = await open(path);
  let row = 0;
  try {
    const buffer = await asyncBuffer(handle);
    const metadata = await parquetMetadataAsync(buffer, { geoparquet: false });
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
    const allRows = Number(metadata.num_rows);
    onStart({
      rows: allRows,
      get place() {
        return `row ${row + 1}`;
      },
      get bytes() {
        return allRows === 0 ? 0 : Math.round((buffer.byteLength * row) / allRows);
      },
    });
    const scan = await parquetScan({
      ...{ file: buffer, metadata, columns: names, utf8: false, geoparquet: false, compressors },
      parsers: { timestampFromNanoseconds: (ns) => ns },
    });
    for (const { start, end } of ranges(metadata)) {
      signal.throwIfAborted();
      const columns = await Promise.all(
        names.map(async (column) => ({
          values: await scan.readColumn({ column, rowStart: start, rowEnd: end }),
          text: textMaker(elements.get(column)!, types.get(column)!),
          columns: wanted.get(column)!,
          isNested: types.get(column)?.as === 'document',
        })),
      );
      for (let r = 0; r < end - start; r++, row++) {
        for (const { values, text, columns: to, isNested } of columns) {
          const value = values[r];
          const bytes = value === null || value === undefined ? null : text(value);
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
  } catch (thrown) {
    if (thrown instanceof DynoError || signal.aborted) throw thrown;
    throw new DynoError('badInput', `${file} cannot be read as Parquet: ${toErrorData(thrown).message}`);
  } finally {
    await handle.close();
  }
}

async function asyncBuffer(handle: FileHandle): Promise<AsyncBuffer> {
  const { size } = await handle.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const from = start < 0 ? size + start : start;
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - from));
      for (let done = 0; done < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, from + done);
        if (bytesRead === 0) throw new Error('the file ends too early.');
        done += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

const limited =
  (decompress: (input: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array) =>
  (input: Uint8Array, outputLength: number): Uint8Array =>
    // A page that decompresses to more bytes than it declares is damaged, or was made to fill the memory.
    decompress(input, { maxOutputLength: Math.max(1, outputLength) });

/** hyparquet itself has SNAPPY. */
const compressors = {
  GZIP: limited(gunzipSync),
  BROTLI: limited(brotliDecompressSync),
  ZSTD: limited(zstdDecompressSync),
};

/** Ranges of rows within the row groups. */
function* ranges({ row_groups: groups }: FileMetaData): Generator<{ readonly start: number; readonly end: number }> {
  let first = 0;
  for (const { num_rows: count } of groups) {
    const behind = first + Number(count);
    for (let start = first; start < behind; start += mostRows) yield { start, end: Math.min(behind, start + mostRows) };
    first = behind;
  }
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
