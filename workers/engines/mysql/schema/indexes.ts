import type { IndexPlan, TablePlan } from '#model/dataset/dataset.ts';
import { quote, tableSql } from '../names.ts';

/** Rows are kept in the order of the key: InnoDB writes the whole table anew. */
export const addKeySql = (database: string, table: TablePlan): string =>
  `ALTER TABLE ${tableSql(database, table)} ADD PRIMARY KEY (${quote(table.columns[table.key!]!.name)})`;

export function addIndexSql(database: string, table: TablePlan, { name, columns, unique, kind }: IndexPlan): string {
  const what = kind === 'fulltext' ? 'FULLTEXT INDEX' : unique ? 'UNIQUE INDEX' : 'INDEX';
  const names = columns.map((c) => quote(table.columns[c]!.name));
  return `CREATE ${what} ${quote(name)} ON ${tableSql(database, table)} (${names.join(', ')})`;
}
