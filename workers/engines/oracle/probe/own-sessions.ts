import type oracledb from 'oracledb';
import { clientIdOf } from '../connection/connect.ts';

const ownSessionsSql = `SELECT COUNT(*) FROM v$session
 WHERE SUBSTR(client_identifier, 1, LENGTH(:1)) = :2 AND sid <> SYS_CONTEXT('USERENV', 'SID')`;

/** Null: the user may not read V$SESSION. */
export async function sessionsOf(connection: oracledb.Connection, tag: string): Promise<number | null> {
  const id = clientIdOf(tag);
  const found = await connection.execute<[number]>(ownSessionsSql, [id, id]).catch(() => null);
  return found?.rows?.[0]?.[0] ?? null;
}
