import { createHash } from 'node:crypto';

/**
 * SQL of the name of the lock that every session of a run holds. It is the only mark of a session that everybody can
 * read (connection attributes are in performance_schema, which MariaDB turns off by default). IS_USED_LOCK() returns
 * the number of the session that holds it. Names have at most 64 characters.
 */
export const lockName = (tag: string, idSql: string): string =>
  `CONCAT('dyno:${createHash('md5').update(tag).digest('hex')}:', ${idSql})`;
