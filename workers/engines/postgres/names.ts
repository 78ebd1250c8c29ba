import type { TablePlan } from '#model/dataset/dataset.ts';
import { markPrefix } from '../shared/own-tables.ts';

/** The schema of everything that Dyno makes on a server. */
export const schemaName = 'dyno';

/** The comment that marks the schema as Dyno's. */
export const schemaMark = `${markPrefix}schema: tables of benchmark runs, made and dropped by Dyno`;

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const tableSql = (table: { readonly name: string }): string => `${schemaName}.${quote(table.name)}`;

export const columnListSql = (table: TablePlan): string => table.columns.map((column) => quote(column.name)).join(', ');
