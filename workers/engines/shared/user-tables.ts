import type { UserTable } from '#model/statements/statements.ts';

/** What an editor can complete; more is a data warehouse, and a catalog that takes its time. */
export const mostOwnColumns = 5_000;

/** One row a column, ordered by table. */
export function groupTables(
  rows: readonly { readonly schema: string | null; readonly name: string; readonly column: string }[],
): readonly UserTable[] {
  const tables = new Map<string, { schema: string | null; name: string; columns: string[] }>();
  for (const { schema, name, column } of rows) {
    const id = JSON.stringify([schema, name]);
    const table = tables.get(id) ?? { schema, name, columns: [] };
    table.columns.push(column);
    tables.set(id, table);
  }
  return [...tables.values()];
}
