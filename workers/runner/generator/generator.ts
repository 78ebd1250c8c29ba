import type { Batch, ColumnVector, RowLayout } from '#model/batch/batch.ts';
import { keyIndex } from '#model/dataset/columns.ts';
import type { FilledDataset } from '#model/dataset/dataset.ts';
import type { StoredAs } from '#model/dataset/stored-type.ts';
import { DynoError } from '#model/error.ts';
import {
  firstChange,
  type GeneratedColumn,
  nullsOf,
  numbersOf,
  own,
  planColumns,
  vectorOf,
  writeInto,
} from './generated-column.ts';
import { isoVector } from './iso-time.ts';
import { allocate } from './memory.ts';
import { consecutive, listed, type Rows } from './rows.ts';

/** Makes the rows of a dataset. Row n depends on the dataset's seed, the column's position and n alone. */
export interface Generator {
  /** Returns rows startRow … startRow + rows − 1. With a layout, they are written directly into it. */
  fill(startRow: number, rows: number, layout: RowLayout | null): Batch;
  /** Returns all columns of the rows with these numbers. */
  pick(rowNumbers: Float64Array): Batch;
  /** Returns the key column only. Throws 'badInput' if the dataset has no key. */
  keys(rowNumbers: Float64Array): Batch;
  /**
   * Returns keys, and for each a new value of the first column that is not the key. The new values are the values of
   * rows serial, serial + 1… in lane `lane`, so every update changes the stored value.
   */
  changes(rowNumbers: Float64Array, serial: number, lane: number): Batch;
  /** Returns a column of numbers or times as batches store numbers. Throws 'badInput' for other types. */
  numbers(column: string, rowNumbers: Float64Array): ColumnVector & { readonly kind: 'number' };
  /** Returns ranges of a column: each row of the batch has a low and a high value, in the column's stored form. */
  ranges(column: string, lows: Float64Array, highs: Float64Array): Batch;
}

/**
 * Creates the generator of a dataset. `storedAs` is the type in which each column is stored. Throws 'badInput' if a
 * column's range is empty or too wide, or if columns follow each other in a circle.
 */
export function createGenerator(dataset: FilledDataset, storedAs: StoredAs = {}): Generator {
  const columnOf = planColumns(dataset, storedAs);
  const columns = Object.keys(dataset.columns).map(columnOf);
  const keyPosition = keyIndex(dataset);
  const key = keyPosition === null ? undefined : columns[keyPosition];
  const changed = columns.find((column) => column !== key);
  const make = (rows: Rows): Batch => ({
    rows: rows.count,
    columns: columns.map((column) => vectorOf(column, rows, own)),
  });

  return {
    fill(startRow, rows, layout) {
      const wanted = consecutive(startRow, rows);
      return layout === null ? make(wanted) : fillLayout(columns, wanted, layout);
    },
    pick: (rowNumbers) => make(listed(rowNumbers)),
    keys(rowNumbers) {
      if (!key) throw noKey();
      return { rows: rowNumbers.length, columns: [vectorOf(key, listed(rowNumbers), own)] };
    },
    numbers(name, rowNumbers) {
      const column = columnOf(name);
      const rows = listed(rowNumbers);
      return { kind: 'number', values: numbersOf(column, rows, own), nulls: nullsOf(column, rows) };
    },
    ranges(name, lows, highs) {
      const { asIsoText } = columnOf(name);
      const bounds = (values: Float64Array): ColumnVector =>
        asIsoText ? isoVector(values, null) : { kind: 'number', values, nulls: null };
      return { rows: lows.length, columns: [bounds(lows), bounds(highs)] };
    },
    changes(rowNumbers, serial, lane) {
      if (!key) throw noKey();
      if (!changed) throw new DynoError('badInput', 'Updates need a column besides the key to change.');
      const fresh = vectorOf(changed, consecutive(serial, rowNumbers.length), firstChange + (lane >>> 0));
      return {
        rows: rowNumbers.length,
        columns: [vectorOf(key, listed(rowNumbers), own), fresh],
      };
    },
  };
}

/** Rows written straight into their layout. */
function fillLayout(columns: readonly GeneratedColumn[], rows: Rows, layout: RowLayout): Batch {
  const laidOut = layOut(layout, rows.count);
  const { head, offsets, template } = layout;
  return {
    rows: rows.count,
    laidOut,
    columns: columns.map((column) =>
      writeInto(column, rows, laidOut, head.length + (offsets[column.index] ?? Number.NaN), template.length),
    ),
  };
}

const noKey = () =>
  new DynoError('badInput', 'Reads, updates and deletes need a key.', {
    hint: 'Name the key column in dataset.key.',
  });

/** A block of this length stays in the first-level cache while it is copied. */
const blockBytes = 16_384;

/** Head, `rows` copies of the template, tail. The copied part doubles until it is a block long. */
function layOut({ template, head, tail }: RowLayout, rows: number): Uint8Array {
  const body = rows * template.length;
  const buffer = allocate(head.length + body + tail.length);
  buffer.set(head, 0);
  buffer.set(tail, head.length + body);
  if (body === 0) return buffer;
  const start = head.length;
  buffer.set(template, start);
  const block = Math.max(1, Math.floor(blockBytes / template.length)) * template.length;
  for (let filled = template.length; filled < body; ) {
    const bytes = Math.min(filled, block, body - filled);
    buffer.copyWithin(start + filled, start, start + bytes);
    filled += bytes;
  }
  return buffer;
}
