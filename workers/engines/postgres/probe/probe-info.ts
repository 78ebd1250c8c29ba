import type { ProbeInfo } from '#engine-api/probe.ts';
import { bytes, count, ms, waits } from '#engine-api/probe-info.ts';

/**
 * Wait events: manual, "Wait Event Types", of 12 to 18, where some have had other names (the lightweight lock
 * WALWriteLock of 12 is WALWrite since 13). Commits wait for the log in IO:WALSync and IO:WALWrite themselves, in
 * LWLock:WALWrite for the session that does it for them, in IPC:SyncRep for a standby. Client:ClientRead is the wait
 * for the next statement, and for the data of a COPY.
 */
const waitInfo: Readonly<Record<string, ProbeInfo>> = {
  'wait:Lock:*': waits('Waiting for locks of others', 'lock'),
  // The extension lock of a relation: only one session at a time adds pages, independent of transactions.
  'wait:Lock:extend': waits('Waiting to extend a file', 'latch'),
  'wait:LWLock:*': waits('Waiting for structures in shared memory', 'latch'),
  'wait:LWLock:WAL*': waits('Waiting for others to write the log', 'log'),
  'wait:LWLock:LockManager': waits('Waiting for the lock table', 'latch'),
  'wait:BufferPin:*': waits('Waiting for a page in use', 'latch'),
  'wait:Buffer:*': waits('Waiting for a page in use', 'latch'),
  'wait:IO:*': waits('Waiting for other files', 'dataIo'),
  'wait:IO:WAL*': waits('Waiting for the log', 'log'),
  'wait:IO:Wal*': waits('Waiting for the log', 'log'),
  'wait:IO:DataFile*': waits('Waiting for data files', 'dataIo'),
  'wait:IO:BufFile*': waits('Waiting for temporary files', 'dataIo'),
  'wait:IPC:*': waits('Waiting for other processes', 'other'),
  'wait:IPC:SyncRep': waits('Waiting for a standby to confirm the log', 'log'),
  'wait:IPC:XactGroupUpdate': waits('Waiting for others to record the commit', 'latch'),
  'wait:IPC:ProcArrayGroupUpdate': waits('Waiting for others to end the transaction', 'latch'),
  'wait:IPC:ProcarrayGroupUpdate': waits('Waiting for others to end the transaction', 'latch'),
  'wait:Client:*': waits('Waiting for the client', 'client'),
  'wait:Client:ClientWrite': waits('Sending to the client', 'network'),
  'wait:Timeout:*': waits('Pausing', 'other'),
  'wait:*': waits('Waiting', 'other'),
};

/**
 * Times have a class only if track_io_timing (before 18 also track_wal_io_timing) is on, because they are 0 otherwise.
 * The time of checkpoints and other background processes is not the sessions' time, and pg_stat_database counts this
 * database alone.
 */
export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  statement_calls: count('Statements executed (pg_stat_statements)', 'executions'),
  statement_plans: count('Plans made (pg_stat_statements)', 'hardParses'),
  xact_commit: count('Transactions committed', 'commits'),
  xact_rollback: count('Transactions rolled back', 'rollbacks'),
  blks_read: count('Pages read from outside the buffer pool', 'pagesRead'),
  blks_hit: count('Pages found in the buffer pool', 'pagesHit'),
  tup_inserted: count('Rows inserted'),
  tup_updated: count('Rows updated'),
  tup_deleted: count('Rows deleted'),
  // Counts rows of sequential scans and entries of indexes; tup_fetched would count the rows of the entries again.
  tup_returned: count('Rows returned by scans', 'rowsExamined'),
  tup_fetched: count('Rows fetched by index'),
  temp_bytes: bytes('Written to temporary files', 'tempBytes'),
  deadlocks: count('Deadlocks', 'deadlocks'),
  blk_read_time: ms('Time reading pages (track_io_timing)', 'dataIo'),
  blk_write_time: ms('Time writing pages (track_io_timing)', 'dataIo'),
  wal_lsn_bytes: bytes('Log written (WAL position)', 'logBytes'),
  wal_bytes: bytes('Log generated'),
  wal_records: count('Log records'),
  wal_fpi: count('Full-page images in the log'),
  wal_buffers_full: count('Log buffer full'),
  wal_write: count('Log writes'),
  wal_sync: count('Log syncs', 'logFlushes'),
  wal_write_time: ms('Time writing the log (track_wal_io_timing)', 'log'),
  wal_sync_time: ms('Time syncing the log (track_wal_io_timing)', 'log'),
  checkpoints_timed: count('Checkpoints by time', 'checkpoints'),
  checkpoints_requested: count('Checkpoints by log volume or request', 'checkpoints'),
  checkpoint_write_time: ms('Time writing in checkpoints'),
  checkpoint_sync_time: ms('Time syncing in checkpoints'),
  buffers_checkpoint: count('Pages written by checkpoints'),
  buffers_clean: count('Pages written by the background writer'),
  buffers_backend: count('Pages written by sessions'),
  buffers_alloc: count('Buffers allocated'),
  io_read_bytes: bytes('Read by all processes', 'bytesRead'),
  io_write_bytes: bytes('Written by all processes', 'bytesWritten'),
  io_extend_bytes: bytes('Files extended'),
  io_fsyncs: count('Data file syncs'),
  io_evictions: count('Pages evicted from the buffer pool'),
  sessions: count('Sessions of this run'),
  active: count('Sessions in a statement'),
  running: waits('Sessions running, waiting for nothing', 'cpu'),
  ...waitInfo,
};
