import type { DrdaConnection } from '#drda/index.ts';
import type { IndexPlan, TablePlan } from '#model/dataset/dataset.ts';
import { run } from '../statements/query.ts';
import { catalogName, quote, schemaName, tableSql } from './names.ts';

export async function addKey(connection: DrdaConnection, table: TablePlan): Promise<void> {
  await run(connection, addKeySql(table));
}

export async function addIndex(connection: DrdaConnection, table: TablePlan, index: IndexPlan): Promise<void> {
  await run(connection, addIndexSql(table, index));
}

/** The key's name is not the one that marks a table as Dyno's: a check constraint of the table has that name. */
const addKeySql = (table: TablePlan): string =>
  `ALTER TABLE ${tableSql(table)} ADD CONSTRAINT ${quote(`DYNO_KEY_${catalogName(table.name)}`)} PRIMARY KEY (${quote(table.columns[table.key!]!.name)})`;

function addIndexSql(table: TablePlan, { name, columns, unique }: IndexPlan): string {
  const names = columns.map((c) => quote(table.columns[c]!.name));
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${schemaName}.${quote(name)} ON ${tableSql(table)} (${names.join(', ')})`;
}
