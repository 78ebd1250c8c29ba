import type { UserTable } from '#model/statements/statements.ts';

/** The most columns that an editor can complete; a data warehouse has more, and its catalog is slow. */
export const mostOwnColumns = 5_000;

/** A row for each column, ordered by table: its schema (null: it need not be written), its table and its name. */
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
