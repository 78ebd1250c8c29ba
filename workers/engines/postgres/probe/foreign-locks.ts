import type pg from 'pg';
import type { ForeignLock } from '#engine-api/probe.ts';
import { foreignLocks as fromWaits } from '../../shared/foreign-locks.ts';

/**
 * Every session that waits for a heavyweight lock, with one row for each session ahead of it. pg_blocking_pids takes
 * the lock manager's own locks for a moment (manual, "System Information Functions"), so it is called for waiting
 * sessions alone. Session 0 is a prepared transaction, which has no session. A user without pg_read_all_stats sees who
 * the others are, but not what they do.
 */
const sql = `
  SELECT w.pid AS waiter, w.holder, w.own AS "ownWaiter", coalesce(left(h.application_name, length($1)) = $1, false) AS "ownHolder",
         CASE WHEN w.holder = 0 THEN 'a prepared transaction' ELSE coalesce(nullif(h.application_name, ''), h.backend_type) END AS program,
         h.usename AS user, host(h.client_addr) AS host,
         (extract(epoch FROM clock_timestamp() - h.xact_start) * 1000)::float8 AS "heldMs"
    FROM (SELECT pid, left(application_name, length($1)) = $1 AS own, unnest(pg_blocking_pids(pid)) AS holder
            FROM pg_stat_activity WHERE wait_event_type = 'Lock') AS w
    LEFT JOIN pg_stat_activity AS h ON h.pid = w.holder`;

/** The connection returns the server's texts. */
type Row = Readonly<
  Record<'waiter' | 'holder' | 'ownWaiter' | 'ownHolder', string> &
    Record<'program' | 'user' | 'host' | 'heldMs', string | null>
>;

/** The sessions of others for which the run's sessions wait. */
export async function foreignLocks(client: pg.Client, tag: string): Promise<readonly ForeignLock[]> {
  const { rows } = await client.query<Row>({ name: 'dyno_probe_foreign_locks', text: sql, values: [tag] });
  return fromWaits(
    rows.map(({ ownWaiter, ownHolder, heldMs, ...row }) => ({
      ...row,
      ownWaiter: ownWaiter === 't',
      ownHolder: ownHolder === 't',
      heldMs: heldMs === null ? null : Number(heldMs),
    })),
  );
}
