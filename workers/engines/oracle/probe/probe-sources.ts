import type { ProbeInfo } from '#engine-api/probe.ts';
import type { ProbeRole, ResourceClass } from '#model/resource.ts';

/** A query of the server's V$ views. */
export interface Source {
  /** The views that a GRANT has to name. */
  readonly views: readonly string[];
  readonly sql: string;
}

const texts = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

interface Statistic {
  readonly counter: string;
  /** Default: count. */
  readonly unit?: ProbeInfo['unit'];
  /** The server counts in hundredths of a second; the counter is in ms. */
  readonly isHundredths?: true;
  /** Counters of the whole instance include the run's sessions. LGWR syncs the log with each of its writes. */
  readonly role?: ProbeRole;
  /** DB time contains waits, and redo times are within the waits for the log, so they have no class. */
  readonly class?: ResourceClass;
  /** V$SESSTAT has the statistic for each session, too; the probe sums it over the run's sessions as `run_…`. */
  readonly isOfSessions?: true;
}

/** Reference, "Statistics Descriptions". */
export const statistics: Readonly<Record<string, Statistic>> = {
  'redo size': { counter: 'redo_size', unit: 'bytes', role: 'logBytes', isOfSessions: true },
  'redo entries': { counter: 'redo_entries' },
  'redo writes': { counter: 'redo_writes', role: 'logFlushes' },
  'redo write time': { counter: 'redo_write_time', isHundredths: true },
  'redo synch writes': { counter: 'redo_synch_writes', isOfSessions: true },
  'redo synch time (usec)': { counter: 'redo_synch_time', unit: 'us', isOfSessions: true },
  'user commits': { counter: 'user_commits', role: 'commits', isOfSessions: true },
  'user rollbacks': { counter: 'user_rollbacks', role: 'rollbacks' },
  'parse count (total)': { counter: 'parse_count_total', role: 'parses', isOfSessions: true },
  'parse count (hard)': { counter: 'parse_count_hard', role: 'hardParses', isOfSessions: true },
  'execute count': { counter: 'execute_count', role: 'executions', isOfSessions: true },
  'SQL*Net roundtrips to/from client': { counter: 'roundtrips', role: 'roundTrips', isOfSessions: true },
  'bytes sent via SQL*Net to client': { counter: 'bytes_sent', unit: 'bytes', role: 'bytesSent' },
  'bytes received via SQL*Net from client': { counter: 'bytes_received', unit: 'bytes', role: 'bytesReceived' },
  'CPU used by this session': { counter: 'cpu_time', isHundredths: true, class: 'cpu', isOfSessions: true },
  'DB time': { counter: 'db_time', isHundredths: true, isOfSessions: true },
  'session logical reads': { counter: 'logical_reads', role: 'pagesExamined' },
  'db block changes': { counter: 'block_changes' },
  'enqueue waits': { counter: 'enqueue_waits' },
  'enqueue deadlocks': { counter: 'enqueue_deadlocks', role: 'deadlocks' },
  'leaf node splits': { counter: 'leaf_node_splits', role: 'pageSplits', isOfSessions: true },
  'leaf node 90-10 splits': { counter: 'leaf_node_appends' },
  'branch node splits': { counter: 'branch_node_splits' },
  'sorts (memory)': { counter: 'sorts_memory' },
  'sorts (disk)': { counter: 'sorts_disk' },
  'workarea executions - onepass': { counter: 'onepass_workareas' },
  'workarea executions - multipass': { counter: 'multipass_workareas' },
  'physical reads': { counter: 'physical_reads', role: 'pagesRead' },
  'physical read total bytes': { counter: 'physical_read_bytes', unit: 'bytes' },
  'physical write total bytes': { counter: 'physical_write_bytes', unit: 'bytes' },
  'physical write total IO requests': { counter: 'physical_writes' },
  'DBWR checkpoint buffers written': { counter: 'checkpoint_buffers' },
  'background checkpoints completed': { counter: 'checkpoints', role: 'checkpoints' },
};

export const sessionStatistics: readonly string[] = Object.keys(statistics).filter(
  (name) => statistics[name]!.isOfSessions,
);

/**
 * Waits that decide experiments (Reference, "Oracle Wait Events"): `…_waits`, `…_time`. LGWR's own "log file parallel
 * write" is within the sessions' "log file sync". Index contention is a wait for a block that is being split (Oracle's
 * class Concurrency), though it is an enqueue.
 */
export const events: Readonly<Record<string, { readonly counter: string; readonly class?: ResourceClass }>> = {
  'log file sync': { counter: 'log_file_sync', class: 'log' },
  'log file parallel write': { counter: 'log_file_parallel_write' },
  'log buffer space': { counter: 'log_buffer_space', class: 'log' },
  'log file switch completion': { counter: 'log_file_switch', class: 'log' },
  'log file switch (checkpoint incomplete)': { counter: 'log_file_switch_checkpoint', class: 'log' },
  'db file sequential read': { counter: 'db_file_sequential_read', class: 'dataIo' },
  'db file scattered read': { counter: 'db_file_scattered_read', class: 'dataIo' },
  'direct path read': { counter: 'direct_path_read', class: 'dataIo' },
  'direct path write': { counter: 'direct_path_write', class: 'dataIo' },
  'direct path read temp': { counter: 'direct_path_read_temp', class: 'dataIo' },
  'direct path write temp': { counter: 'direct_path_write_temp', class: 'dataIo' },
  'cell single block physical read': { counter: 'cell_single_block_read', class: 'dataIo' },
  'cell multiblock physical read': { counter: 'cell_multiblock_read', class: 'dataIo' },
  'cell list of blocks physical read': { counter: 'cell_list_of_blocks_read', class: 'dataIo' },
  'cell smart table scan': { counter: 'cell_smart_table_scan', class: 'dataIo' },
  'cell smart index scan': { counter: 'cell_smart_index_scan', class: 'dataIo' },
  'read by other session': { counter: 'read_by_other_session', class: 'dataIo' },
  'write complete waits': { counter: 'write_complete', class: 'dataIo' },
  'latch: redo allocation': { counter: 'redo_allocation_latch', class: 'latch' },
  'latch: redo writing': { counter: 'redo_writing_latch', class: 'latch' },
  'latch: shared pool': { counter: 'shared_pool_latch', class: 'latch' },
  'buffer busy waits': { counter: 'buffer_busy', class: 'latch' },
  'latch: cache buffers chains': { counter: 'cache_buffers_chains', class: 'latch' },
  'library cache: mutex X': { counter: 'library_cache_mutex', class: 'latch' },
  'cursor: pin S wait on X': { counter: 'cursor_pin', class: 'latch' },
  'free buffer waits': { counter: 'free_buffer', class: 'dataIo' },
  'enq: TX - index contention': { counter: 'tx_index_contention', class: 'latch' },
  'enq: TX - row lock contention': { counter: 'tx_row_lock', class: 'lock' },
  'enq: TM - contention': { counter: 'tm_lock', class: 'lock' },
  'SQL*Net more data from client': { counter: 'more_data_from_client', class: 'network' },
  'SQL*Net more data to client': { counter: 'more_data_to_client', class: 'network' },
};

/** The upper bounds, in µs, of the buckets of the two events below; the last bucket has the rest. */
export const histogramBoundsUs = [256, 1_024, 4_096, 16_384, 65_536] as const;
export const histogramEvents: readonly string[] = ['log file sync', 'log file parallel write'];

/** A column for each bucket. Bounds are powers of two, and `wait_time_micro` is a bucket's upper bound. */
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
/** The activity of the run's sessions, without the session that asks. */
export const waitsSource: Source = {
  views: [waitsView],
  sql: `SELECT status, state, wait_class, event, COUNT(*) FROM v$session WHERE client_identifier = :1 AND sid <> TO_NUMBER(SYS_CONTEXT('USERENV', 'SID')) GROUP BY status, state, wait_class, event`,
};

/**
 * Sessions that wait for another one: [waiter, holder, own waiter, own holder, program, user, host, held seconds].
 * Reference, "V$SESSION", BLOCKING_SESSION.
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
