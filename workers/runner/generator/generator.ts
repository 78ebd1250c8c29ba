import type { Batch, ColumnVector, RowLayout } from '#contract/batch.ts';
import type { ColumnSpec } from '#contract/column-specs.ts';
import { columnType, keyIndex, madeFrom } from '#contract/columns.ts';
import type { Dataset } from '#contract/dataset.ts';
import { DynoError } from '#contract/error.ts';
import { isoTimeLength, type StoredAs } from '#contract/stored-type.ts';
import { type Stream, stream } from '#stats/random.ts';
import { type ColumnMaker, columnMaker } from './column.ts';
import { isoVector, writeIsoTimes } from './iso-time.ts';
import { layOut } from './layout.ts';
import { viewOf } from './memory.ts';
import { consecutive, listed, type Rows } from './rows.ts';
import { laneOf, makeNulls, valuesOf } from './value-maker.ts';

/**
 * Makes the rows of a dataset. Row n is the same whoever makes it and whenever: values depend on the dataset's seed, the column's
 * position and the row number alone.
 */
export interface Generator {
  /** Rows startRow … startRow + rows − 1; with a layout, written straight into it. */
  fill(startRow: number, rows: number, layout: RowLayout | null): Batch;
  /** All columns of any rows. */
  pick(rowNumbers: Float64Array): Batch;
  /** The key column alone. Throws 'badInput' if the dataset has no key. */
  keys(rowNumbers: Float64Array): Batch;
  /**
   * Keys, and for each a new value of the first column that is not the key. The new values are those of rows serial, serial + 1…
   * in lane `lane`, so that no update writes what is there already.
   */
  changes(rowNumbers: Float64Array, serial: number, lane: number): Batch;
  /** A column of numbers or times as batches hold numbers, whatever it is stored as. Throws 'badInput' for other columns. */
  numbers(column: string, rowNumbers: Float64Array): ColumnVector & { readonly kind: 'number' };
  /** Ranges of such a column: in each row of the batch a low value and a high one, as the column is stored. */
  ranges(column: string, lows: Float64Array, highs: Float64Array): Batch;
}

interface GeneratedColumn {
  readonly name: string;
  readonly index: number;
  readonly nullShare: number;
  readonly maker: ColumnMaker;
  /** Those of the rows' own values and of their nulls; those of updates are made for each call. */
  readonly streams: readonly Stream[];
  /** Its numbers are times that are stored as text. */
  readonly asIsoText: boolean;
  /** The columns that a following one is made from. */
  readonly from: readonly GeneratedColumn[];
}

/** Which values of a column: the rows' own, or from the second on the changed ones of update lanes. */
const own = 0;
const nullsUse = 1;

/** Rows by which a column's spread is estimated, to within a hundredth or two. */
const sampleRows = 4_096;

/**
 * `storedAs`: what columns are stored as. Throws 'badInput' if a column's range is empty or too wide, or columns follow each other in a circle.
 */
export function createGenerator(dataset: Dataset, { dates, documents }: StoredAs = {}): Generator {
  const { seed } = dataset;
  const names = Object.keys(dataset.columns);
  const streamOf = ({ index, streams }: GeneratedColumn, use: number): Stream =>
    streams[use] ?? stream(seed, laneOf(index, use));
  const made = new Map<string, GeneratedColumn | null>();

  function columnOf(name: string): GeneratedColumn {
    const known = made.get(name);
    if (known) return known;
    const spec = dataset.columns[name];
    if (spec === undefined || known === null)
      throw new DynoError('badInput', `Column ${name} is followed, but ${spec ? 'follows itself' : 'not there'}.`);
    made.set(name, null); // under way
    const index = names.indexOf(name);
    const column: GeneratedColumn = {
      name,
      index,
      streams: [own, nullsUse].map((use) => stream(seed, laneOf(index, use))),
      nullShare: spec.nulls,
      from: madeFrom(spec).map(columnOf),
      maker: makerOf(name, spec),
      asIsoText: dates === 'isoText' && columnType(spec).kind === 'timestamp',
    };
    made.set(name, column);
    return column;
  }

  function makerOf(name: string, spec: ColumnSpec): ColumnMaker {
    try {
      return columnMaker(spec, {
        seed,
        canonical: documents === 'native',
        unitOf: (other) => unitOf(dataset.columns[other]!),
        sample: (other) => numbers(columnOf(other), consecutive(0, sampleRows), own),
      });
    } catch (thrown) {
      if (!(thrown instanceof DynoError)) throw thrown;
      throw new DynoError(thrown.data.kind, `Column ${name}: ${thrown.message}`, thrown.data);
    }
  }

  const columns = names.map(columnOf);
  const keyPosition = keyIndex(dataset);
  const key = keyPosition === null ? undefined : columns[keyPosition];
  const changed = columns.find((column) => column !== key);

  function nullsOf(column: GeneratedColumn, rows: Rows): Uint8Array | null {
    const drawn = column.nullShare > 0 ? makeNulls(column.nullShare, rows, streamOf(column, nullsUse)) : null;
    return column.from.map((source) => nullsOf(source, rows)).reduce(either, drawn);
  }

  function vector(column: GeneratedColumn, rows: Rows, use: number): ColumnVector {
    const nulls = nullsOf(column, rows);
    const { maker } = column;
    if (column.asIsoText) return isoVector(numbers(column, rows, use), nulls);
    return maker.kind === 'following'
      ? { kind: 'number', values: numbers(column, rows, use), nulls }
      : valuesOf(maker, rows, streamOf(column, use), nulls);
  }

  function numbers(column: GeneratedColumn, rows: Rows, use: number): Float64Array {
    const { maker, from, name } = column;
    const values = new Float64Array(rows.count);
    if (maker.kind === 'number') maker.write(rows, streamOf(column, use), values);
    else if (maker.kind === 'following')
      maker.write(
        rows,
        streamOf(column, use),
        from.map((source) => numbers(source, rows, use)),
        values,
      );
    else throw new DynoError('badInput', `Column ${name} has no numbers that another one could follow.`);
    return values;
  }

  const make = (rows: Rows): Batch => ({
    rows: rows.count,
    columns: columns.map((column) => vector(column, rows, own)),
    laidOut: null,
  });

  function fillLayout(rows: Rows, layout: RowLayout): Batch {
    const laidOut = layOut(layout, rows.count);
    const view = viewOf(laidOut);
    const stride = layout.template.length;
    return {
      rows: rows.count,
      laidOut,
      columns: columns.map((column) => {
        const { name, index, nullShare, maker, asIsoText } = column;
        const inRow = layout.offsets[index];
        if (!(maker.kind === 'fixed' || asIsoText) || nullShare > 0 || inRow === undefined)
          throw new DynoError('internal', `A row layout was offered, but column ${name} has no fixed place in it.`);
        const offset = layout.head.length + inRow;
        if (asIsoText) writeIsoTimes(numbers(column, rows, own), laidOut, offset, stride);
        else if (maker.kind === 'fixed') maker.write(rows, streamOf(column, own), view, offset, stride);
        const width = maker.kind === 'fixed' ? maker.width : isoTimeLength;
        return { kind: 'fixed', bytes: laidOut, offset, stride, width, nulls: null };
      }),
    };
  }

  return {
    fill(startRow, rows, layout) {
      const wanted = consecutive(startRow, rows);
      return layout === null ? make(wanted) : fillLayout(wanted, layout);
    },
    pick: (rowNumbers) => make(listed(rowNumbers)),
    keys(rowNumbers) {
      if (!key) throw noKey();
      return { rows: rowNumbers.length, columns: [vector(key, listed(rowNumbers), own)], laidOut: null };
    },
    numbers(name, rowNumbers) {
      const column = columnOf(name);
      const rows = listed(rowNumbers);
      return { kind: 'number', values: numbers(column, rows, own), nulls: nullsOf(column, rows) };
    },
    ranges(name, lows, highs) {
      const { asIsoText } = columnOf(name);
      const bounds = (values: Float64Array): ColumnVector =>
        asIsoText ? isoVector(values, null) : { kind: 'number', values, nulls: null };
      return { rows: lows.length, columns: [bounds(lows), bounds(highs)], laidOut: null };
    },
    changes(rowNumbers, serial, lane) {
      if (!key) throw noKey();
      if (!changed) throw new DynoError('badInput', 'Updates need a column besides the key to change.');
      const fresh = vector(changed, consecutive(serial, rowNumbers.length), 2 + (lane >>> 0));
      return {
        rows: rowNumbers.length,
        columns: [vector(key, listed(rowNumbers), own), fresh],
        laidOut: null,
      };
    },
  };
}

const noKey = () =>
  new DynoError('badInput', 'Reads, updates and deletes need a key.', {
    hint: 'Name the key column in dataset.key.',
  });

/** What one is in a column's integers. */
const unitOf = (spec: ColumnSpec): number => ('scale' in spec ? 10 ** spec.scale : 1);

function either(one: Uint8Array | null, other: Uint8Array | null): Uint8Array | null {
  if (one === null || other === null) return one ?? other;
  return one.map((bit, r) => bit | other[r]!);
}
