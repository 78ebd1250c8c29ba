import type pg from 'pg';
import type { UserTable } from '#model/statements/statements.ts';
import { groupTables, mostOwnColumns } from '../../shared/user-tables.ts';
import { schemaName } from './names.ts';

/** Tables and views that the user may read, without the system's and Dyno's. */
export async function userTables(client: pg.Client): Promise<readonly UserTable[]> {
  const { rows } = await client.query<{ schema: string | null; name: string; column: string }>(
    `SELECT CASE WHEN pg_table_is_visible(c.oid) THEN NULL ELSE n.nspname END AS schema, c.relname AS name, a.attname AS column
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped
        AND n.nspname NOT IN ('pg_catalog', 'information_schema', $1) AND n.nspname !~ '^pg_'
        AND has_table_privilege(c.oid, 'SELECT')
      ORDER BY n.nspname, c.relname, a.attnum LIMIT $2`,
    [schemaName, mostOwnColumns],
  );
  return groupTables(rows);
}
