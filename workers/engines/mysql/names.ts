import type { TablePlan } from '#model/dataset/dataset.ts';

export const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** The character set of Dyno's database; its tables inherit it. */
export const characterSet = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/** A table of Dyno's database, which no session selects. */
export const tableSql = (database: string, table: { readonly name: string }): string =>
  `${quote(database)}.${quote(table.name)}`;

export const columnListSql = (table: TablePlan): string => table.columns.map((column) => quote(column.name)).join(', ');

/** The procedure of a table, for the method serverLoop. */
export const loopName = (table: { readonly name: string }): string => `${table.name}_loop`;
