import type { ProbeInfo } from '#engine-api/probe.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { ProbeRole, ResourceClass } from '#model/resource.ts';

/** A number of serverStatus: its path and its meaning (manual, "serverStatus"). Versions lack some of them. */
interface Source {
  readonly name: string;
  readonly path: readonly string[];
  readonly unit: ProbeInfo['unit'];
  readonly label: string;
  readonly isGauge?: true;
  /** The value while the server leaves the number out, because no session has waited yet. */
  readonly absent?: 0;
}

const source = (unit: ProbeInfo['unit']) => (name: string, label: string, path: string) => ({
  name,
  path: path.split('.'),
  unit,
  label,
});
const count = source('count');
const bytes = source('bytes');
const ms = source('ms');
const us = source('us');
const gauge = (one: Source): Source => ({ ...one, isGauge: true });
const waits = (one: Source): Source => ({ ...one, absent: 0 });

export const sources: readonly Source[] = [
  count('op_insert', 'Documents inserted (operations)', 'opcounters.insert'),
  count('op_query', 'Queries', 'opcounters.query'),
  count('op_update', 'Updates', 'opcounters.update'),
  count('op_delete', 'Deletes', 'opcounters.delete'),
  count('op_getmore', 'Further batches of cursors', 'opcounters.getmore'),
  count('op_command', 'Other commands', 'opcounters.command'),
  count('reads', 'Read commands', 'opLatencies.reads.ops'),
  us('read_latency', 'Time in read commands', 'opLatencies.reads.latency'),
  count('writes', 'Write commands', 'opLatencies.writes.ops'),
  us('write_latency', 'Time in write commands', 'opLatencies.writes.latency'),
  count('documents_inserted', 'Documents inserted', 'metrics.document.inserted'),
  count('documents_returned', 'Documents returned', 'metrics.document.returned'),
  count('documents_updated', 'Documents updated', 'metrics.document.updated'),
  count('documents_deleted', 'Documents deleted', 'metrics.document.deleted'),
  count('keys_examined', 'Index keys examined', 'metrics.queryExecutor.scanned'),
  count('documents_examined', 'Documents examined', 'metrics.queryExecutor.scannedObjects'),
  count('keys_sorted', 'Documents sorted', 'metrics.query.sort.totalKeysSorted'),
  count('sort_spills', 'Sorts that wrote temporary files', 'metrics.query.sort.spillToDisk'),
  bytes('sort_spilled_bytes', 'Written to temporary files by sorts', 'metrics.query.sort.spillToDiskBytes'),
  count('write_conflicts', 'Write conflicts', 'metrics.operation.writeConflicts'),
  count('write_concern_waits', 'Waits for the write concern', 'metrics.getLastError.wtime.num'),
  ms('write_concern_time', 'Time waiting for the write concern', 'metrics.getLastError.wtime.totalMillis'),
  count('transactions_committed', 'Transactions committed', 'transactions.totalCommitted'),
  count('transactions_aborted', 'Transactions aborted', 'transactions.totalAborted'),
  count('retryable_records', 'Records of retryable writes', 'transactions.transactionsCollectionWriteCount'),
  bytes('network_in', 'Received', 'network.bytesIn'),
  bytes('network_out', 'Sent', 'network.bytesOut'),
  count('network_requests', 'Requests', 'network.numRequests'),
  us('flow_control_time', 'Time held back by flow control', 'flowControl.timeAcquiringMicros'),
  waits(us('lock_time', 'Time waiting for locks on collections', 'locks.Collection.timeAcquiringMicros')),
  waits(us('global_lock_time', 'Time waiting for the global lock', 'locks.Global.timeAcquiringMicros')),
  us('read_queue_time', 'Time queued for a read ticket', 'queues.execution.read.normalPriority.totalTimeQueuedMicros'),
  us(
    'write_queue_time',
    'Time queued for a write ticket',
    'queues.execution.write.normalPriority.totalTimeQueuedMicros',
  ),
  bytes('journal_bytes', 'Journal written', 'wiredTiger.log.log bytes written'),
  count('journal_writes', 'Journal writes', 'wiredTiger.log.log write operations'),
  count('journal_syncs', 'Journal syncs', 'wiredTiger.log.log sync operations'),
  us('journal_sync_time', 'Time syncing the journal', 'wiredTiger.log.log sync time duration (usecs)'),
  bytes('cache_read_bytes', 'Read into the cache', 'wiredTiger.cache.bytes read into cache'),
  bytes('cache_write_bytes', 'Written from the cache', 'wiredTiger.cache.bytes written from cache'),
  count('pages_requested', 'Pages requested from the cache', 'wiredTiger.cache.pages requested from the cache'),
  count('pages_read', 'Pages read into the cache', 'wiredTiger.cache.pages read into cache'),
  count('pages_evicted_modified', 'Modified pages evicted', 'wiredTiger.cache.modified pages evicted'),
  us('eviction_time', 'Time sessions spent evicting', 'wiredTiger.cache.application thread time evicting (usecs)'),
  bytes('disk_read_bytes', 'Read from data files', 'wiredTiger.block-manager.bytes read'),
  bytes('disk_write_bytes', 'Written to data files', 'wiredTiger.block-manager.bytes written'),
  count('fsyncs', 'Syncs of all files', 'wiredTiger.connection.total fsync I/Os'),
  count('checkpoints', 'Checkpoints', 'wiredTiger.checkpoint.total succeed number of checkpoints'),
  ms('checkpoint_time', 'Time in checkpoints', 'wiredTiger.checkpoint.total time (msecs)'),
  count('page_faults', 'Page faults', 'extra_info.page_faults'),
  us('cpu_user', 'Processor time of the server', 'extra_info.user_time_us'),
  us('cpu_system', 'Processor time in the kernel', 'extra_info.system_time_us'),
  gauge(bytes('cache_bytes', 'In the cache', 'wiredTiger.cache.bytes currently in the cache')),
  gauge(bytes('cache_dirty_bytes', 'Modified in the cache', 'wiredTiger.cache.tracked dirty bytes in the cache')),
  gauge(count('queued_readers', 'Readers queued', 'globalLock.currentQueue.readers')),
  gauge(count('queued_writers', 'Writers queued', 'globalLock.currentQueue.writers')),
  gauge(count('connections', 'Connections of all users', 'connections.current')),
];

/** Reads and writes are what opLatencies counts; documents of one insert are several operations in opcounters. */
const roles: Readonly<Record<string, ProbeRole>> = {
  reads: 'executions',
  writes: 'executions',
  transactions_committed: 'commits',
  transactions_aborted: 'rollbacks',
  network_in: 'bytesReceived',
  network_out: 'bytesSent',
  network_requests: 'roundTrips',
  sort_spilled_bytes: 'tempBytes',
  journal_bytes: 'logBytes',
  journal_syncs: 'logFlushes',
  pages_read: 'pagesRead',
  disk_read_bytes: 'bytesRead',
  disk_write_bytes: 'bytesWritten',
  checkpoints: 'checkpoints',
  documents_examined: 'rowsExamined',
};

/**
 * Manual, "serverStatus". Time in read and write commands holds all the others, and checkpoints are made beside them:
 * those have no class. Tickets and flow control bound how many may work at a time; what they wait for in the end is not
 * told.
 */
const classes: Readonly<Record<string, ResourceClass>> = {
  cpu_user: 'cpu',
  cpu_system: 'cpu',
  journal_sync_time: 'log',
  write_concern_time: 'log',
  lock_time: 'lock',
  global_lock_time: 'lock',
  eviction_time: 'dataIo',
  read_queue_time: 'other',
  write_queue_time: 'other',
  flow_control_time: 'other',
};

const waiting = (label: string, ofClass: ResourceClass): ProbeInfo => ({ unit: 'count', label, class: ofClass });

/** See waitOf in probe.ts. Write conflicts are MongoDB's row locks: who meets one tries again. */
const ofRun: Readonly<Record<string, ProbeInfo>> = {
  sessions: { unit: 'count', label: 'Connections of this run, those included by which the driver watches the server' },
  active: { unit: 'count', label: 'Sessions in an operation' },
  running: waiting('Sessions running, waiting for nothing', 'cpu'),
  'wait:Lock:*': waiting('Waiting for locks', 'lock'),
  'wait:WriteConflict:*': waiting('Trying again after a write conflict', 'lock'),
  'wait:WriteConcern:*': waiting('Waiting for the journal or other members', 'log'),
  'wait:Queue:*': waiting('Queued for a ticket', 'other'),
  'wait:FlowControl:*': waiting('Held back by flow control', 'other'),
};

const infoOf = ({ name, unit, label }: Source): ProbeInfo => {
  const [role, ofClass] = [roles[name], classes[name]];
  return { unit, label, ...(role && { role }), ...(ofClass && { class: ofClass }) };
};

export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...Object.fromEntries(sources.map((one) => [one.name, infoOf(one)])),
  ...ofRun,
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

/** Null where it is not there. Waits for locks are told by mode, {r: …, w: …}: all of them. */
function numberAt(status: unknown, path: readonly string[]): number | null {
  const found = path.reduce<unknown>((part, name) => (isMapping(part) ? part[name] : undefined), status);
  if (isMapping(found) && !('_bsontype' in found))
    return Object.values(found).reduce<number>((sum, value) => sum + Number(value), 0);
  const number = found === undefined || found === null ? Number.NaN : Number(found);
  return Number.isNaN(number) ? null : number;
}
