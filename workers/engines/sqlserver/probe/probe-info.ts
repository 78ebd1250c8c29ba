import type { ProbeInfo } from '#engine-api/probe.ts';
import { bytes, count, ms, waits } from '#engine-api/probe-info.ts';
import type { ResourceClass } from '#model/resource.ts';
import { waitClass, waitTypes } from './probe-sources.ts';

/**
 * The resource class of each class of waits (manual, "sys.dm_os_wait_stats"). Replica: commits that wait for a
 * secondary's log. CPU: runnable, or giving way to others. Network: the client has not read the answer yet.
 */
const resourceOf: Readonly<Record<string, ResourceClass>> = {
  Lock: 'lock',
  IO: 'dataIo',
  Latch: 'latch',
  Log: 'log',
  Replica: 'log',
  Network: 'network',
  CPU: 'cpu',
  Client: 'client',
};
const classOf = (waitType: string): ResourceClass => resourceOf[waitClass(waitType)] ?? 'other';

const waitTimes = Object.entries(waitTypes).flatMap(([type, name]) => [
  [`${name}_ms`, ms(`Waited for ${type}`, classOf(type))] as const,
  [`${name}_count`, count(`Waits for ${type}`)] as const,
]);

/** Stalls of files and log flushes are part of the waits of sessions, or of background tasks, so they have no class. */
export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  log_bytes_flushed: bytes('Log flushed', 'logBytes'),
  log_flushes: count('Log flushes', 'logFlushes'),
  log_flush_waits: count('Commits that waited for a log flush'),
  log_flush_wait_time: ms('Waited for log flushes'),
  log_growths: count('Times the log file grew'),
  transactions: count('Transactions begun'),
  // "that wrote to the database and committed": manual, "SQL Server, Databases object".
  write_transactions: count('Writing transactions committed', 'commits'),
  batch_requests: count('Batches received', 'roundTrips'),
  compilations: count('Plans compiled', 'hardParses'),
  recompilations: count('Plans compiled again'),
  page_splits: count('Page splits', 'pageSplits'),
  page_lookups: count('Pages looked up in the buffer pool', 'pagesExamined'),
  page_reads: count('Pages read from outside the buffer pool', 'pagesRead'),
  checkpoint_pages: count('Pages written by checkpoints'),
  lock_waits: count('Lock waits'),
  deadlocks: count('Deadlocks', 'deadlocks'),
  ...Object.fromEntries(waitTimes),
  cpu_ms: ms('Processor time of the schedulers', 'cpu'),
  data_read_bytes: bytes('Read from data files', 'bytesRead'),
  data_written_bytes: bytes('Written to data files', 'bytesWritten'),
  data_read_stall_ms: ms('Waited for reads of data files'),
  data_write_stall_ms: ms('Waited for writes to data files'),
  log_writes: count('Writes to the log file'),
  log_written_bytes: bytes('Written to the log file'),
  log_write_stall_ms: ms('Waited for writes to the log file'),
  table_leaf_inserts: count('Rows inserted into leaf pages of the table'),
  table_leaf_allocations: count('Leaf pages of the table allocated, most by page splits'),
  table_nonleaf_allocations: count('Pages of upper index levels allocated'),
  table_row_lock_waits: count('Waits for row locks of the table'),
  table_row_lock_wait_ms: ms('Waited for row locks of the table'),
  table_page_latch_waits: count('Waits for page latches of the table'),
  table_page_latch_wait_ms: ms('Waited for page latches of the table'),
  sessions: count('Sessions of this run'),
  active: count('Sessions in a statement'),
  running: waits('Sessions running, waiting for nothing', 'cpu'),
  ...Object.fromEntries(
    Object.entries(resourceOf).map(([name, of]) => [`wait:${name}:*`, waits(`Waits of the class ${name}`, of)]),
  ),
  'wait:Memory:*': waits('Waiting for memory', 'other'),
  'wait:Memory:CMEMTHREAD': waits('Waiting for a memory object in use', 'latch'),
  'wait:*': waits('Other waits', 'other'),
};
