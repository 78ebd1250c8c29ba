import type { DrdaConnection, Value } from '#drda/index.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import { count } from '#engine-api/probe-info.ts';
import { Refusals } from '../../shared/refusals.ts';
import { query, readAll } from '../connection/query.ts';
import { toError } from '../errors.ts';
import { isMine, isOnDynosTables, me, sharedInfo } from './probe-statements.ts';

export const derbyProbeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...sharedInfo,
  transactions: count('Transactions begun, of all sessions'),
  writing: count('Sessions with a transaction that has written'),
  locks: count('Locks held, of all sessions'),
  running: { ...count('Sessions in a statement on Dyno’s tables, waiting for no lock'), class: 'cpu' },
  'wait:lock:*': { ...count('Waiting for locks'), class: 'lock' },
};

/** Only the database's owner may read it (Derby's reference manual, "SYSCS_DIAG.TRANSACTION_TABLE"). */
export const transactionsSql = `SELECT ${me} XID, FIRST_INSTANT, SQL_TEXT FROM SYSCS_DIAG.TRANSACTION_TABLE WHERE TYPE = 'UserTransaction'`;
/** Every user may read it ("SYSCS_DIAG.LOCK_TABLE"). */
export const locksSql = 'SELECT TYPE, STATE, COUNT(*) FROM SYSCS_DIAG.LOCK_TABLE GROUP BY TYPE, STATE';

export const beginSql = 'SELECT SCHEMAID FROM SYS.SYSSCHEMAS';

/**
 * Derby counts little that SQL can read: transactions have ascending numbers, and locks are visible while they are
 * held. Neither view takes a lock itself. A view that the user may not read is listed as unavailable and not read
 * again.
 */
export function createDerbyProbe(connection: DrdaConnection): () => Promise<ProbeSample> {
  const refusals = new Refusals<string>(toError, (kind) => kind === 'permission');
  const rowsOf = (view: string, sql: string): Promise<readonly (readonly Value[])[] | null> =>
    refusals.ask(
      view,
      () => query(connection, sql),
      ({ message }) =>
        `${view}: ${message} Derby shows it to the database’s owner alone, whom a target can name as diagnosticsUser.`,
    );
  return async () => {
    // A transaction gets its number when it first reads or writes a page; reading the views of SYSCS_DIAG gives it
    // none.
    await readAll(connection, beginSql);
    const transactions = await rowsOf('SYSCS_DIAG.TRANSACTION_TABLE', transactionsSql);
    const locks = await rowsOf('SYSCS_DIAG.LOCK_TABLE', locksSql);
    const others = transactions && ofOthers(transactions);
    return {
      counters: transactions ? { transactions: Math.max(0, ...transactions.map(([xid]) => Number(xid))) } : {},
      gauges: { ...others, ...(locks && lockGauges(locks)), ...(others && locks && running(others.active, locks)) },
      unavailable: refusals.reasons,
    };
  };
}

function ofOthers(transactions: readonly (readonly Value[])[]) {
  const others = transactions.filter(([, , sql]) => !isMine(sql));
  return {
    sessions: others.length,
    active: others.filter(([, , sql]) => isOnDynosTables(sql)).length,
    writing: others.filter(([, firstInstant]) => firstInstant !== null).length,
  };
}

/** The number of running statements. A session that waits for a lock is inside a statement, but does not run. */
function running(active: number, locks: readonly (readonly Value[])[]): { readonly running: number } {
  const waiting = locks.reduce((sum, [, state, number]) => sum + (state === 'WAIT' ? Number(number) : 0), 0);
  return { running: Math.max(0, active - waiting) };
}

/** Lock waits by the kind of lock: "wait:lock:ROW". */
function lockGauges(locks: readonly (readonly Value[])[]): Record<string, number> {
  const gauges: Record<string, number> = { locks: 0 };
  for (const [type, state, number] of locks) {
    if (state === 'WAIT') gauges[`wait:lock:${String(type).trim()}`] = Number(number);
    else gauges.locks! += Number(number);
  }
  return gauges;
}
