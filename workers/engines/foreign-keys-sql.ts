import type { TablePlan } from '#model/dataset/dataset.ts';

/** What CREATE TABLE says of a table's foreign keys, one clause each, as all dialects write it. Pure. */
export const foreignKeysSql = (
  { columns, foreignKeys = [] }: TablePlan,
  quote: (name: string) => string,
  tableSql: (table: { readonly name: string }) => string,
): readonly string[] =>
  foreignKeys.map(
    ({ column, table, key }) =>
      `FOREIGN KEY (${quote(columns[column]!.name)}) REFERENCES ${tableSql({ name: table })} (${quote(key)})`,
  );
