/** One question to the server's V$ views. */
export interface Source {
  /** What a GRANT has to name. */
  readonly views: readonly string[];
  readonly sql: string;
}

const texts = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Reference, "Statistics Descriptions": name → counter. Times "in tens of milliseconds": see probe-info.ts. */
export const statistics: Readonly<Record<string, string>> = {
  'redo size': 'redo_size',
  'redo entries': 'redo_entries',
  'redo writes': 'redo_writes',
  'redo write time': 'redo_write_time',
  'redo synch writes': 'redo_synch_writes',
  'redo synch time (usec)': 'redo_synch_time',
  'user commits': 'user_commits',
  'user rollbacks': 'user_rollbacks',
  'parse count (total)': 'parse_count_total',
  'parse count (hard)': 'parse_count_hard',
  'execute count': 'execute_count',
  'SQL*Net roundtrips to/from client': 'roundtrips',
  'bytes sent via SQL*Net to client': 'bytes_sent',
  'bytes received via SQL*Net from client': 'bytes_received',
  'CPU used by this session': 'cpu_time',
  'DB time': 'db_time',
  'session logical reads': 'logical_reads',
  'db block changes': 'block_changes',
  'enqueue waits': 'enqueue_waits',
  'enqueue deadlocks': 'enqueue_deadlocks',
  'leaf node splits': 'leaf_node_splits',
  'leaf node 90-10 splits': 'leaf_node_appends',
  'branch node splits': 'branch_node_splits',
  'sorts (memory)': 'sorts_memory',
  'sorts (disk)': 'sorts_disk',
  'workarea executions - onepass': 'onepass_workareas',
  'workarea executions - multipass': 'multipass_workareas',
  'physical reads': 'physical_reads',
  'physical read total bytes': 'physical_read_bytes',
  'physical write total bytes': 'physical_write_bytes',
  'physical write total IO requests': 'physical_writes',
  'DBWR checkpoint buffers written': 'checkpoint_buffers',
  'background checkpoints completed': 'checkpoints',
};

/** Statistics that V$SESSTAT has for each session; the probe sums them over the run's sessions as `run_…`. */
export const sessionStatistics: readonly string[] = [
  'redo size',
  'redo synch writes',
  'redo synch time (usec)',
  'user commits',
  'parse count (total)',
  'parse count (hard)',
  'execute count',
  'SQL*Net roundtrips to/from client',
  'CPU used by this session',
  'DB time',
  'leaf node splits',
];

/** Waits that decide experiments (Reference, "Oracle Wait Events"): `…_waits`, `…_time`. Classes: probe-info.ts. */
export const events: Readonly<Record<string, string>> = {
  'log file sync': 'log_file_sync',
  'log file parallel write': 'log_file_parallel_write',
  'log buffer space': 'log_buffer_space',
  'log file switch completion': 'log_file_switch',
  'log file switch (checkpoint incomplete)': 'log_file_switch_checkpoint',
  'db file sequential read': 'db_file_sequential_read',
  'db file scattered read': 'db_file_scattered_read',
  'direct path read': 'direct_path_read',
  'direct path write': 'direct_path_write',
  'buffer busy waits': 'buffer_busy',
  'latch: cache buffers chains': 'cache_buffers_chains',
  'library cache: mutex X': 'library_cache_mutex',
  'cursor: pin S wait on X': 'cursor_pin',
  'free buffer waits': 'free_buffer',
  'enq: TX - index contention': 'tx_index_contention',
  'enq: TX - row lock contention': 'tx_row_lock',
  'enq: TM - contention': 'tm_lock',
  'SQL*Net more data from client': 'more_data_from_client',
  'SQL*Net more data to client': 'more_data_to_client',
};

/** Bounds, in µs, of the buckets of the two events below: shorter waits, down to the bound before; then the rest. */
export const histogramBoundsUs = [256, 1_024, 4_096, 16_384, 65_536] as const;
export const histogramEvents: readonly string[] = ['log file sync', 'log file parallel write'];

/** One column per bucket: bounds are powers of two, and `wait_time_micro` is a bucket's upper bound. */
const buckets = [...histogramBoundsUs, null].map((bound, i) => {
  const above = i === 0 ? '' : `wait_time_micro > ${histogramBoundsUs[i - 1]}`;
  const below = bound === null ? '' : `wait_time_micro <= ${bound}`;
  return `SUM(CASE WHEN ${[above, below].filter(Boolean).join(' AND ')} THEN wait_count ELSE 0 END)`;
});

export const statisticsSource: Source = {
  views: ['v$sysstat'],
  sql: `SELECT name, value FROM v$sysstat WHERE name IN (${texts(Object.keys(statistics))})`,
};

export const eventsSource: Source = {
  views: ['v$system_event'],
  sql: `SELECT event, total_waits, time_waited_micro FROM v$system_event WHERE event IN (${texts(Object.keys(events))})`,
};

export const histogramSource: Source = {
  views: ['v$event_histogram_micro'],
  sql: `SELECT event, ${buckets.join(', ')} FROM v$event_histogram_micro WHERE event IN (${texts(histogramEvents)}) GROUP BY event`,
};

/** Sessions carry the run's tag as their CLIENT_IDENTIFIER. */
export const sessionsSource: Source = {
  views: ['v$sesstat', 'v$statname', 'v$session'],
  sql: `SELECT x.sid, x.serial#, n.name, s.value FROM v$session x JOIN v$sesstat s ON s.sid = x.sid JOIN v$statname n ON n.statistic# = s.statistic# WHERE x.client_identifier = :1 AND n.name IN (${texts(sessionStatistics)})`,
};

export const waitsView = 'v$session';
/** What the run's sessions do, but for the one that asks. */
export const waitsSource: Source = {
  views: [waitsView],
  sql: `SELECT status, state, wait_class, event, COUNT(*) FROM v$session WHERE client_identifier = :1 AND sid <> TO_NUMBER(SYS_CONTEXT('USERENV', 'SID')) GROUP BY status, state, wait_class, event`,
};

/**
 * Sessions that wait for another one, each with what is told of the other and the age of its transaction: [waiter,
 * holder, own waiter, own holder, program, user, host, held seconds]. Reference, "V$SESSION", BLOCKING_SESSION.
 */
export const foreignLocksSource: Source = {
  views: ['v$session', 'v$transaction'],
  sql: `SELECT w.sid, h.sid, CASE WHEN w.client_identifier = :1 THEN 1 ELSE 0 END, CASE WHEN h.client_identifier = :2 THEN 1 ELSE 0 END, h.program, h.username, h.machine, (SELECT MAX((SYSDATE - t.start_date) * 86400) FROM v$transaction t WHERE t.addr = h.taddr) FROM v$session w JOIN v$session h ON h.sid = w.blocking_session WHERE w.blocking_session_status = 'VALID'`,
};

export const sources: readonly Source[] = [
  statisticsSource,
  eventsSource,
  histogramSource,
  sessionsSource,
  foreignLocksSource,
];
