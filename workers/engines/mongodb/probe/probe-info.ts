import type { ProbeInfo } from '#engine-api/probe.ts';
import { bytes, count, ms, us, waits } from '#engine-api/probe-info.ts';
import { isMapping } from '#model/is-mapping.ts';

/** Large parts of serverStatus that are not shown. */
export const without = {
  tcmalloc: 0,
  repl: 0,
  security: 0,
  sharding: 0,
  indexStats: 0,
  catalogStats: 0,
  changeStreamPreImages: 0,
};

/** A number of serverStatus: its path and its meaning (manual, "serverStatus"). Versions lack some of them. */
interface Source {
  readonly name: string;
  readonly path: readonly string[];
  readonly info: ProbeInfo;
  readonly isGauge?: true;
  /** The value while the server leaves the number out, because no session has waited yet. */
  readonly absent?: 0;
}

const source =
  (more: Pick<Source, 'isGauge' | 'absent'>) =>
  (name: string, path: string, info: ProbeInfo): Source => ({ name, path: path.split('.'), info, ...more });
const counter = source({});
const gauge = source({ isGauge: true });
const wait = source({ absent: 0 });

/**
 * Reads and writes are those of opLatencies; the documents of one insert are several operations in opcounters. The time
 * of read and write commands contains all other times, and checkpoints run beside them, so these have no class. Tickets
 * and flow control limit how many operations work at a time; the server does not report what they wait for in the end.
 */
export const sources: readonly Source[] = [
  counter('op_insert', 'opcounters.insert', count('Documents inserted (operations)')),
  counter('op_query', 'opcounters.query', count('Queries')),
  counter('op_update', 'opcounters.update', count('Updates')),
  counter('op_delete', 'opcounters.delete', count('Deletes')),
  counter('op_getmore', 'opcounters.getmore', count('Further batches of cursors')),
  counter('op_command', 'opcounters.command', count('Other commands')),
  counter('reads', 'opLatencies.reads.ops', count('Read commands', 'executions')),
  counter('read_latency', 'opLatencies.reads.latency', us('Time in read commands')),
  counter('writes', 'opLatencies.writes.ops', count('Write commands', 'executions')),
  counter('write_latency', 'opLatencies.writes.latency', us('Time in write commands')),
  counter('documents_inserted', 'metrics.document.inserted', count('Documents inserted')),
  counter('documents_returned', 'metrics.document.returned', count('Documents returned')),
  counter('documents_updated', 'metrics.document.updated', count('Documents updated')),
  counter('documents_deleted', 'metrics.document.deleted', count('Documents deleted')),
  counter('keys_examined', 'metrics.queryExecutor.scanned', count('Index keys examined')),
  counter('documents_examined', 'metrics.queryExecutor.scannedObjects', count('Documents examined', 'rowsExamined')),
  counter('keys_sorted', 'metrics.query.sort.totalKeysSorted', count('Documents sorted')),
  counter('sort_spills', 'metrics.query.sort.spillToDisk', count('Sorts that wrote temporary files')),
  counter(
    'sort_spilled_bytes',
    'metrics.query.sort.spillToDiskBytes',
    bytes('Written to temporary files by sorts', 'tempBytes'),
  ),
  counter('write_conflicts', 'metrics.operation.writeConflicts', count('Write conflicts')),
  counter('write_concern_waits', 'metrics.getLastError.wtime.num', count('Waits for the write concern')),
  counter('write_concern_time', 'metrics.getLastError.wtime.totalMillis', ms('Time waiting for the write concern')),
  counter('transactions_committed', 'transactions.totalCommitted', count('Transactions committed', 'commits')),
  counter('transactions_aborted', 'transactions.totalAborted', count('Transactions aborted', 'rollbacks')),
  counter('retryable_records', 'transactions.transactionsCollectionWriteCount', count('Records of retryable writes')),
  counter('network_in', 'network.bytesIn', bytes('Received', 'bytesReceived')),
  counter('network_out', 'network.bytesOut', bytes('Sent', 'bytesSent')),
  counter('network_requests', 'network.numRequests', count('Requests', 'roundTrips')),
  counter('flow_control_time', 'flowControl.timeAcquiringMicros', us('Time held back by flow control', 'other')),
  wait('lock_time', 'locks.Collection.timeAcquiringMicros', us('Time waiting for locks on collections', 'lock')),
  wait('global_lock_time', 'locks.Global.timeAcquiringMicros', us('Time waiting for the global lock', 'lock')),
  counter(
    'read_queue_time',
    'queues.execution.read.normalPriority.totalTimeQueuedMicros',
    us('Time queued for a read ticket', 'other'),
  ),
  counter(
    'write_queue_time',
    'queues.execution.write.normalPriority.totalTimeQueuedMicros',
    us('Time queued for a write ticket', 'other'),
  ),
  counter('journal_bytes', 'wiredTiger.log.log bytes written', bytes('Journal written', 'logBytes')),
  counter('journal_writes', 'wiredTiger.log.log write operations', count('Journal writes')),
  counter('journal_syncs', 'wiredTiger.log.log sync operations', count('Journal syncs', 'logFlushes')),
  counter('journal_sync_time', 'wiredTiger.log.log sync time duration (usecs)', us('Time syncing the journal')),
  counter('cache_read_bytes', 'wiredTiger.cache.bytes read into cache', bytes('Read into the cache')),
  counter('cache_write_bytes', 'wiredTiger.cache.bytes written from cache', bytes('Written from the cache')),
  counter(
    'pages_requested',
    'wiredTiger.cache.pages requested from the cache',
    count('Pages requested from the cache'),
  ),
  counter('pages_read', 'wiredTiger.cache.pages read into cache', count('Pages read into the cache', 'pagesRead')),
  counter('pages_evicted_modified', 'wiredTiger.cache.modified pages evicted', count('Modified pages evicted')),
  counter(
    'eviction_time',
    'wiredTiger.cache.application thread time evicting (usecs)',
    us('Time sessions spent evicting', 'dataIo'),
  ),
  counter('disk_read_bytes', 'wiredTiger.block-manager.bytes read', bytes('Read from data files', 'bytesRead')),
  counter('disk_write_bytes', 'wiredTiger.block-manager.bytes written', bytes('Written to data files', 'bytesWritten')),
  counter('fsyncs', 'wiredTiger.connection.total fsync I/Os', count('Syncs of all files')),
  counter(
    'checkpoints',
    'wiredTiger.checkpoint.total succeed number of checkpoints',
    count('Checkpoints', 'checkpoints'),
  ),
  counter('checkpoint_time', 'wiredTiger.checkpoint.total time (msecs)', ms('Time in checkpoints')),
  counter('page_faults', 'extra_info.page_faults', count('Page faults')),
  counter('cpu_user', 'extra_info.user_time_us', us('Processor time of the server', 'cpu')),
  counter('cpu_system', 'extra_info.system_time_us', us('Processor time in the kernel', 'cpu')),
  gauge('cache_bytes', 'wiredTiger.cache.bytes currently in the cache', bytes('In the cache')),
  gauge('cache_dirty_bytes', 'wiredTiger.cache.tracked dirty bytes in the cache', bytes('Modified in the cache')),
  gauge('queued_readers', 'globalLock.currentQueue.readers', count('Readers queued')),
  gauge('queued_writers', 'globalLock.currentQueue.writers', count('Writers queued')),
  gauge('connections', 'connections.current', count('Connections of all users')),
];

/** See waitOf in probe.ts. Write conflicts are MongoDB's row locks: an operation that meets one tries again. */
const ofRun: Readonly<Record<string, ProbeInfo>> = {
  sessions: { unit: 'count', label: 'Connections of this run, those included by which the driver watches the server' },
  active: { unit: 'count', label: 'Sessions in an operation' },
  running: waits('Sessions running, waiting for nothing', 'cpu'),
  'wait:Lock:*': waits('Waiting for locks', 'lock'),
  'wait:WriteConflict:*': waits('Trying again after a write conflict', 'lock'),
  'wait:WriteConcern:*': waits('Waiting for the journal or other members', 'log'),
  'wait:Queue:*': waits('Queued for a ticket', 'other'),
  'wait:FlowControl:*': waits('Held back by flow control', 'other'),
};

const logWait = 'log_wait_time';

/**
 * The ms that sessions wait for the log, as a counter that grows from the first sample on. The wait for a write concern
 * contains the sync of the journal, which another thread does. A write concern of one member with its journal waits for
 * the sync alone, and has no counter of its own. Between two samples the longer of the two times is the wait.
 */
export function createLogWait(): (counters: Readonly<Record<string, number>>) => Readonly<Record<string, number>> {
  let before: { readonly concernMs: number; readonly syncMs: number } | null = null;
  let totalMs = 0;
  return ({ write_concern_time: concernMs, journal_sync_time: syncUs }) => {
    if (concernMs === undefined || syncUs === undefined) return {};
    const now = { concernMs, syncMs: syncUs / 1_000 };
    if (before !== null) totalMs += Math.max(0, now.concernMs - before.concernMs, now.syncMs - before.syncMs);
    before = now;
    return { [logWait]: totalMs };
  };
}

export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...Object.fromEntries(sources.map(({ name, info }) => [name, info])),
  ...ofRun,
  [logWait]: ms('Time waiting for the write concern or the journal', 'log'),
};

/** Counters and gauges in an answer of serverStatus. */
export function readStatus(status: unknown): {
  readonly counters: Readonly<Record<string, number>>;
  readonly gauges: Readonly<Record<string, number>>;
} {
  const found = sources.flatMap(({ name, path, isGauge, absent }) => {
    const value = numberAt(status, path) ?? absent;
    return value === undefined ? [] : [{ name, value, isGauge }];
  });
  const pick = (wanted: true | undefined) =>
    Object.fromEntries(found.filter(({ isGauge }) => isGauge === wanted).map(({ name, value }) => [name, value]));
  return { counters: pick(undefined), gauges: pick(true) };
}

/** Null: the answer lacks it. Waits for locks are reported by mode ({r: …, w: …}) and added up. */
export function numberAt(status: unknown, path: readonly string[]): number | null {
  const found = path.reduce<unknown>((part, name) => (isMapping(part) ? part[name] : undefined), status);
  if (isMapping(found) && !('_bsontype' in found))
    return Object.values(found).reduce<number>((sum, value) => sum + Number(value), 0);
  const number = found === undefined || found === null ? Number.NaN : Number(found);
  return Number.isNaN(number) ? null : number;
}
