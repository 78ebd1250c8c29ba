import type { SessionOwners } from '#engine-api/database.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { lockName } from '../connection/session-lock.ts';

/** A user without PROCESS sees the sessions of its own account alone. */
const seesAllSql = `SELECT COUNT(*) FROM information_schema.user_privileges WHERE privilege_type = 'PROCESS'
  AND grantee = CONCAT("'", SUBSTRING_INDEX(CURRENT_USER(), '@', 1), "'@'", SUBSTRING_INDEX(CURRENT_USER(), '@', -1), "'")`;

/**
 * Counts the sessions that hold the lock of this tag. `ownTag`: the tag of this connection. Null: this connection holds
 * no lock itself, because the server has no named locks, or everybody's sessions are asked for and not visible.
 */
export async function sessionsOf(
  connection: MysqlConnection,
  ownTag: string,
  tag: string,
  of: SessionOwners,
): Promise<number | null> {
  if (of === 'everybody' && Number((await connection.query(seesAllSql)).rows?.[0]?.[0]) === 0) return null;
  const holds = (of: string, id: string) => `COALESCE(IS_USED_LOCK(${lockName(of, id)}) = ${id}, 0)`;
  const { rows } = await connection.query(
    `SELECT ${holds(ownTag, 'CONNECTION_ID()')}, COUNT(*) FROM information_schema.processlist AS p
      WHERE p.id <> CONNECTION_ID() AND ${holds(tag, 'p.id')}`,
  );
  const [[hasLocks, sessions] = []] = rows ?? [];
  return Number(hasLocks) === 1 ? Number(sessions) : null;
}
