import { createHash } from 'node:crypto';

/**
 * SQL of the name of the lock that every session of a run holds: the server has no other mark of a session that
 * everybody can read (connection attributes are in performance_schema, which MariaDB leaves off). IS_USED_LOCK() of it
 * answers the session's number. Names have 64 characters at most.
 */
export const lockName = (tag: string, idSql: string): string =>
  `CONCAT('dyno:${createHash('md5').update(tag).digest('hex')}:', ${idSql})`;
