import type { TablePlan } from '#model/dataset/dataset.ts';

/**
 * Names are in upper case as in the dictionary, so that people need no quotes; Dyno quotes them, because DATE and LEVEL
 * can be names.
 */
export const dictionaryName = (name: string): string => name.toUpperCase();

export const quote = (name: string): string => `"${dictionaryName(name).replaceAll('"', '')}"`;

export const tableSql = (table: { readonly name: string }): string => quote(table.name);

/** The name of the primary key's constraint and of its index. */
export const keyName = (table: { readonly name: string }): string => `${table.name}_pk`;

export const columnListSql = (table: TablePlan): string => table.columns.map((column) => quote(column.name)).join(', ');
