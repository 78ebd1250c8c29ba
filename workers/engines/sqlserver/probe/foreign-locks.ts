import type { ForeignLock } from '#engine-api/probe.ts';
import { foreignLocks } from '../../shared/foreign-locks.ts';
import { text } from '../names.ts';

/**
 * Tasks that wait for locks, with the session that blocks them (sys.dm_os_waiting_tasks), the facts about that session,
 * and the age of its oldest transaction. Negative sessions (-2: orphaned distributed transaction, -3: deferred
 * recovery, -5: any task) have no row of their own.
 */
export const foreignLocksSql = (tag: string): string => {
  const own = (session: string) =>
    `CASE WHEN LEFT(${session}.program_name, ${tag.length}) = ${text(tag)} THEN 1 ELSE 0 END`;
  return `
SELECT t.session_id AS waiter, t.blocking_session_id AS holder, ${own('w')} AS own_waiter, ${own('h')} AS own_holder,
       h.program_name AS program, h.login_name AS [user], h.host_name AS host,
       (SELECT MAX(DATEDIFF(second, a.transaction_begin_time, SYSDATETIME()))
          FROM sys.dm_tran_session_transactions AS x
          JOIN sys.dm_tran_active_transactions AS a ON a.transaction_id = x.transaction_id
         WHERE x.session_id = t.blocking_session_id) AS held_s
  FROM sys.dm_os_waiting_tasks AS t
  LEFT JOIN sys.dm_exec_sessions AS w ON w.session_id = t.session_id
  LEFT JOIN sys.dm_exec_sessions AS h ON h.session_id = t.blocking_session_id
 WHERE t.wait_type LIKE N'LCK%' AND t.blocking_session_id IS NOT NULL AND t.blocking_session_id <> t.session_id`;
};

/** One row of foreignLocksSql. */
export type LockWaitRow = Readonly<
  Record<'waiter' | 'holder' | 'own_waiter' | 'own_holder', number> &
    Record<'program' | 'user' | 'host', string | null> &
    Record<'held_s', number | null>
>;

/** The sessions of others for which the run's sessions wait. */
export const foreignLocksOf = (rows: readonly LockWaitRow[]): readonly ForeignLock[] =>
  foreignLocks(
    rows.map(({ waiter, holder, own_waiter, own_holder, program, user, host, held_s }) => ({
      waiter,
      holder,
      ownWaiter: own_waiter === 1,
      ownHolder: own_holder === 1,
      program,
      user,
      host,
      heldMs: held_s === null ? null : held_s * 1_000,
    })),
  );
