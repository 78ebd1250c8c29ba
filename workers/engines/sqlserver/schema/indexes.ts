import type { Connection } from 'tedious';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import { includedSql, indexPartsSql, whereSql } from '../../shared/sql/index-parts.ts';
import { quote, tableSql, typeNames } from '../names.ts';
import { execute } from '../wire/request.ts';
import { inTransaction, markSql } from './marks.ts';
import { createTypesSql, storageSql } from './tables.ts';

/** Creates the key, and the table types that name it, which were not made with the table. */
export async function addKey(connection: Connection, table: TablePlan): Promise<void> {
  const { rows } = typeNames(table);
  const types = createTypesSql(table).filter(({ name }) => name !== rows);
  await inTransaction(connection, [
    addKeySql(table),
    ...types.flatMap(({ name, sql }) => [sql, markSql('TYPE', name)]),
  ]);
}

export async function addIndex(connection: Connection, table: TablePlan, index: IndexPlan): Promise<void> {
  await execute(connection, addIndexSql(table, index));
}

/** A clustered index puts the rows of the heap into its order; a nonclustered one is built beside them. */
export const addKeySql = (table: TablePlan): string =>
  `ALTER TABLE ${tableSql(table)} ADD CONSTRAINT ${quote(`${table.name}_pk`)} PRIMARY KEY ${
    table.options.table === 'nonclustered' ? 'NONCLUSTERED' : 'CLUSTERED'
  } (${quote(table.columns[table.key!]!.name)})${storageSql(table, table.fillFactor)}`;

export const removeIndexSql = (table: TablePlan, { name }: IndexPlan): string =>
  `DROP INDEX ${quote(name)} ON ${tableSql(table)}`;

export function addIndexSql(table: TablePlan, index: IndexPlan): string {
  const { name, unique, kind } = index;
  const what = kind === 'columnstore' ? 'NONCLUSTERED COLUMNSTORE' : `${unique ? 'UNIQUE ' : ''}NONCLUSTERED`;
  const included = includedSql(table, index, quote);
  return [
    `CREATE ${what} INDEX ${quote(name)} ON ${tableSql(table)} (${indexPartsSql(table, index, quote)})`,
    included === '' ? '' : ` INCLUDE (${included})`,
    whereSql(index),
    kind === 'columnstore' ? '' : storageSql(table),
  ].join('');
}
