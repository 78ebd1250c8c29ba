import type { IndexPlan, TablePlan } from '#model/dataset/dataset.ts';
import { keyName, quote, tableSql } from '../names.ts';

export const addKeySql = (table: TablePlan): string =>
  `ALTER TABLE ${tableSql(table)} ADD CONSTRAINT ${quote(keyName(table))} PRIMARY KEY (${quote(table.columns[table.key!]!.name)})${
    table.partitions ? ' USING INDEX LOCAL' : table.options.table === 'reverseKey' ? ' USING INDEX REVERSE' : ''
  }`;

export function addIndexSql(table: TablePlan, { name, columns, unique }: IndexPlan): string {
  const names = columns.map((c) => quote(table.columns[c]!.name));
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ON ${tableSql(table)} (${names.join(', ')})`;
}
