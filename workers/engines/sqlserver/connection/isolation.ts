import type { Connection } from 'tedious';
import { DynoError } from '#model/error.ts';
import { execute, query } from '../wire/request.ts';
import { close } from './connect.ts';

/** 1: the database keeps versions of rows for the level. */
export const snapshotsSql = 'SELECT snapshot_isolation_state AS state FROM sys.databases WHERE database_id = DB_ID()';

/** Sets the level of a new session, unless it is null. If that fails, the session is closed. */
export async function setIsolation(connection: Connection, level: string | null): Promise<void> {
  if (level === null) return;
  try {
    if (level === 'SNAPSHOT') await requireSnapshots(connection);
    await execute(connection, `SET TRANSACTION ISOLATION LEVEL ${level}`);
  } catch (error) {
    await close(connection);
    throw error;
  }
}

/** SET accepts the level nevertheless, and the first statement then fails (3952). */
async function requireSnapshots(connection: Connection): Promise<void> {
  const [database] = await query<{ readonly state: number }>(connection, snapshotsSql);
  if (database?.state === 1) return;
  throw new DynoError('unsupported', 'isolation: snapshot — the database keeps no versions of rows for it.', {
    hint: 'Have its owner run: ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON',
  });
}
