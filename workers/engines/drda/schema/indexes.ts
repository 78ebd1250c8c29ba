import type { TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import { indexPartsSql } from '../../shared/sql/index-parts.ts';
import { catalogName, quote, schemaName, tableSql } from '../names.ts';

/**
 * The key has another name than the constraint that marks a table as Dyno's, because a check constraint of the table
 * has that name.
 */
export const addKeySql = (table: TablePlan): string =>
  `ALTER TABLE ${tableSql(table)} ADD CONSTRAINT ${quote(`DYNO_KEY_${catalogName(table.name)}`)} PRIMARY KEY (${quote(table.columns[table.key!]!.name)})`;

export const removeIndexSql = ({ name }: IndexPlan): string => `DROP INDEX ${schemaName}.${quote(name)}`;

export const addIndexSql = (table: TablePlan, index: IndexPlan): string =>
  `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${schemaName}.${quote(index.name)} ON ${tableSql(table)} (${indexPartsSql(table, index, quote)})`;
