import type { IndexPlan, TablePlan } from '#model/dataset/dataset.ts';
import { catalogName, quote, schemaName, tableSql } from '../names.ts';

/**
 * The key has another name than the constraint that marks a table as Dyno's, because a check constraint of the table
 * has that name.
 */
export const addKeySql = (table: TablePlan): string =>
  `ALTER TABLE ${tableSql(table)} ADD CONSTRAINT ${quote(`DYNO_KEY_${catalogName(table.name)}`)} PRIMARY KEY (${quote(table.columns[table.key!]!.name)})`;

export function addIndexSql(table: TablePlan, { name, columns, unique }: IndexPlan): string {
  const names = columns.map((c) => quote(table.columns[c]!.name));
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${schemaName}.${quote(name)} ON ${tableSql(table)} (${names.join(', ')})`;
}
