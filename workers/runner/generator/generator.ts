import type { Batch, ColumnVector, RowLayout } from '#model/batch/batch.ts';
import { keyIndex } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
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
  /** Rows startRow … startRow + rows − 1; with a layout, written straight into it. */
  fill(startRow: number, rows: number, layout: RowLayout | null): Batch;
  /** All columns of the rows with these numbers. */
  pick(rowNumbers: Float64Array): Batch;
  /** The key column alone. Throws 'badInput' if the dataset has no key. */
  keys(rowNumbers: Float64Array): Batch;
  /**
   * Keys, and for each a new value of the first column that is not the key. The new values are those of rows serial,
   * serial + 1… in lane `lane`, so that no update writes what is there already.
   */
  changes(rowNumbers: Float64Array, serial: number, lane: number): Batch;
  /** A column of numbers or times as batches hold numbers, however stored. Throws 'badInput' for other columns. */
  numbers(column: string, rowNumbers: Float64Array): ColumnVector & { readonly kind: 'number' };
  /** Ranges of such a column: in each row of the batch a low value and a high one, as the column is stored. */
  ranges(column: string, lows: Float64Array, highs: Float64Array): Batch;
}

/**
 * Creates the generator of a dataset. `storedAs`: what columns are stored as. Throws 'badInput' if a column's range is
 * empty or too wide, or columns follow each other in a circle.
 */
export function createGenerator(dataset: Dataset, storedAs: StoredAs = {}): Generator {
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

/** Copies of one block this long stay in the first-level cache. */
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
