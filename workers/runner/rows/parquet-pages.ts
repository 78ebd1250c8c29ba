import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type SchemaElement, snappyUncompress } from 'hyparquet';
import { readStructure } from './parquet-thrift.ts';
import { checkRuns, readBlocks, readLength, sumOfLengths } from './parquet-values.ts';

/** Bytes of memory that the columns of a group of rows and the decoded pages of its current rows may take. */
export const mostBytes = 1_500_000_000;
/** The header of a page has some twenty values, and the least and the greatest value of the page. */
const mostHeaderValues = 1_000;
/** Bytes of an element of an array, and of a view of bytes, in the memory of the reader. */
const [elementBytes, viewBytes] = [32, 112];

/** A page of a column, as its header describes it. */
export interface Page {
  /** The rows of the page; 0 for a dictionary. */
  readonly rows: number;
  /** An upper bound of the memory that the decoded page takes, without prefixes that its values share. */
  readonly decodedBytes: number;
}

/** The column of a file whose pages are read. */
interface PageColumn {
  readonly type: string;
  readonly element: Pick<SchemaElement, 'repetition_type' | 'type_length'>;
  readonly isCompressed: boolean;
}

const isOptional = ({ element }: PageColumn): boolean => element.repetition_type !== 'REQUIRED';

// The numbers stand in https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
const kinds = { data: 0, dictionary: 2, dataV2: 3 } as const;
const encodings = {
  ...{ plainDictionary: 2, rle: 3, deltaBinaryPacked: 5, deltaLengthByteArray: 6, deltaByteArray: 7 },
  ...{ rleDictionary: 8, byteStreamSplit: 9 },
} as const;

/** The values of a page that wait for their decompression, by their position in the column’s bytes. */
type Waiting = Map<number, { readonly header: Header; readonly column: PageColumn; readonly nulls: number | null }>;

interface Header {
  readonly kind: number;
  readonly values: number;
  readonly encoding: number;
}

/**
 * Checks the pages of columns before hyparquet decodes them. Their headers and runs declare how many values and bytes
 * there are, and hyparquet takes the memory for all of them before it reads the first. A page with more values than its
 * bytes can have is an error.
 */
export class PageGuard {
  readonly #waiting = new WeakMap<ArrayBufferLike, Waiting>();
  #sharedBytes = 0;

  /** The functions with which hyparquet decompresses pages of the checked columns. */
  readonly compressors = {
    SNAPPY: this.#checked((input, length) => {
      const page = new Uint8Array(length);
      snappyUncompress(input, page);
      return page;
    }),
    // A page that decompresses to more bytes than it declares is damaged, or was made to fill the memory.
    GZIP: this.#checked((input, length) => gunzipSync(input, { maxOutputLength: Math.max(1, length) })),
    BROTLI: this.#checked((input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(1, length) })),
    ZSTD: this.#checked((input, length) => zstdDecompressSync(input, { maxOutputLength: Math.max(1, length) })),
  };

  /** Begins the next rows: the memory of those before is free. */
  begin(): void {
    this.#sharedBytes = 0;
  }

  /** The pages of a column that has `rows` rows in these bytes. Throws an error for pages that are damaged. */
  pagesOf(bytes: Uint8Array, column: PageColumn, rows: number): readonly Page[] {
    const waiting: Waiting = new Map();
    this.#waiting.set(bytes.buffer, waiting);
    const pages: Page[] = [];
    const cursor = { bytes, offset: 0, left: 0 };
    for (let read = 0; read < rows; ) {
      if (cursor.offset >= bytes.length - 1) throw new Error('a column has fewer values than its group of rows.');
      cursor.left = mostHeaderValues;
      const fields = readStructure(cursor);
      const number = (field: string): number => {
        const value = fields.get(field);
        if (value === undefined || value < 0) throw new Error('the header of a page is damaged.');
        return value;
      };
      const [kind, decompressed, compressed] = [number('1'), number('2'), number('3')];
      const start = cursor.offset;
      cursor.offset += compressed;
      if (cursor.offset > bytes.length) throw new Error('a page ends behind its column.');
      const own = { [kinds.data]: '5', [kinds.dictionary]: '7', [kinds.dataV2]: '8' }[kind];
      if (own === undefined) throw new Error('a page has an unknown type.');
      const header: Header = {
        ...{ kind, values: number(`${own}.1`) },
        encoding: number(kind === kinds.dataV2 ? '8.4' : `${own}.2`),
      };
      const isDictionary = kind === kinds.dictionary;
      pages.push({
        rows: isDictionary ? 0 : header.values,
        decodedBytes: decompressed + memoryOf(header, column),
      });
      if (!isDictionary) read += header.values;
      const page = bytes.subarray(start, cursor.offset);
      if (kind !== kinds.dataV2) {
        if (column.isCompressed) waiting.set(page.byteOffset, { header, column, nulls: null });
        else if (decompressed === compressed) this.#check(page, header, column, null);
        continue;
      }
      const [nulls, levels] = [number('8.2'), number('8.5')];
      const behind = levels + number('8.6');
      if (number('8.3') !== header.values || nulls > header.values || behind > Math.min(compressed, decompressed))
        throw new Error('the header of a page is damaged.');
      // Dyno reads no lists, which have levels of repetition.
      if (behind > levels || (!isOptional(column) && levels > 0)) throw new Error('the header of a page is damaged.');
      if (isOptional(column)) checkRuns({ bytes: page, offset: 0 }, 1, header.values);
      const values = page.subarray(levels);
      if (column.isCompressed && fields.get('8.7') !== 0 && decompressed > levels)
        waiting.set(values.byteOffset, { header, column, nulls });
      else this.#check(values, header, column, nulls);
    }
    return pages;
  }

  #checked(decompress: (input: Uint8Array, length: number) => Uint8Array) {
    return (input: Uint8Array, length: number): Uint8Array => {
      const page = decompress(input, length);
      const found = this.#waiting.get(input.buffer)?.get(input.byteOffset);
      if (found === undefined) throw new Error('a page is not where its column says.');
      this.#check(page, found.header, found.column, found.nulls);
      return page;
    };
  }

  /** Checks the values of a decompressed page. `nulls`: null for pages whose levels are part of the page. */
  #check(bytes: Uint8Array, { kind, encoding, values }: Header, column: PageColumn, nulls: number | null): void {
    if (kind === kinds.dictionary) return;
    const cursor = { bytes, offset: 0 };
    let count = values - (nulls ?? 0);
    if (nulls === null && isOptional(column)) {
      const behind = readLength(cursor) + cursor.offset;
      count = checkRuns(cursor, 1, values);
      cursor.offset = behind;
    }
    switch (encoding) {
      case encodings.rle:
        if (column.type !== 'BOOLEAN') throw new Error('a page has an encoding that its type cannot have.');
        readLength(cursor);
        checkRuns(cursor, 1, count);
        return;
      case encodings.plainDictionary:
      case encodings.rleDictionary: {
        if (column.type === 'BOOLEAN') throw new Error('a page has an encoding that its type cannot have.');
        const width = bytes[cursor.offset++] ?? 0;
        if (width > 0 || nulls !== null) checkRuns(cursor, width, count);
        return;
      }
      case encodings.deltaBinaryPacked:
      case encodings.deltaLengthByteArray:
        if (count > 0) readBlocks(cursor);
        return;
      case encodings.deltaByteArray:
        this.#sharedBytes += sumOfLengths(cursor, count, mostBytes - this.#sharedBytes);
    }
  }
}

/** The memory of a page’s values, beside its bytes. */
function memoryOf({ kind, values, encoding }: Header, { type, element }: PageColumn): number {
  const areIndexes =
    kind !== kinds.dictionary && (encoding === encodings.plainDictionary || encoding === encodings.rleDictionary);
  const isOfBytes = encoding === encodings.deltaLengthByteArray || encoding === encodings.deltaByteArray;
  const hasViews = isOfBytes || (type.endsWith('BYTE_ARRAY') && !areIndexes);
  const copied = encoding === encodings.byteStreamSplit ? Math.max(8, element.type_length ?? 0) : 0;
  return values * (elementBytes + (hasViews ? viewBytes : 0) + copied);
}

/** The memory of the pages of a column that hyparquet decodes for the rows from `start` to `end`. */
export function decodedBytesOf(pages: readonly Page[], start: number, end: number): number {
  let first = 0;
  let sum = 0;
  for (const { rows, decodedBytes } of pages) {
    // hyparquet decodes the page that ends where the rows begin, too, and every dictionary.
    if (rows === 0 || (first + rows >= start && first < end)) sum += decodedBytes;
    first += rows;
  }
  return sum;
}
