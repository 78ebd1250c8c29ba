import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import { indexPartsSql } from '../../shared/sql/index-parts.ts';
import { keyName, quote, tableSql } from '../names.ts';

export const addKeySql = (table: TablePlan): string =>
  `ALTER TABLE ${tableSql(table)} ADD CONSTRAINT ${quote(keyName(table))} PRIMARY KEY (${quote(table.columns[table.key!]!.name)})${
    table.partitions ? ' USING INDEX LOCAL' : table.options.table === 'reverseKey' ? ' USING INDEX REVERSE' : ''
  }`;

export const removeIndexSql = ({ name }: IndexPlan): string => `DROP INDEX ${quote(name)}`;

export function addIndexSql(table: TablePlan, index: IndexPlan): string {
  const { name, unique, kind, invisible } = index;
  const what = kind === 'bitmap' ? 'BITMAP ' : unique ? 'UNIQUE ' : '';
  return `CREATE ${what}INDEX ${quote(name)} ON ${tableSql(table)} (${indexPartsSql(table, index, quote, fieldSql)})${
    // A bitmap of a partitioned table has to be partitioned with it.
    kind === 'bitmap' && (table.partitions || table.options.table === 'hashPartitioned') ? ' LOCAL' : ''
  }${invisible ? ' INVISIBLE' : ''}`;
}

const fieldSql = ({ name }: Column, path: readonly string[]): string =>
  `JSON_VALUE(${quote(name)}, '$.${path.join('.')}')`;
