import type { TablePlan } from '#model/dataset/dataset.ts';

/** The schema of everything that Dyno makes in a database. */
export const schemaName = 'dyno';

export const quote = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

export const tableSql = (table: { readonly name: string }): string => `${schemaName}.${quote(table.name)}`;

/** A Unicode literal for any text. */
export const text = (value: string): string => `N'${value.replaceAll("'", "''")}'`;

/** Table types that belong to a table, for its table-valued parameters: whole rows, keys, keys with a new value. */
export const typeNames = (table: { readonly name: string }) => ({
  rows: `${table.name}_rows`,
  keys: `${table.name}_keys`,
  changes: `${table.name}_changes`,
});

/** Partition function and scheme of a partitioned table. They are objects of the database, in no schema. */
export const partitionNames = (table: { readonly name: string }) => ({
  function: `${table.name}_pf`,
  scheme: `${table.name}_ps`,
});

/** The computed column that spreads an integer key over partitions. */
export const bucketColumn = 'dyno_bucket';

/** The columns that are sent: all except a key that the server makes itself. */
export const sentColumns = ({ columns, key, options }: TablePlan): readonly number[] =>
  columns.flatMap((_, index) => (options.table === 'newSequentialId' && index === key ? [] : [index]));
