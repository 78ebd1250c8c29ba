import { expect, test } from 'vitest';
import { writesBy } from './fingerprint.ts';
import { createIoEvents } from './io-events.ts';
import {
  metricCounters,
  metricGauges,
  probeInfo,
  readNumbers,
  statsCounters,
  statsGauges,
  timeSpanMs,
} from './probe-info.ts';

test('every counter has one name and one place', () => {
  const sources = [...metricCounters, ...metricGauges, ...statsCounters, ...statsGauges];
  const names = sources.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  const places = sources.map(({ path }) => path.join('/'));
  expect(places).toEqual([...new Set(places)]);
  for (const name of names) expect(probeInfo[name]?.label).toBeTruthy();
});

test('numbers are read where they are, and what a version does not have is left out', () => {
  const metrics = {
    Requests: { RequestsPerSec: { Count: 49_726, Current: 0 }, ConcurrentRequestsCount: 2 },
    Docs: { PutsPerSec: { Count: 497_202 }, BytesPutsPerSec: { Count: 'n/a' } },
  };
  expect(readNumbers(metrics, metricCounters)).toEqual({ requests: 49_726, documents_stored: 497_202 });
  expect(readNumbers(metrics, metricGauges)).toEqual({ active: 2 });
  expect(readNumbers({ CountOfDocuments: 3, SizeOnDisk: { SizeInBytes: 9 } }, statsGauges)).toEqual({
    documents: 3,
    disk_bytes: 9,
  });
  expect(readNumbers(null, statsGauges)).toEqual({});
});

test.each([
  ['00:00:58.0900000', 58_090],
  ['00:00:00.0012345', 1.235],
  ['1.02:03:04', 93_784_000],
  ['26:00:00', 93_600_000],
  ['soon', null],
  [undefined, null],
])('the time span %s is %s ms', (text, ms) => {
  expect(timeSpanMs(text)).toBe(ms);
});

/** Pieces of work on files, as RavenDB tells them. */
const io = (
  starts: readonly string[],
  type = 'JournalWrite',
  environment = 'Documents',
  history: readonly object[] = [],
) => ({
  Environments: [
    {
      Path: `/data/${environment}`,
      Type: environment,
      Files: [
        {
          File: '0000000000000000001.journal',
          Status: 'InUse',
          Recent: starts.map((second) => ({
            Start: `2026-11-20T14:03:${second}Z`,
            ...(type === 'Compression'
              ? { OriginalSize: 65_666, CompressedSize: 18_874, Acceleration: 1, CompressionRatio: 0.287 }
              : { Size: 20_480, HumaneSize: '20 KBytes', FileSize: 0 }),
            Duration: 0.95,
            Type: type,
          })),
          History: history.map((one) => ({ ...one, Duration: 1_000, MinDuration: 0.05, Type: type })),
        },
      ],
    },
  ],
});
const nowMs = Date.parse('2026-11-20T14:03:10Z');

test('each event comes out once, timed by the server’s clock, with its size', () => {
  const read = createIoEvents();
  expect(read(io(['07.9103041', '08.0000000']), nowMs)).toEqual([
    { kind: 'journal_write', agoMs: 2_090, durationMs: 0.95, bytes: 20_480 },
    { kind: 'journal_write', agoMs: 2_000, durationMs: 0.95, bytes: 20_480 },
  ]);
  expect(read(io(['07.9103041', '08.0000000']), nowMs)).toEqual([]);
  // One tick of 100 ns later, and in another file that comes first.
  expect(read(io(['08.0000001', '08.0000000']), nowMs)).toHaveLength(1);
});

test('a compression has the size of what was compressed', () => {
  expect(createIoEvents()(io(['08.0000000'], 'Compression'), nowMs)).toEqual([
    { kind: 'journal_compression', agoMs: 2_000, durationMs: 0.95, bytes: 65_666 },
  ]);
});

test('kinds and environments are distinguished, and unknown kinds left out', () => {
  const read = createIoEvents();
  const kinds = (answer: unknown) => read(answer, nowMs).map(({ kind }) => kind);
  expect(kinds(io(['08.0000000']))).toEqual(['journal_write']);
  expect(kinds(io(['07.0000000'], 'DataFlush'))).toEqual(['data_flush']);
  expect(kinds(io(['07.0000000'], 'DataSync', 'Index'))).toEqual(['index_data_sync']);
  expect(kinds(io(['07.0000000'], 'Compression'))).toEqual(['journal_compression']);
  expect(kinds(io(['07.0000000'], 'Brandnew'))).toEqual([]);
  for (const kind of ['journal_write', 'data_flush', 'index_data_sync', 'journal_compression'])
    expect(probeInfo[kind]?.label).toBeTruthy();
});

/** `from` and `to`: seconds. */
const summary = (from: string, to: string) => ({
  Start: `2026-11-20T14:03:${from}Z`,
  End: `2026-11-20T14:03:${to}Z`,
  Size: 257 * 20_480,
  ActiveDuration: 300,
  MaxDuration: 5.5,
});

test('what the server has summed up comes out once, as a sum, without the pieces that came out before', () => {
  const read = createIoEvents();
  expect(read(io(['04.0000000'], 'JournalWrite', 'Documents', [summary('01.0000000', '02.0000000')]), nowMs)).toEqual([
    {
      kind: 'journal_write',
      agoMs: 9_000,
      durationMs: 5.5,
      bytes: 257 * 20_480,
      sum: { count: 257, totalMs: 300, spanMs: 1_000 },
    },
    { kind: 'journal_write', agoMs: 6_000, durationMs: 0.95, bytes: 20_480 },
  ]);
  const next = io(['08.0000000'], 'JournalWrite', 'Documents', [
    summary('06.5000000', '07.0000000'),
    summary('04.0000000', '06.0000000'),
    summary('01.0000000', '02.0000000'),
  ]);
  expect(read(next, nowMs)).toEqual([
    {
      kind: 'journal_write',
      agoMs: 6_000,
      durationMs: 5.5,
      bytes: 256 * 20_480,
      sum: { count: 256, totalMs: 299.05, spanMs: 2_000 },
    },
    {
      kind: 'journal_write',
      agoMs: 3_500,
      durationMs: 5.5,
      bytes: 257 * 20_480,
      sum: { count: 257, totalMs: 300, spanMs: 500 },
    },
    { kind: 'journal_write', agoMs: 2_000, durationMs: 0.95, bytes: 20_480 },
  ]);
  expect(read(next, nowMs)).toEqual([]);
});

test('a certificate may write unless its right to the database is to read, or it has none', () => {
  const user = (right: string) => writesBy({ SecurityClearance: 'ValidUser', Permissions: { Shop: right } }, 'shop');
  expect([user('Read'), user('ReadWrite'), user('Admin')]).toEqual([false, true, true]);
  expect(writesBy({ SecurityClearance: 'ValidUser', Permissions: { other: 'Admin' } }, 'shop')).toBe(false);
  expect(writesBy({ SecurityClearance: 'Operator' }, 'shop')).toBe(true);
  expect(writesBy({}, 'shop')).toBeNull();
});
