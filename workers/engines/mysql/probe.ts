import type { ProbeInfo, ProbeSample } from '#contract/engine.ts';
import type { Connection } from './connection.ts';
import { toError } from './errors.ts';
import { lockName } from './session-lock.ts';
import { literal } from './values.ts';

const count = (label: string): ProbeInfo => ({ unit: 'count', label });
const bytes = (label: string): ProbeInfo => ({ unit: 'bytes', label });
const ms = (label: string): ProbeInfo => ({ unit: 'ms', label });
const us = (label: string): ProbeInfo => ({ unit: 'us', label });

/** Of SHOW GLOBAL STATUS, in lower case: manuals, "Server Status Variables". A version has some and not others. */
const statusCounters: Readonly<Record<string, ProbeInfo>> = {
  questions: count('Statements from clients'),
  com_insert: count('INSERT statements'),
  com_select: count('SELECT statements'),
  com_update: count('UPDATE statements'),
  com_delete: count('DELETE statements'),
  com_load: count('LOAD DATA statements'),
  com_commit: count('COMMIT statements'),
  com_stmt_prepare: count('Statements prepared'),
  com_stmt_execute: count('Prepared statements executed'),
  com_stmt_close: count('Prepared statements closed'),
  handler_commit: count('Commits within the storage engines'),
  handler_write: count('Rows inserted'),
  handler_update: count('Rows updated'),
  handler_delete: count('Rows deleted'),
  handler_read_key: count('Rows looked up by index'),
  handler_read_next: count('Rows read along an index'),
  handler_read_rnd_next: count('Rows read by scans'),
  bytes_received: bytes('Received from clients'),
  bytes_sent: bytes('Sent to clients'),
  created_tmp_tables: count('Temporary tables'),
  created_tmp_disk_tables: count('Temporary tables on disk'),
  table_locks_waited: count('Waits for table locks'),
  innodb_lsn_current: bytes('Log generated (log sequence number)'),
  innodb_redo_log_current_lsn: bytes('Log generated (log sequence number)'), // as MySQL names it, from 8.0.30 on
  innodb_os_log_written: bytes('Log written'),
  innodb_os_log_fsyncs: count('Log syncs'),
  innodb_log_writes: count('Log writes'),
  innodb_log_write_requests: count('Log records written to the log buffer'),
  innodb_log_waits: count('Waits for a full log buffer'),
  innodb_data_fsyncs: count('File syncs (data; the log’s, too, where the server has no count of them)'),
  innodb_data_reads: count('File reads'),
  innodb_data_writes: count('File writes'),
  innodb_data_read: bytes('Read from files'),
  innodb_data_written: bytes('Written to files'),
  innodb_dblwr_writes: count('Doublewrite operations'),
  innodb_dblwr_pages_written: count('Pages written to the doublewrite buffer'),
  innodb_pages_created: count('Pages created'),
  innodb_pages_read: count('Pages read'),
  innodb_pages_written: count('Pages written'),
  innodb_buffer_pool_read_requests: count('Pages found in the buffer pool or read'),
  innodb_buffer_pool_reads: count('Pages read from outside the buffer pool'),
  innodb_buffer_pool_wait_free: count('Waits for a free page in the buffer pool'),
  innodb_buffer_pool_pages_flushed: count('Pages flushed from the buffer pool'),
  innodb_row_lock_waits: count('Waits for row locks'),
  innodb_row_lock_time: ms('Time waiting for row locks'),
  innodb_deadlocks: count('Deadlocks'),
  binlog_cache_use: count('Transactions through the binary log’s cache'),
  binlog_cache_disk_use: count('Transactions larger than the binary log’s cache'),
  binlog_commits: count('Commits to the binary log'),
  binlog_group_commits: count('Group commits to the binary log'),
  binlog_bytes_written: bytes('Written to the binary log'),
};

const statusGauges: Readonly<Record<string, ProbeInfo>> = {
  threads_running: count('Threads running, of everybody'),
  threads_connected: count('Connections, of everybody'),
  innodb_buffer_pool_pages_dirty: count('Changed pages in the buffer pool'),
  innodb_buffer_pool_pages_free: count('Free pages in the buffer pool'),
  innodb_checkpoint_age: bytes('Log since the last checkpoint'),
  innodb_history_list_length: count('Transactions waiting for purge'),
  innodb_row_lock_current_waits: count('Row locks waited for, by everybody'),
};

/** Of performance_schema, where it is on and has the event (MariaDB from 10.8 on has none for the log): time in files by kind. */
const files = [
  ['log_file', 'wait/io/file/innodb/innodb_log_file', 'the log'],
  ['data_file', 'wait/io/file/innodb/innodb_data_file', 'data files'],
  ['binlog_file', 'wait/io/file/sql/binlog', 'the binary log'],
] as const;
const times = [
  ['read_time', 'sum_timer_read', 'Time reading'],
  ['write_time', 'sum_timer_write', 'Time writing'],
  ['sync_time', 'sum_timer_misc', 'Time syncing'],
] as const;
const fileTimes = files.flatMap(([file, , words]) =>
  times.map(([time, , what]) => [`${file}_${time}`, us(`${what} ${words} (performance_schema)`)] as const),
);

export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...statusCounters,
  ...statusGauges,
  ...Object.fromEntries(fileTimes),
  sessions: count('Sessions of this run'),
  active: count('Sessions in a statement'),
  running: count('Sessions running, waiting for nothing'),
};

const statusSql = `SHOW GLOBAL STATUS WHERE Variable_name IN (${[statusCounters, statusGauges]
  .flatMap(Object.keys)
  .map(literal)
  .join(', ')})`;

// Timers count picoseconds.
const fileSql = `SELECT event_name, ${times.map(([, column]) => `${column} DIV 1000000`).join(', ')}
  FROM performance_schema.file_summary_by_event_name WHERE event_name IN (${files.map(([, event]) => literal(event)).join(', ')})`;

/** The run's sessions by what they do; the asking one is told apart. */
const sessionsSql = (tag: string): string =>
  `SELECT id = CONNECTION_ID() AS own, command, state, COUNT(*) FROM information_schema.processlist
    WHERE IS_USED_LOCK(${lockName(tag, 'id')}) = id GROUP BY own, command, state`;

const rowLocksSql = (tag: string): string =>
  `SELECT COUNT(*) FROM information_schema.innodb_trx
    WHERE trx_state = 'LOCK WAIT' AND IS_USED_LOCK(${lockName(tag, 'trx_mysql_thread_id')}) = trx_mysql_thread_id`;

/** Everything a probe asks, for the test that has the server parse it. */
export const probeSql = (tag: string): readonly string[] => [statusSql, fileSql, sessionsSql(tag), rowLocksSql(tag)];

type Rows = readonly (readonly unknown[])[];

/**
 * A probe of one server. What may not be read is listed as unavailable, with the right that allows it, and not asked again. Status
 * counters are of all sessions up to now: nothing lags.
 */
export function createProbe(connection: Connection, tag: string): () => Promise<ProbeSample> {
  const refused = new Map<string, string>();
  let filesCounted: boolean | null = null;

  async function ask(sql: string, what: string, grant: string): Promise<Rows | null> {
    if (refused.has(sql)) return null;
    try {
      return (await connection.query(sql)).rows;
    } catch (error) {
      const data = toError(error);
      if (data.kind === 'serverGone' || data.kind === 'unreachable' || data.kind === 'cancelled') throw error;
      refused.set(sql, `${what}: ${data.message}${data.kind === 'permission' ? ` Needs: ${grant}.` : ''}`);
      return null;
    }
  }

  return async () => {
    const status = await ask(statusSql, 'SHOW GLOBAL STATUS', 'nothing that can be granted');
    const values = new Map((status ?? []).map(([name, value]) => [String(name).toLowerCase(), Number(value)]));
    const pick = (names: Readonly<Record<string, ProbeInfo>>) =>
      Object.fromEntries(Object.keys(names).flatMap((name) => (values.has(name) ? [[name, values.get(name)!]] : [])));
    filesCounted ??= Number((await connection.query('SELECT @@GLOBAL.performance_schema')).rows?.[0]?.[0]) === 1;
    const timed = filesCounted ? await ask(fileSql, 'Time in files', 'SELECT ON performance_schema.*') : null;
    const rowLocks = await ask(rowLocksSql(tag), 'Sessions that wait for row locks', 'PROCESS ON *.*');
    const sessions = (await ask(sessionsSql(tag), 'Sessions of this run', 'PROCESS ON *.*')) ?? [];
    const known = sessions.some(([own]) => Number(own) === 1);
    return {
      counters: { ...pick(statusCounters), ...timesOf(timed ?? []) },
      gauges: { ...pick(statusGauges), ...sessionGauges(sessions, Number(rowLocks?.[0]?.[0] ?? 0)) },
      unavailable: [
        ...refused.values(),
        ...(known
          ? []
          : ['Sessions of this run: this server has no named locks (GET_LOCK), by which Dyno finds them.']),
      ],
    };
  };
}

const timesOf = (rows: Rows): Record<string, number> =>
  Object.fromEntries(
    files.flatMap(([file, event]) => {
      const row = rows.find(([name]) => name === event);
      return row ? times.map(([time], i) => [`${file}_${time}`, Number(row[i + 1])]) : [];
    }),
  );

/** Sessions by what they do or wait for, from rows of [own, command, state, sessions], e.g. "wait:Commit:waiting for handler commit". */
export function sessionGauges(rows: Rows, rowLocks: number): Record<string, number> {
  const gauges: Record<string, number> = { sessions: 0, active: 0 };
  const add = (name: string, number: number) => {
    gauges[name] = (gauges[name] ?? 0) + number;
  };
  for (const [own, command, state, sessions] of rows) {
    if (Number(own) === 1) continue;
    const number = Number(sessions);
    add('sessions', number);
    if (command === 'Sleep') continue;
    add('active', number);
    const what = String(state ?? '');
    const waitClass = waits.find(([pattern]) => pattern.test(what))?.[1];
    add(waitClass ? `wait:${waitClass}:${what}` : 'running', number);
  }
  // The process list shows who waits for a row as working.
  const blocked = Math.min(rowLocks, gauges.running ?? 0);
  if (blocked > 0) {
    add('wait:InnoDB:row lock', blocked);
    add('running', -blocked);
    if (gauges.running === 0) delete gauges.running;
  }
  return gauges;
}

/** States of the process list that are waits (manuals, "General Thread States"); of MariaDB, Commit is the wait for the log. */
const waits: readonly (readonly [RegExp, string])[] = [
  [/^(Reading from net|Writing to net|Receiving from client|Sending to client)/i, 'Client'],
  [/^(Commit\b|waiting for handler commit)/i, 'Commit'],
  [/^(Waiting for .*lock|User lock|Locked)/i, 'Lock'],
  [/^wait|^User sleep/i, 'Server'],
];
