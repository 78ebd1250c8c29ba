import type { Connection } from 'tedious';
import { tableSql, text } from '../names.ts';
import { query } from '../wire/request.ts';

/** A key is not trusted if rows were stored without being checked against it (manual, "sys.foreign_keys"). */
export const untrustedSql = (table: { readonly name: string }): string => `
SELECT COUNT(*) AS untrusted
  FROM sys.foreign_keys WHERE parent_object_id = OBJECT_ID(${text(tableSql(table))}) AND (is_not_trusted = 1 OR is_disabled = 1)`;

export async function untrustedForeignKeys(connection: Connection, table: { readonly name: string }): Promise<number> {
  const rows = await query<{ readonly untrusted: number }>(connection, untrustedSql(table));
  return Number(rows[0]?.untrusted);
}
