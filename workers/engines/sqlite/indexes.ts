import type { DatabaseSync } from 'node:sqlite';
import type { IndexPlan, TablePlan } from '#model/dataset/dataset.ts';
import { quote } from './schema.ts';

/** SQLite adds no primary key to a table: a unique index is what it makes of one that is not the rowid. */
export const addKey = (database: DatabaseSync, table: TablePlan): void =>
  addIndex(database, table, { name: `${table.name}_key`, columns: [table.key!], unique: true });

export function addIndex(
  database: DatabaseSync,
  table: TablePlan,
  { name, columns, unique }: Pick<IndexPlan, 'name' | 'columns' | 'unique'>,
): void {
  const names = columns.map((c) => quote(table.columns[c]!.name));
  database.exec(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ON ${quote(table.name)} (${names.join(', ')})`);
}
