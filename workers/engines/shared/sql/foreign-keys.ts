import type { TablePlan } from '#model/dataset/dataset.ts';

/** The clauses of CREATE TABLE for a table's foreign keys, one each, as all dialects write them. Pure. */
export const foreignKeysSql = (
  { columns, foreignKeys = [] }: TablePlan,
  quote: (name: string) => string,
  tableSql: (table: { readonly name: string }) => string,
): readonly string[] =>
  foreignKeys.map(
    ({ column, table, key }) =>
      `FOREIGN KEY (${quote(columns[column]!.name)}) REFERENCES ${tableSql({ name: table })} (${quote(key)})`,
  );
