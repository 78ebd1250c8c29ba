import type { TablePlan } from '#model/dataset/dataset.ts';

/** The schema of everything that Dyno makes on a server. */
export const schemaName = 'DYNO';

/** The name as the catalog has it: in upper case, so that people may write it without quotes. */
export const catalogName = (name: string): string => name.toUpperCase();

/** The quoted name, so that reserved words can be columns. */
export const quote = (name: string): string => `"${catalogName(name).replaceAll('"', '""')}"`;

export const tableSql = (table: { readonly name: string }): string => `${schemaName}.${quote(table.name)}`;

export const columnListSql = (table: TablePlan): string => table.columns.map((column) => quote(column.name)).join(', ');

/** A text as an SQL literal. */
export const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
