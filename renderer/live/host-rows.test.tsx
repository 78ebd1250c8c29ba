import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { createRunReader } from '#analysis/journal/read-run.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { HostRows } from './host-rows.tsx';
import { liveHosts } from './live-hosts.ts';

// Renders the panel once to text, with the same code as in the window.
vi.mock('../state/store.ts', async (original) => ({
  ...(await original<object>()),
  useStore: (store: { get(): unknown }) => store.get(),
}));

const sample = (trial: number, busy: number | null): JournalRecord => ({
  ...{ record: 'loadHosts', trial, atMs: 0 },
  hosts: [
    { name: 'local', firstWorker: 0, workers: 1, cores: 2, processorsBusy: 0.2, clockErrorMs: null, roundTripMs: null },
    { name: 'load1', firstWorker: 1, workers: 2, cores: 16, processorsBusy: busy, clockErrorMs: 0.3, roundTripMs: 0.6 },
  ],
});

const journal = [...fixtureJournal({ connections: [1], repeats: 1 })];
const trialAt = journal.findIndex(({ record }) => record === 'trial');
const begun = journal.slice(0, trialAt + 1);
const trial = journal.flatMap((one) => (one.record === 'trial' ? one.trial.number : []))[0]!;
const [snapshot] = journal.flatMap((one) => (one.record === 'snapshot' && one.trial === trial ? one.snapshot : []));
const measuring: JournalRecord = { record: 'phase', at: new Date(0).toISOString(), trial, phase: 'measure' };
const of = (worker: number, calls: number, utilisation: number): JournalRecord => ({
  ...{ record: 'snapshot', trial },
  snapshot: {
    ...{ ...snapshot!, worker, atMs: 500, lengthMs: 500 },
    counts: { ...snapshot!.counts, calls },
    health: { ...snapshot!.health, eventLoopUtilisation: utilisation },
  },
});

const hostsAfter = (records: readonly JournalRecord[]) => {
  const reader = createRunReader();
  for (const record of records) reader.add(record);
  return liveHosts(reader.model({ live: true }));
};

test('each load host has its own figures while a trial measures', () => {
  const records = [...begun, measuring, sample(trial, null), of(0, 50, 0.1), of(1, 100, 0.4), of(2, 300, 0.9)];
  const hosts = hostsAfter([...records, sample(trial, 0.75)]);
  expect(hosts).toEqual([
    expect.objectContaining({ name: 'local', callsPerSecond: 100, eventLoopUtilisation: 0.1, beganAfterMs: null }),
    expect.objectContaining({
      ...{ name: 'load1', callsPerSecond: 800, eventLoopUtilisation: 0.9, processorsBusy: 0.75, cores: 16 },
    }),
  ]);
  const html = renderToString(<HostRows hosts={hosts} />);
  expect(html).toContain('load1');
  for (const text of ['800', '75', '90', '16']) expect(html).toContain(text);
});

test('how far apart they began is that of the trial that is over', () => {
  const result = journal.find((one) => one.record === 'result' && one.result.number === trial);
  if (result?.record !== 'result') throw new Error('The journal has no result.');
  const use = {
    ...{ firstWorker: 1, workers: 2, connections: 2, clockErrorMs: 0.3, roundTripMs: 0.6, wallClockOffMs: 0 },
    ...{ cores: 16, processorsBusy: 0.5, eventLoopUtilisation: 0.5, clientSaturated: false, calls: 9 },
  };
  const ended: JournalRecord = {
    ...result,
    result: { ...result.result, loadHosts: [{ ...use, name: 'load1', beganAfterMs: 1.5, meanServiceMs: null }] },
  };
  const hosts = hostsAfter([...begun, measuring, sample(trial, 0.5), of(1, 100, 0.4), ended]);
  expect(hosts.map(({ name, beganAfterMs }) => [name, beganAfterMs])).toEqual([
    ['local', null],
    ['load1', 1.5],
  ]);
  expect(hostsAfter(journal)).toEqual([]);
});
