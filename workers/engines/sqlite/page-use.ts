import type { DatabaseSync } from 'node:sqlite';
import type { PageUse } from '#engine-api/page-use.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';

/** The order of paths is the order of keys. Overflow pages follow their own chains and are left out. */
const sql = `
WITH page AS (
  SELECT name, pageno, pgsize, unused, pagetype,
         lag(pageno) OVER (PARTITION BY name, pagetype ORDER BY path) AS before
    FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?1))
SELECT name, 1 - 1.0 * sum(unused) / sum(pgsize) AS density, sum(unused) AS free,
       1.0 * count(*) FILTER (WHERE pagetype = 'leaf' AND pageno <> before + 1)
         / nullif(count(*) FILTER (WHERE pagetype = 'leaf' AND before IS NOT NULL), 0) AS outOfOrder
  FROM page GROUP BY name`;

/** The fill and the order of all pages, by dbstat, which reads each of them. */
export const pageUse = (control: DatabaseSync, { name }: TablePlan): PageUse => ({
  parts: control
    .prepare(sql)
    .all(name)
    .map((row) => ({
      of: partOf(String(row.name), name),
      density: numberOf(row.density),
      outOfOrder: numberOf(row.outOfOrder),
      freeBytes: numberOf(row.free),
    })),
});

/** SQLite names the index of a primary key by itself. */
const partOf = (name: string, table: string): string =>
  name === table ? 'table' : name.startsWith('sqlite_autoindex_') ? 'key' : name;

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
