import type { TablePlan } from '#model/dataset/dataset.ts';
import { markPrefix } from '../shared/own-tables.ts';

/** Everything Dyno makes on a server is in this schema. */
export const schemaName = 'dyno';

/** The comment by which Dyno knows the schema for its own. */
export const schemaMark = `${markPrefix}schema: tables of benchmark runs, made and dropped by Dyno`;

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const tableSql = (table: { readonly name: string }): string => `${schemaName}.${quote(table.name)}`;

export const columnListSql = (table: TablePlan): string => table.columns.map((column) => quote(column.name)).join(', ');
