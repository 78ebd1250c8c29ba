import type { ClientSession, Collection, Document } from 'mongodb';
import type { Batch } from '#model/batch/batch.ts';
import { changedColumn } from '#model/dataset/changed-column.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { Connected } from '../connection/connect.ts';
import type { MongoOptions } from '../options.ts';
import { bsonValues, fieldNames } from '../values/documents.ts';

/** The parts with which an operation works. */
export interface Work {
  readonly connected: Connected;
  readonly collection: Collection;
  /** The logical session of all calls: transactions need one, and cancel() finds the calls by it. */
  readonly session: ClientSession;
  readonly options: MongoOptions;
}

export interface UpdateStatement {
  readonly filter: Document;
  readonly update: Document;
}

/** A statement for each row. */
export function updateMaker(table: TablePlan, options: MongoOptions): (batch: Batch) => UpdateStatement[] {
  const changed = changedColumn(table);
  if (changed === null) throw new DynoError('badInput', 'There is no column besides the key that could be changed.');
  const keys = keyMaker(table, options);
  const { type } = table.columns[changed]!;
  const name = fieldNames(table)[changed]!;
  return (batch) => {
    const values = bsonValues(batch.columns[1]!, type, batch.rows, options.timestamps);
    return keys(batch).map((_id, r) => ({ filter: { _id }, update: { $set: { [name]: values[r] } } }));
  };
}

/** The key column of a batch. */
export function keyMaker(table: TablePlan, options: MongoOptions): (batch: Batch) => unknown[] {
  const { key } = table;
  if (key === null) throw new DynoError('badInput', 'The table has no key to find rows by.');
  const { type } = table.columns[key]!;
  return ({ columns, rows }) => bsonValues(columns[0]!, type, rows, options.timestamps);
}

/** The documents whose value of a column is at or above a batch's low value and below its high one. */
export function rangeFilter(
  table: TablePlan,
  column: number,
  { timestamps }: MongoOptions,
): (batch: Batch) => Document {
  const { type } = table.columns[column]!;
  const name = fieldNames(table)[column]!;
  return ({ columns }) => {
    const [low, high] = columns.map((side) => bsonValues(side, type, 1, timestamps)[0]);
    return { [name]: { $gte: low, $lt: high } };
  };
}
