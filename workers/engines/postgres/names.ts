import type { TablePlan } from '#model/dataset/dataset.ts';

/** Everything Dyno makes on a server is in this schema. */
export const schemaName = 'dyno';

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const tableSql = (table: { readonly name: string }): string => `${schemaName}.${quote(table.name)}`;

export const columnListSql = (table: TablePlan): string => table.columns.map((column) => quote(column.name)).join(', ');
