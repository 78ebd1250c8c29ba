import type { MysqlConnection } from '../connection/connection.ts';
import { lockName } from '../connection/session-lock.ts';

/**
 * Sessions that hold the lock of exactly this tag; every user sees the sessions of its own account. `ownTag`: of this
 * connection. Null where it holds no lock itself, because the server has no named locks.
 */
export async function sessionsOf(connection: MysqlConnection, ownTag: string, tag: string): Promise<number | null> {
  const holds = (of: string, id: string) => `COALESCE(IS_USED_LOCK(${lockName(of, id)}) = ${id}, 0)`;
  const { rows } = await connection.query(
    `SELECT ${holds(ownTag, 'CONNECTION_ID()')}, COUNT(*) FROM information_schema.processlist AS p
      WHERE p.id <> CONNECTION_ID() AND ${holds(tag, 'p.id')}`,
  );
  const [[hasLocks, sessions] = []] = rows ?? [];
  return Number(hasLocks) === 1 ? Number(sessions) : null;
}
