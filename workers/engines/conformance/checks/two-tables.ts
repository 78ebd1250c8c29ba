import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { quoter } from '../statement-texts.ts';

/** Two tables of which one refers to the other. Their names are in the order in which they can be dropped. */
export function twoTables(name: string, options: TablePlan['options'], more: Pick<TablePlan, 'partitions'> = {}) {
  const tableOf = (own: string, ...columns: readonly string[]): TablePlan => ({
    ...{ name: `${name}_${own}`, key: 0, options, ...more },
    columns: columns.map((column) => ({ name: column, type: { kind: 'bigint' }, nullable: false })),
  });
  const stores = tableOf('02_stores', 'id', 'floor_space');
  const foreignKeys = [{ column: 1, table: stores.name, key: 'id' }];
  return { stores, sales: { ...tableOf('01_sales', 'id', 'store', 'pieces'), foreignKeys } };
}

const numbers = (rows: number, ...columns: readonly ((row: number) => number)[]): Batch => ({
  rows,
  columns: columns.map((value) => ({
    kind: 'number',
    values: Float64Array.from({ length: rows }, (_, row) => value(row)),
    nulls: null,
  })),
});

export const storeRows = 4;
/** The number of rows in `sales` that refer to the same store. */
export const salesOfStore = 5;
/** Stores 1 to 4. */
export const storesBatch = numbers(
  storeRows,
  (row) => row + 1,
  (row) => 100 * row,
);
export const salesBatch = numbers(
  storeRows * salesOfStore,
  (row) => row + 1,
  (row) => (row % storeRows) + 1,
  (row) => row,
);
/** One row of numbers. */
export const rowOf = (...values: readonly number[]): Batch => numbers(1, ...values.map((value) => () => value));

interface TwoTableTexts {
  /** Finds the sales of the store :id, with the store if the language has joins. */
  readonly join: string;
  /** Inserts a sale :id of the store :store. */
  readonly sell: string;
  readonly closeStore: string;
}

export function twoTableTexts(language: StatementLanguage): TwoTableTexts {
  switch (language.language) {
    case 'json':
      return {
        join: '{ "aggregate": "{stores}", "pipeline": [{ "$match": { "_id": { "$param": "id" } } }, { "$lookup": { "from": "{sales}", "localField": "_id", "foreignField": "store", "as": "sale" } }, { "$unwind": "$sale" }], "cursor": {} }',
        sell: '{ "insert": "{sales}", "documents": [{ "_id": "$id", "store": "$store", "pieces": 1 }] }',
        closeStore: '{ "delete": "{stores}", "deletes": [{ "q": { "_id": "$id" }, "limit": 1 }] }',
      };
    case 'rql':
      return {
        join: '{ "Query": "from {sales} where store = $id", "QueryParameters": { "id": "$id" }, "WaitForNonStaleResults": true }',
        sell: '{ "Type": "PUT", "Id": "{sales}/$id", "ChangeVector": "", "Document": { "id": "$id", "store": "$store", "pieces": 1, "@metadata": { "@collection": "{sales}" } } }',
        closeStore: '{ "Type": "DELETE", "Id": "{stores}/$id" }',
      };
    case 'sql': {
      const [id, store, pieces] = ['id', 'store', 'pieces'].map(quoter(language));
      return {
        join: `SELECT a.${pieces} FROM {sales} a JOIN {stores} b ON b.${id} = a.${store} WHERE b.${id} = :id`,
        sell: `INSERT INTO {sales} (${id}, ${store}, ${pieces}) VALUES (:id, :store, 1)`,
        closeStore: `DELETE FROM {stores} WHERE ${id} = :id`,
      };
    }
  }
}
