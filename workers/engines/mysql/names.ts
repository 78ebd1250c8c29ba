import type { TablePlan } from '#model/dataset/dataset.ts';

/** Comments that begin so mark what Dyno made; nothing without it is ever dropped. */
export const mark = 'dyno:';
/** The comment of what a run makes. */
export const runMark = `${mark}run`;

export const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** A table of Dyno's database, which no session selects. */
export const tableSql = (database: string, table: { readonly name: string }): string =>
  `${quote(database)}.${quote(table.name)}`;

export const columnListSql = (table: TablePlan): string => table.columns.map((column) => quote(column.name)).join(', ');

/** A procedure of a table's own, for the method serverLoop. */
export const loopName = (table: { readonly name: string }): string => `${table.name}_loop`;
