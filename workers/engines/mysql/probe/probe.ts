import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import { withForeignLocks } from '../../shared/foreign-locks.ts';
import { isLost, Refusals } from '../../shared/refusals.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { lockName } from '../connection/session-lock.ts';
import { toError } from '../errors.ts';
import { literal } from '../values/values.ts';
import { foreignLocksOf, foreignLocksSql } from './foreign-locks.ts';
import { derived, files, probeInfo, statusCounters, statusGauges, times } from './probe-info.ts';

export { probeInfo };

const statusSql = `SHOW GLOBAL STATUS WHERE Variable_name IN (${[statusCounters, statusGauges]
  .flatMap(Object.keys)
  .map(literal)
  .join(', ')})`;

// Timers count picoseconds.
const fileSql = `SELECT event_name, ${times.map(([, column]) => `${column} DIV 1000000`).join(', ')}
  FROM performance_schema.file_summary_by_event_name WHERE event_name IN (${files.map(([, event]) => literal(event)).join(', ')})`;

/** The run's sessions by what they do, without the session that asks. */
const sessionsSql = (tag: string): string =>
  `SELECT id = CONNECTION_ID() AS own, command, state, COUNT(*) FROM information_schema.processlist
    WHERE IS_USED_LOCK(${lockName(tag, 'id')}) = id GROUP BY own, command, state`;

const rowLocksSql = (tag: string): string =>
  `SELECT COUNT(*) FROM information_schema.innodb_trx
    WHERE trx_state = 'LOCK WAIT' AND IS_USED_LOCK(${lockName(tag, 'trx_mysql_thread_id')}) = trx_mysql_thread_id`;

/** The row of a count that the server keeps up to date; none if the server has no such metric. */
const checkpointsSql = `SELECT count, time_enabled IS NOT NULL AND (time_disabled IS NULL OR time_disabled < time_enabled)
   FROM information_schema.innodb_metrics WHERE name = 'log_checkpoints'`;
const whoHolds = 'PROCESS ON *.*, and SELECT ON performance_schema.* on MySQL';
const needsWaits = 'Counts and times of waits: need performance_schema = ON, which takes a restart.';
const needsMonitor = 'Checkpoints: need innodb_monitor_enable = log_checkpoints.';

type Rows = readonly (readonly unknown[])[];

/**
 * Makes the probe of a server. A view that the user may not read is listed as unavailable, with the right that it
 * needs, and not read again. Status counters include all sessions up to now, without a lag.
 */
export function createProbe(connection: MysqlConnection, tag: string): () => Promise<ProbeSample> {
  const refusals = new Refusals<string>(toError, (kind) => !isLost(kind));
  let filesCounted: boolean | null = null;
  let countsCheckpoints = true;
  const workOut = createDerived();

  const ask = (sql: string, what: string, grant: string): Promise<Rows | null> =>
    refusals.ask(
      sql,
      async () => (await connection.query(sql)).rows,
      ({ kind, message }) => `${what}: ${message}${kind === 'permission' ? ` Needs: ${grant}.` : ''}`,
    );

  return async () => {
    const status = await ask(statusSql, 'SHOW GLOBAL STATUS', 'nothing that can be granted');
    const values = new Map((status ?? []).map(([name, value]) => [String(name).toLowerCase(), Number(value)]));
    const pick = (names: Readonly<Record<string, ProbeInfo>>) =>
      Object.fromEntries(Object.keys(names).flatMap((name) => (values.has(name) ? [[name, values.get(name)!]] : [])));
    filesCounted ??= Number((await connection.query('SELECT @@GLOBAL.performance_schema')).rows?.[0]?.[0]) === 1;
    const timed = filesCounted ? await ask(fileSql, 'Time in files', 'SELECT ON performance_schema.*') : null;
    const [checkpoints] = (countsCheckpoints ? await ask(checkpointsSql, 'Checkpoints', 'PROCESS ON *.*') : null) ?? [];
    countsCheckpoints = Number(checkpoints?.[1]) === 1;
    const rowLocks = await ask(rowLocksSql(tag), 'Sessions that wait for row locks', 'PROCESS ON *.*');
    const sessions = (await ask(sessionsSql(tag), 'Sessions of this run', 'PROCESS ON *.*')) ?? [];
    const gauges = { ...pick(statusGauges), ...sessionGauges(sessions, Number(rowLocks?.[0]?.[0] ?? 0)) };
    const foreign = await withForeignLocks(gauges, probeInfo, async () => {
      const rows = await ask(foreignLocksSql(tag, connection.mariadb !== null), 'Who holds row locks', whoHolds);
      return rows && foreignLocksOf(rows);
    });
    const known = sessions.some(([own]) => Number(own) === 1);
    return {
      counters: {
        ...pick(statusCounters),
        ...workOut(values),
        ...timesOf(timed ?? []),
        ...(countsCheckpoints && { log_checkpoints: Number(checkpoints?.[0]) }),
      },
      gauges,
      ...foreign,
      unavailable: [
        ...refusals.reasons,
        ...(known
          ? []
          : [
              'Sessions of this run: Dyno finds them by named locks (GET_LOCK), which this server has not, or which it does not take behind a pooler.',
            ]),
      ],
      optional: [
        ...(countsCheckpoints || refusals.has(checkpointsSql) ? [] : [needsMonitor]),
        ...(filesCounted ? [] : [needsWaits]),
      ],
    };
  };
}

/**
 * Counters derived from others. A value that would go down, because a statement is counted in one counter first, keeps
 * its last value.
 */
function createDerived() {
  const last = new Map<string, number>();
  return (values: ReadonlyMap<string, number>): Record<string, number> =>
    Object.fromEntries(
      Object.entries(derived).flatMap(([name, { of, less, plus }]) => {
        const parts = [values.get(of), values.get(less), plus === null ? 0 : values.get(plus)] as const;
        const [whole, minus, more] = parts;
        if (whole === undefined || minus === undefined || more === undefined) return [];
        const value = Math.max(last.get(name) ?? 0, whole - minus + more);
        last.set(name, value);
        return [[name, value]];
      }),
    );
}

const timesOf = (rows: Rows): Record<string, number> =>
  Object.fromEntries(
    files.flatMap(([file, event]) => {
      const row = rows.find(([name]) => name === event);
      return row ? times.map(([time], i) => [`${file}_${time}`, Number(row[i + 1])]) : [];
    }),
  );

/** Sessions by what they do or wait for, from [own, command, state, sessions], e.g. "wait:Commit:…". */
export function sessionGauges(rows: Rows, rowLocks: number): Record<string, number> {
  const gauges: Record<string, number> = { sessions: 0, active: 0 };
  const add = (name: string, number: number) => {
    gauges[name] = (gauges[name] ?? 0) + number;
  };
  for (const [own, command, state, sessions] of rows) {
    if (Number(own) === 1) continue;
    const number = Number(sessions);
    add('sessions', number);
    if (command === 'Sleep') {
      add('wait:Client:Sleep', number);
      continue;
    }
    add('active', number);
    const what = String(state ?? '');
    const waitClass = waits.find(([pattern]) => pattern.test(what))?.[1];
    add(waitClass ? `wait:${waitClass}:${what}` : 'running', number);
  }
  // The process list shows a session that waits for a row as working.
  const blocked = Math.min(rowLocks, gauges.running ?? 0);
  if (blocked > 0) {
    add('wait:InnoDB:row lock', blocked);
    add('running', -blocked);
    if (gauges.running === 0) delete gauges.running;
  }
  return gauges;
}

/** States of the process list that are waits (manuals, "General Thread States"); MariaDB's Commit waits for the log. */
const waits: readonly (readonly [RegExp, string])[] = [
  [/^(Reading from net|Writing to net|Receiving from client|Sending to client)/i, 'Net'],
  [/^(Commit\b|waiting for handler commit)/i, 'Commit'],
  [/^(Waiting for .*lock|User lock|Locked)/i, 'Lock'],
  [/^wait|^User sleep/i, 'Server'],
];
