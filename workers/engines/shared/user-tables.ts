import type { UserTable } from '#model/statements/statements.ts';

/** The most columns that an editor can complete; more is a data warehouse, and a catalog that takes its time. */
export const mostOwnColumns = 5_000;

/** One row a column, ordered by table: its schema (null: none has to be written), its table and its own name. */
export function groupTables(rows: readonly (readonly unknown[])[]): readonly UserTable[] {
  const tables = new Map<string, { schema: string | null; name: string; columns: string[] }>();
  for (const [of, ...names] of rows) {
    const schema = of === null ? null : String(of);
    const [name, column] = names.map(String) as [string, string];
    const id = JSON.stringify([schema, name]);
    const table = tables.get(id) ?? { schema, name, columns: [] };
    table.columns.push(column);
    tables.set(id, table);
  }
  return [...tables.values()];
}
