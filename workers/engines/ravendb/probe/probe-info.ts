import type { ProbeInfo } from '#engine-api/probe.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { ProbeRole } from '#model/resource.ts';

/**
 * A number of one of the server's answers: where it is there, and what it is. What a version does not have is left out.
 */
interface Source {
  readonly name: string;
  readonly path: readonly string[];
  readonly unit: ProbeInfo['unit'];
  readonly label: string;
}

const source =
  (unit: ProbeInfo['unit']) =>
  (name: string, label: string, ...path: readonly string[]) => ({
    name,
    label,
    unit,
    path,
  });
const count = source('count');
const bytes = source('bytes');

/** Counters in /databases/{database}/metrics: totals since the database was opened. */
export const metricCounters: readonly Source[] = [
  count('requests', 'Requests to the database', 'Requests', 'RequestsPerSec', 'Count'),
  count('documents_stored', 'Documents stored', 'Docs', 'PutsPerSec', 'Count'),
  bytes('document_bytes', 'Documents stored', 'Docs', 'BytesPutsPerSec', 'Count'),
  count('documents_indexed', 'Documents indexed', 'MapIndexes', 'IndexedPerSec', 'Count'),
];
export const metricGauges: readonly Source[] = [
  count('active', 'Requests to the database at work, of all clients', 'Requests', 'ConcurrentRequestsCount'),
];

/** Counters in /databases/{database}/stats. */
export const statsCounters: readonly Source[] = [count('writes', 'Writes of any kind (etag)', 'LastDocEtag')];
export const statsGauges: readonly Source[] = [
  count('documents', 'Documents of the database', 'CountOfDocuments'),
  count('tombstones', 'Deleted documents not yet forgotten', 'CountOfTombstones'),
  count('transactions_queued', 'Writes waiting to be merged', 'NumberOfTransactionMergerQueueOperations'),
  bytes('disk_bytes', 'Files of the database', 'SizeOnDisk', 'SizeInBytes'),
  bytes('temporary_bytes', 'Buffers of the database', 'TempBuffersSizeOnDisk', 'SizeInBytes'),
];

const roles: Readonly<Record<string, ProbeRole>> = { requests: 'roundTrips' };
const info = ({ name, unit, label }: Source): readonly [string, ProbeInfo] => {
  const role = roles[name];
  return [name, { unit, label, ...(role && { role }) }];
};

/** Compressing the journal is CPU work, within its time. Flushes and syncs run in other threads than requests. */
export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...Object.fromEntries([...metricCounters, ...metricGauges, ...statsCounters, ...statsGauges].map(info)),
  cpu_time: { unit: 'ms', label: 'Processor time of the server', class: 'cpu' },
  stale_indexes: { unit: 'count', label: 'Indexes that lag behind' },
  index_lag: { unit: 'count', label: 'Changes that indexes do not know yet' },
  journal_write: { unit: 'bytes', label: 'Journal write', class: 'log', role: 'logBytes' },
  journal_compression: { unit: 'bytes', label: 'Journal compression' },
  data_flush: { unit: 'bytes', label: 'Data flush', class: 'dataIo' },
  data_sync: { unit: 'bytes', label: 'Data sync', class: 'dataIo' },
  index_journal_write: { unit: 'bytes', label: 'Journal write of an index', class: 'log', role: 'logBytes' },
  index_journal_compression: { unit: 'bytes', label: 'Journal compression of an index' },
  index_data_flush: { unit: 'bytes', label: 'Data flush of an index', class: 'dataIo' },
  index_data_sync: { unit: 'bytes', label: 'Data sync of an index', class: 'dataIo' },
};

/** The numbers that an answer has, by the sources' names. */
export function readNumbers(answer: unknown, sources: readonly Source[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    sources.flatMap(({ name, path }) => {
      const found = path.reduce<unknown>((part, key) => (isMapping(part) ? part[key] : undefined), answer);
      return typeof found === 'number' ? [[name, found]] : [];
    }),
  );
}

/** .NET's TimeSpan, "[d.]hh:mm:ss[.fffffff]", in ms; null for what is none. */
export function timeSpanMs(text: unknown): number | null {
  const parts = /^(?:(\d+)\.)?(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(String(text));
  if (!parts) return null;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = parts;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Math.round(Number(seconds) * 1_000);
}
