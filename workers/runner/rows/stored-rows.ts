import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { ColumnVector } from '#model/batch/batch.ts';
import { DynoError } from '#model/error.ts';
import { numberTexts } from './typed-column.ts';

/**
 * The rows of a data file as Dyno stores them for its workers: blocks of rows, column by column, in the form of batches
 * (model/batch/batch.ts). Any worker reads any rows, without parsing. The file ends with a list of its blocks.
 */

/** One column of a block; positions and lengths in bytes of the file. */
interface Section {
  readonly kind: ColumnVector['kind'];
  readonly width: number;
  readonly nulls: number | null;
  /** Offsets of variable values; 0 for other kinds. */
  readonly offsets: number;
  readonly values: number;
  readonly bytes: number;
}

interface Block {
  readonly first: number;
  readonly rows: number;
  readonly sections: readonly Section[];
}

/** The list at the end of the file. */
interface Contents {
  readonly rows: number;
  readonly columns: readonly string[];
  readonly blocks: readonly Block[];
}

const mark = Buffer.from('DYNOROWS');
const tailBytes = 8 + mark.length;

/** Writes blocks of rows to a file. */
export class RowsWriter {
  readonly #file: number;
  readonly #columns: readonly string[];
  readonly #blocks: Block[] = [];
  #at = 0;
  #rows = 0;

  /** `columns`: the names of the table's columns that the file fills. */
  constructor(path: string, columns: readonly string[]) {
    this.#file = openSync(path, 'wx', 0o600);
    this.#columns = columns;
  }

  add(rows: number, vectors: readonly ColumnVector[]): void {
    const sections = vectors.map((vector) => this.#section(vector));
    this.#blocks.push({ first: this.#rows, rows, sections });
    this.#rows += rows;
  }

  #section(vector: ColumnVector): Section {
    const nulls = vector.nulls === null ? null : this.#write(vector.nulls);
    const { kind } = vector;
    switch (kind) {
      case 'number':
        return { kind, width: 8, nulls, offsets: 0, ...this.#values(bytesOf(vector.values)) };
      case 'variable':
        return { kind, width: 0, nulls, offsets: this.#write(bytesOf(vector.offsets)), ...this.#values(vector.bytes) };
      case 'fixed':
        return { kind, width: vector.width, nulls, offsets: 0, ...this.#values(vector.bytes) };
    }
  }

  #values(bytes: Uint8Array): { readonly values: number; readonly bytes: number } {
    return { values: this.#write(bytes), bytes: bytes.length };
  }

  #write(bytes: Uint8Array): number {
    const at = this.#at;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#at += bytes.length;
    return at;
  }

  finish(): void {
    const contents: Contents = { rows: this.#rows, columns: this.#columns, blocks: this.#blocks };
    const list = Buffer.from(JSON.stringify(contents));
    const length = Buffer.alloc(8);
    length.writeDoubleLE(list.length);
    this.#write(Buffer.concat([list, length, mark]));
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The rows of a file, as generators read them. */
export interface StoredRows {
  readonly rows: number;
  /** Rows start … start + count − 1 of a column, by the table's name for it. All of them exist. */
  read(column: string, start: number, count: number): ColumnVector;
}

/** Bytes of sections that a reader keeps. Calls read neighbouring rows, or keys of all rows again and again. */
const mostKept = 64_000_000;

const opened = new Map<string, StoredRows>();

/** Opens stored rows; this process opens each file once. Throws 'badInput' where the file has no stored rows. */
export function openStoredRows(path: string): StoredRows {
  const known = opened.get(path);
  if (known) return known;
  const made = new StoredFile(path);
  opened.set(path, made);
  return made;
}

/** Rows that stay in the memory of this process, for a preview. */
export class RowsInMemory implements StoredRows {
  rows = 0;
  readonly #columns: readonly string[];
  readonly #blocks: { readonly first: number; readonly rows: number; readonly vectors: readonly ColumnVector[] }[] = [];

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  add(rows: number, vectors: readonly ColumnVector[]): void {
    this.#blocks.push({ first: this.rows, rows, vectors });
    this.rows += rows;
  }

  read(column: string, start: number, count: number): ColumnVector {
    const index = this.#columns.indexOf(column);
    return joined(
      this.#blocks.flatMap(({ first, rows, vectors }) => {
        const [from, to] = [Math.max(0, start - first), Math.min(rows, start + count - first)];
        return from < to ? [{ rows: to - from, vector: sliceColumn(vectors[index]!, from, to) }] : [];
      }),
    );
  }
}

/** Calls `work` with a path that {@link openStoredRows} takes for these rows. */
export function withRowsInMemory<T>(rows: StoredRows, work: (path: string) => T): T {
  const path = `memory:${randomUUID()}`;
  opened.set(path, rows);
  try {
    return work(path);
  } finally {
    opened.delete(path);
  }
}

class StoredFile implements StoredRows {
  readonly rows: number;
  readonly #file: number;
  readonly #contents: Contents;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #kept = new Map<Section, ColumnVector>();
  #keptBytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    const { size } = fstatSync(this.#file);
    const tail = size < tailBytes ? Buffer.alloc(tailBytes) : this.#bytes(size - tailBytes, tailBytes);
    const length = Buffer.from(tail).readDoubleLE();
    if (!mark.equals(tail.subarray(8)) || length > size - tailBytes)
      throw new DynoError('badInput', `${path} has no rows that Dyno has stored.`);
    this.#contents = JSON.parse(Buffer.from(this.#bytes(size - tailBytes - length, length)).toString()) as Contents;
    this.rows = this.#contents.rows;
    this.#columns = new Map(this.#contents.columns.map((name, index) => [name, index]));
  }

  read(column: string, start: number, count: number): ColumnVector {
    const index = this.#columns.get(column);
    if (index === undefined) throw new DynoError('internal', `The file fills no column ${column}.`);
    const parts: Part[] = [];
    const { blocks } = this.#contents;
    for (let b = this.#blockOf(start), at = start; at < start + count; b++) {
      const { first, rows, sections } = blocks[b]!;
      const end = Math.min(first + rows, start + count);
      parts.push({ rows: end - at, vector: sliceColumn(this.#load(sections[index]!, rows), at - first, end - first) });
      at = end;
    }
    return joined(parts);
  }

  /** The block with this row. */
  #blockOf(row: number): number {
    const { blocks } = this.#contents;
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (blocks[middle]!.first <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #load(section: Section, rows: number): ColumnVector {
    const known = this.#kept.get(section);
    if (known) {
      // The sections that were read last stay longest.
      this.#kept.delete(section);
      this.#kept.set(section, known);
      return known;
    }
    const { kind, width, bytes } = section;
    const nulls = section.nulls === null ? null : this.#bytes(section.nulls, rows);
    const values = this.#bytes(section.values, bytes);
    const made: ColumnVector =
      kind === 'number'
        ? { kind, values: new Float64Array(values.buffer), nulls }
        : kind === 'fixed'
          ? { kind, bytes: values, offset: 0, stride: width, width, nulls }
          : {
              kind,
              bytes: values,
              offsets: new Uint32Array(this.#bytes(section.offsets, 4 * (rows + 1)).buffer),
              nulls,
            };
    this.#kept.set(section, made);
    this.#keptBytes += bytes + 5 * rows;
    for (const [old, { nulls: ofOld }] of this.#kept) {
      if (this.#keptBytes <= mostKept || old === section) break;
      this.#kept.delete(old);
      this.#keptBytes -= old.bytes + 5 * (ofOld?.length ?? rows);
    }
    return made;
  }

  /** Bytes in memory of their own, so that they can be read as numbers of any width. */
  #bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const read = readSync(this.#file, bytes, done, length - done, at + done);
      if (read === 0) throw new DynoError('badInput', 'Stored rows end too early.');
      done += read;
    }
    return bytes;
  }
}

/** Rows from … to − 1 of a vector; shares its memory. */
export function sliceColumn(vector: ColumnVector, from: number, to: number): ColumnVector {
  const nulls = vector.nulls?.subarray(from, to) ?? null;
  switch (vector.kind) {
    case 'number':
      return { kind: 'number', values: vector.values.subarray(from, to), nulls };
    case 'variable':
      return { kind: 'variable', bytes: vector.bytes, offsets: vector.offsets.subarray(from, to + 1), nulls };
    case 'fixed': {
      const { bytes, offset, stride, width } = vector;
      return { kind: 'fixed', bytes, offset: offset + from * stride, stride, width, nulls };
    }
  }
}

/** A vector with its number of rows. */
interface Part {
  readonly rows: number;
  readonly vector: ColumnVector;
}

/** Joins vectors of one column. */
export function joined(parts: readonly Part[]): ColumnVector {
  const [first] = parts;
  if (first && parts.length === 1) return first.vector;
  const rows = parts.reduce((sum, one) => sum + one.rows, 0);
  const nulls = joinedNulls(parts, rows);
  if (parts.some(({ vector }) => vector.kind === 'variable')) return { ...joinedTexts(parts, rows), nulls };
  if (first?.vector.kind === 'fixed') {
    const { width } = first.vector;
    const bytes = new Uint8Array(rows * width);
    eachPart(parts, ({ vector, rows: count }, at) => {
      if (vector.kind !== 'fixed') return;
      for (let r = 0; r < count; r++) {
        const from = vector.offset + r * vector.stride;
        bytes.set(vector.bytes.subarray(from, from + width), (at + r) * width);
      }
    });
    return { kind: 'fixed', bytes, offset: 0, stride: width, width, nulls };
  }
  const values = new Float64Array(rows);
  eachPart(parts, ({ vector }, at) => {
    if (vector.kind === 'number') values.set(vector.values, at);
  });
  return { kind: 'number', values, nulls };
}

function eachPart(parts: readonly Part[], work: (part: Part, at: number) => void): void {
  let at = 0;
  for (const part of parts) {
    work(part, at);
    at += part.rows;
  }
}

function joinedNulls(parts: readonly Part[], rows: number): Uint8Array | null {
  if (parts.every(({ vector }) => vector.nulls === null)) return null;
  const nulls = new Uint8Array(rows);
  eachPart(parts, ({ vector }, at) => {
    if (vector.nulls) nulls.set(vector.nulls, at);
  });
  return nulls;
}

/**
 * If a block contains a number that no double holds, its numbers become texts, and so do all blocks that are joined
 * with it.
 */
function joinedTexts(parts: readonly Part[], rows: number): ColumnVector & { readonly kind: 'variable' } {
  const offsets = new Uint32Array(rows + 1);
  const texts: Uint8Array[] = [];
  let length = 0;
  eachPart(parts, ({ vector, rows: count }, at) => {
    const one = vector.kind === 'number' ? numberTexts(vector.values, vector.nulls) : vector;
    if (one.kind !== 'variable') return;
    const begin = one.offsets[0]!;
    for (let r = 1; r <= count; r++) offsets[at + r] = length + one.offsets[r]! - begin;
    texts.push(one.bytes.subarray(begin, one.offsets[count]));
    length += one.offsets[count]! - begin;
  });
  return { kind: 'variable', bytes: Buffer.concat(texts), offsets, nulls: null };
}
