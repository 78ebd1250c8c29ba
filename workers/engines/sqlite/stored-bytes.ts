import type { DatabaseSync } from 'node:sqlite';

/** dbstat counts whole pages, with free space. A rowid table's key has its own index unless it is an integer. */
export function storedBytes(control: DatabaseSync, name: string): { tableBytes: number; indexBytes: number } {
  const row = control
    .prepare(
      `SELECT coalesce(sum(pgsize) FILTER (WHERE name = ?1), 0) AS tableBytes,
              coalesce(sum(pgsize) FILTER (WHERE name <> ?1), 0) AS indexBytes
         FROM dbstat WHERE aggregate = TRUE AND name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?1)`,
    )
    .get(name);
  return { tableBytes: Number(row?.tableBytes), indexBytes: Number(row?.indexBytes) };
}
