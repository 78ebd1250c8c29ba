import type { ColumnVector } from '#model/batch/batch.ts';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { columnType, madeFrom } from '#model/dataset/columns.ts';
import type { FilledDataset } from '#model/dataset/dataset.ts';
import { isoTimeLength, type StoredAs } from '#model/dataset/stored-type.ts';
import { DynoError } from '#model/error.ts';
import { type Stream, stream } from '#stats/random/random.ts';
import { openStoredRows } from '../rows/stored-rows.ts';
import { isoVector, writeIsoTimes } from './iso-time.ts';
import { viewOf } from './memory.ts';
import { consecutive, type Rows } from './rows.ts';
import { laneOf, makeNulls, type ValueMaker, valueMaker, valuesOf } from './value-maker.ts';
import { documents } from './values/document.ts';
import { type FileRows, fileMaker, type ReadStored } from './values/file.ts';
import { correlate, delay, type WriteFollowing } from './values/followers.ts';

/** The random streams of a column: the rows' own values, their nulls, and from `firstChange` on changed values. */
export const own = 0;
const nullsUse = 1;
export const firstChange = 2;

/** Number of rows from which a column's spread is estimated, with an error of one or two hundredths. */
const sampleRows = 4_096;

/** One column of a dataset: a function of the dataset's seed, the column's position, the row number and the stream. */
export interface GeneratedColumn {
  readonly name: string;
  /** Its position among the dataset's columns. */
  readonly index: number;
  readonly seed: number;
  readonly nullShare: number;
  readonly maker: ColumnMaker;
  /** The streams of the rows' own values and of their nulls. */
  readonly streams: readonly Stream[];
  /** True if the column's numbers are times that are stored as text. */
  readonly asIsoText: boolean;
  /** The columns that its values are computed from. */
  readonly from: readonly GeneratedColumn[];
}

/** Finds columns by name. Throws 'badInput' if a column is missing, follows itself, or has an impossible range. */
export function planColumns(dataset: FilledDataset, { dates, documents }: StoredAs): (name: string) => GeneratedColumn {
  const { seed } = dataset;
  const names = Object.keys(dataset.columns);
  /** Null: a column that follows this one is being planned. */
  const planned = new Map<string, GeneratedColumn | null>();

  function columnOf(name: string): GeneratedColumn {
    const known = planned.get(name);
    if (known) return known;
    const spec = dataset.columns[name];
    if (spec === undefined || known === null)
      throw new DynoError('badInput', `Column ${name} is followed, but ${spec ? 'follows itself' : 'not there'}.`);
    planned.set(name, null);
    const index = names.indexOf(name);
    const column: GeneratedColumn = {
      name,
      index,
      seed,
      streams: [own, nullsUse].map((use) => stream(seed, laneOf(index, use))),
      nullShare: spec.nulls,
      from: madeFrom(spec).map(columnOf),
      maker: makerOf(name, spec),
      asIsoText: dates === 'isoText' && columnType(spec).kind === 'timestamp',
    };
    planned.set(name, column);
    return column;
  }

  function makerOf(name: string, spec: ColumnSpec): ColumnMaker {
    try {
      return columnMaker(spec, {
        seed,
        rows: dataset.rows,
        canonical: documents === 'native',
        file: () => fileOf(dataset, name),
        unitOf: (other) => unitOf(dataset.columns[other]!),
        sample: (other) => numbersOf(columnOf(other), consecutive(0, sampleRows), own),
      });
    } catch (thrown) {
      if (!(thrown instanceof DynoError)) throw thrown;
      throw new DynoError(thrown.data.kind, `Column ${name}: ${thrown.message}`, thrown.data);
    }
  }

  return columnOf;
}

/** The stored rows of a dataset's file. */
function fileOf({ from, stored, key }: FilledDataset, name: string): FileRows {
  if (stored === undefined)
    throw new DynoError('badInput', `Its values come from ${from?.file ?? 'a file'}, whose rows are not at hand here.`);
  return { name, rows: openStoredRows(stored), file: from?.file ?? '', isKey: key === name };
}

/** The integer that stands for the value 1 of a column. */
const unitOf = (spec: ColumnSpec): number => ('scale' in spec ? 10 ** (spec.scale ?? 0) : 1);

const streamOf = ({ index, seed, streams }: GeneratedColumn, use: number): Stream =>
  streams[use] ?? stream(seed, laneOf(index, use));

/** A column's values for these rows, as batches hold them. */
export function vectorOf(column: GeneratedColumn, rows: Rows, use: number): ColumnVector {
  const nulls = nullsOf(column, rows);
  const { maker } = column;
  if (column.asIsoText) return isoVector(numbersOf(column, rows, use), nulls);
  if (maker.kind === 'stored') return maker.read(rows, use);
  return maker.kind === 'following'
    ? { kind: 'number', values: numbersOf(column, rows, use), nulls }
    : valuesOf(maker, rows, streamOf(column, use), nulls);
}

/**
 * Returns a column's numbers for these rows; times are µs since 1970, however stored. Throws 'badInput' for other
 * types.
 */
export function numbersOf(column: GeneratedColumn, rows: Rows, use: number): Float64Array {
  const { maker, from, name } = column;
  if (maker.kind === 'stored') {
    const vector = maker.read(rows, use);
    if (vector.kind === 'number') return vector.values;
    throw new DynoError('badInput', `Column ${name} has values that no double holds.`);
  }
  const values = new Float64Array(rows.count);
  if (maker.kind === 'number') maker.write(rows, streamOf(column, use), values);
  else if (maker.kind === 'following')
    maker.write(
      rows,
      streamOf(column, use),
      from.map((source) => numbersOf(source, rows, use)),
      values,
    );
  else throw new DynoError('badInput', `Column ${name} has no numbers that another one could follow.`);
  return values;
}

/** Marks the rows that are null: by the column's own share, or because a column that it follows is null. */
export function nullsOf(column: GeneratedColumn, rows: Rows): Uint8Array | null {
  if (column.maker.kind === 'stored') return column.maker.read(rows, own).nulls;
  const drawn = column.nullShare > 0 ? makeNulls(column.nullShare, rows, streamOf(column, nullsUse)) : null;
  return column.from.map((source) => nullsOf(source, rows)).reduce(either, drawn);
}

function either(one: Uint8Array | null, other: Uint8Array | null): Uint8Array | null {
  if (one === null || other === null) return one ?? other;
  return one.map((bit, r) => bit | other[r]!);
}

/** Writes a column's values into rows with a layout: the first at `offset`, the others `stride` bytes apart. */
export function writeInto(
  column: GeneratedColumn,
  rows: Rows,
  bytes: Uint8Array,
  offset: number,
  stride: number,
): ColumnVector {
  const { name, nullShare, maker, asIsoText } = column;
  const vector = maker.kind === 'stored' && !asIsoText ? maker.read(rows, own) : null;
  if (vector?.kind === 'fixed' && vector.nulls === null) {
    for (let r = 0; r < rows.count; r++) {
      const from = vector.offset + r * vector.stride;
      bytes.set(vector.bytes.subarray(from, from + vector.width), offset + r * stride);
    }
    return { ...vector, bytes, offset, stride };
  }
  if (!(maker.kind === 'fixed' || asIsoText) || nullShare > 0 || Number.isNaN(offset))
    throw new DynoError('internal', `A row layout was offered, but column ${name} has no fixed place in it.`);
  if (asIsoText) writeIsoTimes(numbersOf(column, rows, own), bytes, offset, stride);
  else if (maker.kind === 'fixed') maker.write(rows, streamOf(column, own), viewOf(bytes), offset, stride);
  const width = maker.kind === 'fixed' ? maker.width : isoTimeLength;
  return { kind: 'fixed', bytes, offset, stride, width, nulls: null };
}

/** The way in which the values of one column are made: from row numbers alone, or from other columns of the row. */
type ColumnMaker =
  | ValueMaker
  | { readonly kind: 'following'; readonly write: WriteFollowing }
  | { readonly kind: 'stored'; readonly read: ReadStored };

/** The facts about the dataset that its columns need. */
interface ColumnContext {
  readonly seed: number;
  /** The rows of the dataset. */
  readonly rows: number;
  /** True if documents are written as canonical JSON. */
  readonly canonical: boolean;
  /** The stored rows of the dataset's file. */
  file(): FileRows;
  /** The integer that stands for the value 1 of a column. */
  unitOf(column: string): number;
  /** The first values of a column, as integers; every column has the same number of them. */
  sample(column: string): Float64Array;
}

/** The maker of a column. Throws 'badInput' for ranges that are empty or too wide to be exact. */
function columnMaker(spec: ColumnSpec, context: ColumnContext): ColumnMaker {
  switch (spec.type) {
    case 'document':
      return { kind: 'variable', make: documents(spec.fields, context) };
    case 'correlated': {
      const of = madeFrom(spec);
      return { kind: 'following', write: correlate(spec, of.map(context.unitOf), () => of.map(context.sample)) };
    }
    case 'delayed':
      return { kind: 'following', write: delay(spec) };
    case 'file':
      return { kind: 'stored', read: fileMaker(spec, context.file(), context.canonical) };
    default:
      return valueMaker(spec, context.seed, context.rows);
  }
}
