import type { Database } from '#engine-api/database.ts';
import type { Session } from '#engine-api/session.ts';
import type { CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';

/** A table of one column, which is its key. */
export const idTable: TablePlan = {
  name: 'dyno_server_test',
  key: 0,
  options: {},
  columns: [{ name: 'id', type: { kind: 'bigint' }, nullable: false }],
};

/** A column of numbers without nulls. */
export const numberColumn = (values: readonly number[] | Float64Array): ColumnVector & { readonly kind: 'number' } => ({
  kind: 'number',
  values: values instanceof Float64Array ? values : Float64Array.from(values),
  nulls: null,
});

/** A column of texts without nulls. */
export function textColumn(...texts: readonly string[]): ColumnVector & { readonly kind: 'variable' } {
  const parts = texts.map((text) => Buffer.from(text));
  const offsets = [0];
  for (const { length } of parts) offsets.push(offsets.at(-1)! + length);
  return { kind: 'variable', bytes: Buffer.concat(parts), offsets: Uint32Array.from(offsets), nulls: null };
}

/** Rows of these columns. */
export const batchWith = (rows: number, ...columns: readonly ColumnVector[]): Batch => ({
  rows,
  columns,
});

/** Rows of {@link idTable}, counted from `from`. */
export const ids = (from: number, rows: number): Batch =>
  batchWith(rows, numberColumn(Float64Array.from({ length: rows }, (_, i) => from + i)));

/** A reading statement of the user's own, without parameters and tables unless `more` says otherwise. */
export const prepareOwn = (
  session: Session,
  text: string,
  method: MethodName,
  more: Partial<StatementPlan> = {},
): Promise<CustomStatement> =>
  session.prepareStatement!({ text, method, parameters: [], tables: {}, options: {}, isRead: true, ...more });

/** The database of a test with a table, which is dropped when the database is closed. */
export async function openWithTable(opening: Promise<Database>, table: TablePlan = idTable): Promise<Database> {
  const database = await opening;
  const close = database[Symbol.asyncDispose].bind(database);
  try {
    await database.prepareSchema(table);
  } catch (error) {
    await close();
    throw error;
  }
  return Object.assign(database, {
    async [Symbol.asyncDispose]() {
      try {
        await database.drop(table);
      } finally {
        await close();
      }
    },
  });
}
