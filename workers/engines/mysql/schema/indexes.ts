import type { IndexPlan, TablePlan } from '#model/dataset/dataset.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { quote, tableSql } from './names.ts';

export async function addKey(connection: MysqlConnection, database: string, table: TablePlan): Promise<void> {
  await connection.query(addKeySql(database, table));
}

export async function addIndex(
  connection: MysqlConnection,
  database: string,
  table: TablePlan,
  index: IndexPlan,
): Promise<void> {
  await connection.query(addIndexSql(database, table, index));
}

/** Rows are kept in the order of the key: InnoDB writes the whole table anew. */
const addKeySql = (database: string, table: TablePlan): string =>
  `ALTER TABLE ${tableSql(database, table)} ADD PRIMARY KEY (${quote(table.columns[table.key!]!.name)})`;

function addIndexSql(database: string, table: TablePlan, { name, columns, unique, kind }: IndexPlan): string {
  const what = kind === 'fulltext' ? 'FULLTEXT INDEX' : unique ? 'UNIQUE INDEX' : 'INDEX';
  const names = columns.map((c) => quote(table.columns[c]!.name));
  return `CREATE ${what} ${quote(name)} ON ${tableSql(database, table)} (${names.join(', ')})`;
}
