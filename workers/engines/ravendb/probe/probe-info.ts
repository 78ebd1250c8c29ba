import type { ProbeInfo } from '#engine-api/probe.ts';
import { bytes, count } from '#engine-api/probe-info.ts';
import { isMapping } from '#model/is-mapping.ts';

/** A number in one of the server's answers: its place and its meaning. Numbers that a version lacks are left out. */
interface Source {
  readonly name: string;
  readonly info: ProbeInfo;
  readonly path: readonly string[];
}

const source = (name: string, info: ProbeInfo, ...path: readonly string[]): Source => ({ name, info, path });

/** Counters in /databases/{database}/metrics: totals since the database was opened. */
export const metricCounters: readonly Source[] = [
  source('requests', count('Requests to the database', 'roundTrips'), 'Requests', 'RequestsPerSec', 'Count'),
  source('documents_stored', count('Documents stored'), 'Docs', 'PutsPerSec', 'Count'),
  source('document_bytes', bytes('Documents stored'), 'Docs', 'BytesPutsPerSec', 'Count'),
  source('documents_indexed', count('Documents indexed'), 'MapIndexes', 'IndexedPerSec', 'Count'),
];
export const metricGauges: readonly Source[] = [
  source('active', count('Requests to the database at work, of all clients'), 'Requests', 'ConcurrentRequestsCount'),
];

/** Counters in /databases/{database}/stats. */
export const statsCounters: readonly Source[] = [source('writes', count('Writes of any kind (etag)'), 'LastDocEtag')];
export const statsGauges: readonly Source[] = [
  source('documents', count('Documents of the database'), 'CountOfDocuments'),
  source('tombstones', count('Deleted documents not yet forgotten'), 'CountOfTombstones'),
  source('transactions_queued', count('Writes waiting to be merged'), 'NumberOfTransactionMergerQueueOperations'),
  source('disk_bytes', bytes('Files of the database'), 'SizeOnDisk', 'SizeInBytes'),
  source('temporary_bytes', bytes('Buffers of the database'), 'TempBuffersSizeOnDisk', 'SizeInBytes'),
];

/** Compressing the journal is processor work, within its time. Flushes and syncs run in other threads than requests. */
export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...Object.fromEntries(
    [...metricCounters, ...metricGauges, ...statsCounters, ...statsGauges].map(({ name, info }) => [name, info]),
  ),
  cpu_time: { unit: 'ms', label: 'Processor time of the server', class: 'cpu' },
  gc_collections: count('Garbage collections of the server'),
  gc_pauses: { unit: 'ms', label: 'Garbage collection pauses, at least', role: 'collectionPauses' },
  gc_longest_pause: { unit: 'ms', label: 'Longest garbage collection pause known since the sample before' },
  gc_heap_bytes: bytes('Managed heap after the last garbage collection'),
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

/** The numbers of an answer, by the sources' names. */
export function readNumbers(answer: unknown, sources: readonly Source[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    sources.flatMap(({ name, path }) => {
      const found = path.reduce<unknown>((part, key) => (isMapping(part) ? part[key] : undefined), answer);
      return typeof found === 'number' ? [[name, found]] : [];
    }),
  );
}

/** Converts .NET's TimeSpan, "[d.]hh:mm:ss[.fffffff]", to ms with whole µs; null for other texts. */
export function timeSpanMs(text: unknown): number | null {
  const parts = /^(?:(\d+)\.)?(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(String(text));
  if (!parts) return null;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = parts;
  return (
    ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Math.round(Number(seconds) * 1e6) / 1_000
  );
}
