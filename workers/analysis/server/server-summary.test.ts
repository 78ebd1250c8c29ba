import { expect, test } from 'vitest';
import type { ProbeInfo } from '#engine-api/probe.ts';
import { serverRow } from '#presentation/tables/server/server-time-table.ts';
import { formatShares, probingText } from '#presentation/text/server-text.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { CallTime } from '#protocol/measurement.ts';
import { fixtureJournal, readRun } from '../run-model/run.fixture.ts';
import { serverSummaries } from './server-summary.ts';

/** Made-up answers of PostgreSQL in the fixture's run, with their durations. */
const infos: Readonly<Record<string, ProbeInfo>> = {
  wal_bytes: { unit: 'bytes', label: 'Log generated', role: 'logBytes' },
  reads: { unit: 'count', label: 'Pages read', role: 'pagesRead' },
  plans: { unit: 'count', label: 'Plans made', role: 'hardParses' },
  running: { unit: 'count', label: 'Sessions running', class: 'cpu' },
  'wait:*': { unit: 'count', label: 'Waiting', class: 'other' },
  'wait:IO:*': { unit: 'count', label: 'Waiting for files', class: 'dataIo' },
  'wait:IO:WAL*': { unit: 'count', label: 'Waiting for the log', class: 'log' },
};

const callTime: CallTime = { calls: 1, seen: 1, sendMs: 1, waitMs: 1, receiveMs: 1, gapMs: 0, roundTrips: 500 };

function summaries(change: (record: JournalRecord) => JournalRecord = (record) => record) {
  const told = (record: JournalRecord): JournalRecord =>
    record.record === 'target' && record.target.name === 'PostgreSQL'
      ? { ...record, target: { ...record.target, probeInfo: infos } }
      : record.record === 'probe'
        ? { ...record, tookMs: 4, sample: { ...record.sample, gauges: { running: 1, 'wait:IO:WALSync': 3 } } }
        : record;
  const journal = [...fixtureJournal({ connections: [1], repeats: 2 })];
  return serverSummaries(readRun(journal.map((record) => change(told(record)))));
}
const prepared = (all: ReturnType<typeof summaries>) =>
  all.find(({ variant, target }) => variant.startsWith('method=prepared') && target === 'PostgreSQL')!;

test('a cell has its server time, log and probes of both repeats', () => {
  const { time, logBytesPerRow, probing } = prepared(summaries());
  expect(time?.method).toBe('sampled');
  expect(formatShares(time)).toMatch(/^log\u00a0and\u00a0commit\u00a075\.0\u00a0% · processor\u00a025\.0\u00a0%$/);
  expect(time!.parts.map(({ label }) => label)).toEqual(['IO:WALSync', 'running']);
  // The fixture's server writes 130 bytes of log for a row.
  expect(logBytesPerRow).toBeCloseTo(130, 0);
  // Both trials have one answer of 4 ms per second, without the "before" and without answers after the end.
  expect(probing!.share).toBeCloseTo(0.004, 3);
  expect(probingText({ probing })).toMatch(/^\d+ × 4\.00\u00a0ms, 0\.4\d*\u00a0% of the time$/);
});

test('the longest name with an asterisk explains a wait', () => {
  const gauges = { 'wait:IO:WALSync': 1, 'wait:IO:DataFileRead': 1, 'wait:Lock:tuple': 2 };
  const all = summaries((record) =>
    record.record === 'probe' ? { ...record, sample: { ...record.sample, gauges } } : record,
  );
  const { log, dataIo, other } = prepared(all).time!.classMs;
  expect([dataIo! / log!, other! / log!]).toEqual([1, 2]);
});

test('round trips are the server’s where it counts them, else the client’s, else not known', () => {
  const withResult = (callTimes: CallTime | null, counted: number | null) =>
    prepared(
      summaries((record) => {
        if (record.record === 'target' && record.target.name === 'PostgreSQL') {
          const probeInfo = { ...infos, trips: { unit: 'count', label: 'Requests', role: 'roundTrips' } } as const;
          return { ...record, target: { ...record.target, probeInfo } };
        }
        if (record.record !== 'result') return record;
        const { result } = record;
        const totals = { ...result.totals, calls: 1_000 };
        const probeDelta = counted === null ? result.probeDelta : { ...result.probeDelta, trips: counted };
        return {
          ...record,
          result: { ...result, totals, probeDelta, health: { ...result.health, callTime: callTimes } },
        };
      }),
    ).roundTripsPerCall;
  expect(withResult(callTime, 2_000)).toEqual({ value: 2, by: 'server' });
  expect(withResult(callTime, null)).toEqual({ value: 0.5, by: 'client' });
  expect(withResult(null, null)).toBeNull();
});

test('plans made and pages read are per execution and per row, and a dash where the server does not count them', () => {
  const counted = prepared(
    summaries((record) =>
      record.record === 'result'
        ? { ...record, result: { ...record.result, probeDelta: { plans: record.result.totals.calls / 2, reads: 0 } } }
        : record,
    ),
  );
  expect(counted).toMatchObject({ hardParsesPerExecution: 0.5, pagesReadPerRow: 0, logBytesPerRow: null });
  expect(serverRow(counted)).toMatchObject({ 'Plans made per execution': '0.500', 'Temporary files per call': '–' });
});

test('an engine inside the client, or without samples, has a reason for the missing figures', () => {
  const unsampled = summaries((record) =>
    record.record === 'probe' ? { ...record, atMs: 0, sample: { ...record.sample, gauges: {} } } : record,
  );
  const { time, whyNoTime, probing } = prepared(unsampled);
  expect({ time, probing }).toEqual({ time: null, probing: null });
  expect(whyNoTime).toContain('No sample was taken');
  const sqlite = summaries().find(({ target }) => target === 'SQLite');
  expect(sqlite?.whyNoTime).toContain('inside the client process');
});

test('references have no server', () => {
  expect(summaries().map(({ target }) => target)).not.toContain('No-op engine');
});
