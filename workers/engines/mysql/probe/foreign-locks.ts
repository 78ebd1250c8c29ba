import type { ForeignLock } from '#engine-api/probe.ts';
import { foreignLocks } from '../../shared/foreign-locks.ts';
import { lockName } from '../connection/session-lock.ts';

/**
 * Row locks that are waited for: [waiter, holder, own waiter, own holder, user, host, held ms]. MySQL 8 has them in
 * performance_schema.data_lock_waits (manual, "Using InnoDB Transaction and Locking Information"), MariaDB in
 * information_schema.innodb_lock_waits.
 */
export const foreignLocksSql = (tag: string, isMariaDb: boolean): string => {
  const own = (id: string) => `COALESCE(IS_USED_LOCK(${lockName(tag, id)}) = ${id}, 0)`;
  const waits = isMariaDb
    ? `information_schema.innodb_lock_waits AS l
  JOIN information_schema.innodb_trx AS w ON w.trx_id = l.requesting_trx_id
  JOIN information_schema.innodb_trx AS h ON h.trx_id = l.blocking_trx_id`
    : `performance_schema.data_lock_waits AS l
  JOIN information_schema.innodb_trx AS w ON w.trx_id = l.requesting_engine_transaction_id
  JOIN information_schema.innodb_trx AS h ON h.trx_id = l.blocking_engine_transaction_id`;
  return `SELECT w.trx_mysql_thread_id, h.trx_mysql_thread_id, ${own('w.trx_mysql_thread_id')}, ${own('h.trx_mysql_thread_id')},
       p.user, p.host, TIMESTAMPDIFF(MICROSECOND, h.trx_started, NOW(6)) DIV 1000
  FROM ${waits}
  LEFT JOIN information_schema.processlist AS p ON p.id = h.trx_mysql_thread_id`;
};

/** The sessions of others for which the run's sessions wait, from the rows of foreignLocksSql. */
export const foreignLocksOf = (rows: readonly (readonly unknown[])[]): readonly ForeignLock[] =>
  foreignLocks(
    rows.map(([waiter, holder, ownWaiter, ownHolder, user, host, heldMs]) => ({
      waiter: Number(waiter),
      holder: Number(holder),
      ownWaiter: Number(ownWaiter) === 1,
      ownHolder: Number(ownHolder) === 1,
      program: null,
      user: user === null ? null : String(user),
      // The port of a client is of no use to a reader.
      host: host === null ? null : String(host).replace(/:\d+$/, ''),
      heldMs: heldMs === null ? null : Number(heldMs),
    })),
  );
