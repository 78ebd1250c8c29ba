import type { ProbeInfo } from '#engine-api/probe.ts';
import { bytes, count, ms, us, waits } from '#engine-api/probe-info.ts';

/** Names in SHOW GLOBAL STATUS, in lower case (manuals, "Server Status Variables"). No version has all of them. */
export const statusCounters: Readonly<Record<string, ProbeInfo>> = {
  questions: count('Statements from clients', 'executions'),
  com_insert: count('INSERT statements'),
  com_select: count('SELECT statements'),
  com_update: count('UPDATE statements'),
  com_delete: count('DELETE statements'),
  com_load: count('LOAD DATA statements'),
  com_commit: count('COMMIT statements'),
  com_stmt_prepare: count('Statements prepared'),
  com_stmt_execute: count('Prepared statements executed'),
  com_stmt_close: count('Prepared statements closed'),
  handler_commit: count('Commits within the storage engines', 'commits'),
  handler_rollback: count('Rollbacks within the storage engines', 'rollbacks'),
  handler_write: count('Rows inserted'),
  handler_update: count('Rows updated'),
  handler_delete: count('Rows deleted'),
  // Manuals, "Server Status Variables": each row read is a request to a handler of exactly one of these kinds.
  handler_read_key: count('Rows looked up by index', 'rowsExamined'),
  handler_read_first: count('First entries of indexes read', 'rowsExamined'),
  handler_read_last: count('Last entries of indexes read', 'rowsExamined'),
  handler_read_next: count('Rows read along an index', 'rowsExamined'),
  handler_read_prev: count('Rows read along an index backwards', 'rowsExamined'),
  handler_read_rnd: count('Rows read by their position, after a sort', 'rowsExamined'),
  handler_read_rnd_next: count('Rows read by scans', 'rowsExamined'),
  bytes_received: bytes('Received from clients', 'bytesReceived'),
  bytes_sent: bytes('Sent to clients', 'bytesSent'),
  created_tmp_tables: count('Temporary tables'),
  created_tmp_disk_tables: count('Temporary tables on disk'),
  sort_merge_passes: count('Merge passes of sorts, through temporary files'),
  sort_rows: count('Rows sorted'),
  table_locks_waited: count('Waits for table locks'),
  innodb_lsn_current: bytes('Log generated (log sequence number)', 'logBytes'),
  // MySQL has this name for the same number from 8.0.30 on.
  innodb_redo_log_current_lsn: bytes('Log generated (log sequence number)', 'logBytes'),
  innodb_os_log_written: bytes('Log written'),
  innodb_os_log_fsyncs: count('Log syncs', 'logFlushes'),
  innodb_log_writes: count('Log writes'),
  innodb_log_write_requests: count('Log records written to the log buffer'),
  innodb_log_waits: count('Waits for a full log buffer'),
  innodb_data_fsyncs: count('File syncs (data; the log’s, too, where the server has no count of them)'),
  innodb_data_reads: count('File reads'),
  innodb_data_writes: count('File writes'),
  innodb_data_read: bytes('Read from files', 'bytesRead'),
  innodb_data_written: bytes('Written to files'),
  innodb_dblwr_writes: count('Doublewrite operations'),
  innodb_dblwr_pages_written: count('Pages written to the doublewrite buffer'),
  innodb_pages_created: count('Pages created'),
  innodb_pages_read: count('Pages read', 'pagesRead'),
  innodb_pages_written: count('Pages written'),
  innodb_buffer_pool_read_requests: count('Pages found in the buffer pool or read'),
  innodb_buffer_pool_reads: count('Pages read from outside the buffer pool'),
  innodb_buffer_pool_wait_free: count('Waits for a free page in the buffer pool'),
  innodb_buffer_pool_pages_flushed: count('Pages flushed from the buffer pool'),
  innodb_row_lock_waits: count('Waits for row locks'),
  innodb_row_lock_time: ms('Time waiting for row locks', 'lock'),
  innodb_deadlocks: count('Deadlocks', 'deadlocks'),
  binlog_cache_use: count('Transactions through the binary log’s cache'),
  binlog_cache_disk_use: count('Transactions larger than the binary log’s cache'),
  binlog_commits: count('Commits to the binary log'),
  binlog_group_commits: count('Group commits to the binary log'),
  binlog_bytes_written: bytes('Written to the binary log'),
};

export const statusGauges: Readonly<Record<string, ProbeInfo>> = {
  threads_running: count('Threads running, of all sessions'),
  threads_connected: count('Connections of all users'),
  innodb_buffer_pool_pages_dirty: count('Changed pages in the buffer pool'),
  innodb_buffer_pool_pages_free: count('Free pages in the buffer pool'),
  innodb_checkpoint_age: bytes('Log since the last checkpoint'),
  innodb_history_list_length: count('Transactions waiting for purge'),
  innodb_row_lock_current_waits: count('Row locks waited for, by all sessions'),
};

/** Events of performance_schema: time in files by kind. It may be off; MariaDB 10.8 and later has none for the log. */
export const files = [
  ['log_file', 'wait/io/file/innodb/innodb_log_file', 'the log', 'log'],
  ['data_file', 'wait/io/file/innodb/innodb_data_file', 'data files', 'dataIo'],
  ['binlog_file', 'wait/io/file/sql/binlog', 'the binary log', 'log'],
] as const;
export const times = [
  ['read_time', 'sum_timer_read', 'Time reading'],
  ['write_time', 'sum_timer_write', 'Time writing'],
  ['sync_time', 'sum_timer_misc', 'Time syncing'],
] as const;
const fileTimes = files.flatMap(([file, , words, ofClass]) =>
  times.map(([time, , what]) => [`${file}_${time}`, us(`${what} ${words} (performance_schema)`, ofClass)] as const),
);

/**
 * Counters derived from others: `of` − `less` + `plus`. The server parses every statement that comes as text, and those
 * that it prepares; it has no plan cache (manuals: COM_STMT_PREPARE is not among Questions, COM_STMT_EXECUTE is).
 */
export const derived = {
  statements_parsed: {
    ...count('Statements parsed: sent as text, or prepared', 'hardParses'),
    of: 'questions',
    less: 'com_stmt_execute',
    plus: 'com_stmt_prepare',
  },
  innodb_buffer_pool_hits: {
    ...count('Pages found in the buffer pool', 'pagesHit'),
    of: 'innodb_buffer_pool_read_requests',
    less: 'innodb_buffer_pool_reads',
    plus: null,
  },
} as const;

/** Manuals, "General Thread States"; the classes of the names are made in probe.ts. */
const waitInfo: Readonly<Record<string, ProbeInfo>> = {
  'wait:Commit:*': waits('Committing: waiting for the log', 'log'),
  'wait:Lock:*': waits('Waiting for locks of tables or metadata', 'lock'),
  'wait:InnoDB:row lock': waits('Waiting for row locks', 'lock'),
  'wait:Net:*': waits('Reading from or sending to the client', 'network'),
  'wait:Client:*': waits('Waiting for the client’s next statement', 'client'),
  'wait:Server:*': waits('Waiting for something else in the server', 'other'),
};

export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...statusCounters,
  ...statusGauges,
  ...Object.fromEntries(
    Object.entries(derived).map(([name, { unit, label, role }]) => [name, { unit, label, ...(role && { role }) }]),
  ),
  ...Object.fromEntries(fileTimes),
  log_checkpoints: count('Checkpoints', 'checkpoints'),
  sessions: count('Sessions of this run'),
  active: count('Sessions in a statement'),
  running: waits('Sessions running, waiting for nothing that the server shows', 'cpu'),
  ...waitInfo,
};
