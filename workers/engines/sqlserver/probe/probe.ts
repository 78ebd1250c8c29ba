import type { Connection } from 'tedious';
import type { ProbeSample } from '#engine-api/probe.ts';
import type { ErrorData } from '#model/error.ts';
import { withForeignLocks } from '../../shared/foreign-locks.ts';
import { isLost, Refusals } from '../../shared/refusals.ts';
import { toError } from '../errors.ts';
import { query } from '../wire/request.ts';
import { foreignLocksOf, foreignLocksSql, type LockWaitRow } from './foreign-locks.ts';
import { probeInfo } from './probe-info.ts';
import {
  type CounterSource,
  counterSources,
  indexStatsSql,
  rightsSql,
  serverState,
  sessionsSql,
  waitClass,
  waitsSql,
} from './probe-sources.ts';

export { probeInfo };

type Row = Readonly<Record<string, unknown>>;

/**
 * Makes the probe of a server. `table`: the table on which Dyno works now. A source that the user may not read, or that
 * this server lacks, is listed with the right that would help, and not read again.
 */
export function createProbe(
  connection: Connection,
  tag: string,
  table: () => { readonly name: string } | null,
): () => Promise<ProbeSample> {
  const refusals = new Refusals<string>(toError, (kind) => !isLost(kind));
  async function ask<R extends Row>(view: string, needs: string, sql: string): Promise<readonly R[]> {
    const answer = () => query<R>(connection, sql);
    return (await refusals.ask(view, answer, (refusal) => refusalText(view, needs, refusal))) ?? [];
  }
  let seesAll: boolean | null = null;
  /** Sessions and their waits are shown only with the right; without it the views answer nevertheless. */
  async function mayRead(): Promise<boolean> {
    if (seesAll === null) {
      const rows = await ask<{ readonly allowed: number }>('HAS_PERMS_BY_NAME', 'membership in public', rightsSql);
      seesAll = rows[0]?.allowed === 1;
      if (!seesAll) refusals.add(sessionsView, `${sessionsView}: shows the own session only. Needs ${serverState}.`);
    }
    return seesAll;
  }
  return async () => {
    const counters: Record<string, number> = {};
    for (const source of counterSources)
      Object.assign(counters, countersOf(source, await ask(source.view, source.needs, source.sql)));
    const current = table();
    if (current !== null) {
      const rows = await ask('sys.dm_db_index_operational_stats', serverState, indexStatsSql(current));
      Object.assign(counters, countersOf({ names: null }, rows));
    }
    const gauges: Record<string, number> = { sessions: 0, active: 0 };
    if (await mayRead()) {
      for (const row of await ask<SessionRow>(sessionsView, serverState, sessionsSql(tag)))
        Object.assign(gauges, { sessions: Number(row.sessions), active: Number(row.active) });
      // The status of a session that waits for its client, as sp_who reports it.
      gauges['wait:Client:AWAITING COMMAND'] = Math.max(0, gauges.sessions! - gauges.active!);
      for (const { wait_type, sessions } of await ask<WaitRow>('sys.dm_exec_requests', serverState, waitsSql(tag))) {
        const name = wait_type === null ? 'running' : `wait:${waitClass(wait_type)}:${wait_type}`;
        gauges[name] = (gauges[name] ?? 0) + Number(sessions);
      }
    }
    const foreign = await withForeignLocks(gauges, probeInfo, async () =>
      foreignLocksOf(await ask<LockWaitRow>('sys.dm_os_waiting_tasks', serverState, foreignLocksSql(tag))),
    );
    return { counters, gauges, ...foreign, unavailable: refusals.reasons };
  };
}

/** A right helps only if the right is missing, and not if the server lacks the view or column. */
export const refusalText = (view: string, needs: string, { kind, message }: ErrorData): string =>
  kind === 'permission' ? `${view}: ${message} Needs ${needs}.` : `${view}: ${message} This server does not have it.`;

const sessionsView = 'sys.dm_exec_sessions';

interface SessionRow extends Row {
  readonly sessions: number;
  readonly active: number;
}
interface WaitRow extends Row {
  readonly wait_type: string | null;
  readonly sessions: number;
}

/** Rows of name and value, or one row whose columns are counters. */
export function countersOf({ names }: Pick<CounterSource, 'names'>, rows: readonly Row[]): Record<string, number> {
  if (names === null) {
    const present = Object.entries(rows[0] ?? {}).filter(([, value]) => value !== null);
    return Object.fromEntries(present.map(([name, value]) => [name, Number(value)]));
  }
  const found: Record<string, number> = {};
  if (rows.length === 0) return found;
  // An event that has not happened yet may have no row, so all names are present from the first sample on.
  for (const name of Object.values(names)) found[name] = 0;
  for (const { name, value } of rows) {
    const known = names[String(name).trim()];
    if (known !== undefined) found[known]! += Number(value);
  }
  return found;
}
