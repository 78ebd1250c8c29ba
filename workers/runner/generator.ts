import type { Batch, ColumnVector, RowLayout } from '#contract/batch.ts';
import { keyIndex } from '#contract/columns.ts';
import type { Dataset } from '#contract/dataset.ts';
import { DynoError } from '#contract/error.ts';
import { type Stream, stream } from '#stats/random.ts';
import { type ColumnMaker, columnMaker, makeNulls } from './column.ts';
import { layOut } from './layout.ts';
import { allocate, viewOf } from './memory.ts';
import { consecutive, listed, type Rows } from './rows.ts';

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
}

interface GeneratedColumn {
  readonly name: string;
  readonly index: number;
  readonly nullShare: number;
  readonly maker: ColumnMaker;
  readonly values: Stream;
  readonly nulls: Stream;
}

/** Streams of a column: its values, its nulls, and from the third on the changed values of update lanes. */
const laneOf = (column: number, use: number): number => column + 1_000 * use;

/** Throws 'badInput' if a column's range is empty or too wide. */
export function createGenerator(dataset: Dataset): Generator {
  const { seed } = dataset;
  const columns = Object.entries(dataset.columns).map(
    ([name, spec], index): GeneratedColumn => ({
      name,
      index,
      nullShare: spec.nulls,
      maker: columnMaker(name, spec),
      values: stream(seed, laneOf(index, 0)),
      nulls: stream(seed, laneOf(index, 1)),
    }),
  );
  const keyPosition = keyIndex(dataset);
  const key = keyPosition === null ? undefined : columns[keyPosition];
  const changed = columns.find((column) => column !== key);

  const make = (rows: Rows): Batch => ({
    rows: rows.count,
    columns: columns.map((column) => vector(column, rows, column.values)),
    laidOut: null,
  });

  return {
    fill(startRow, rows, layout) {
      const wanted = consecutive(startRow, rows);
      return layout === null ? make(wanted) : fillLayout(columns, wanted, layout);
    },
    pick: (rowNumbers) => make(listed(rowNumbers)),
    keys(rowNumbers) {
      if (!key) throw noKey();
      return { rows: rowNumbers.length, columns: [vector(key, listed(rowNumbers), key.values)], laidOut: null };
    },
    changes(rowNumbers, serial, lane) {
      if (!key) throw noKey();
      if (!changed) throw new DynoError('badInput', 'Updates need a column besides the key to change.');
      const fresh = vector(
        changed,
        consecutive(serial, rowNumbers.length),
        stream(seed, laneOf(changed.index, 2 + (lane >>> 0))),
      );
      return {
        rows: rowNumbers.length,
        columns: [vector(key, listed(rowNumbers), key.values), fresh],
        laidOut: null,
      };
    },
  };
}

const noKey = () =>
  new DynoError('badInput', 'Reads, updates and deletes need a key.', {
    hint: 'Name the key column in dataset.key.',
  });

function vector(column: GeneratedColumn, rows: Rows, values: Stream): ColumnVector {
  const { maker } = column;
  const nulls = column.nullShare > 0 ? makeNulls(column.nullShare, rows, column.nulls) : null;
  switch (maker.kind) {
    case 'fixed': {
      const { width } = maker;
      const bytes = allocate(rows.count * width);
      maker.write(rows, values, viewOf(bytes), 0, width);
      return { kind: 'fixed', bytes, offset: 0, stride: width, width, nulls };
    }
    case 'number': {
      const numbers = new Float64Array(rows.count);
      maker.write(rows, values, numbers);
      return { kind: 'number', values: numbers, nulls };
    }
    case 'variable':
      return { kind: 'variable', ...maker.make(rows, values), nulls };
  }
}

function fillLayout(columns: readonly GeneratedColumn[], rows: Rows, layout: RowLayout): Batch {
  const laidOut = layOut(layout, rows.count);
  const view = viewOf(laidOut);
  const stride = layout.template.length;
  return {
    rows: rows.count,
    laidOut,
    columns: columns.map(({ name, index, nullShare, maker, values }) => {
      const inRow = layout.offsets[index];
      if (maker.kind !== 'fixed' || nullShare > 0 || inRow === undefined) {
        throw new DynoError('internal', `A row layout was offered, but column ${name} has no fixed place in it.`);
      }
      const offset = layout.head.length + inRow;
      maker.write(rows, values, view, offset, stride);
      return { kind: 'fixed', bytes: laidOut, offset, stride, width: maker.width, nulls: null };
    }),
  };
}
