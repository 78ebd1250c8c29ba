import { expect, test } from 'vitest';
import { loadHostTable } from '#presentation/tables/client/load-host-table.ts';
import type { LoadHostUse } from '#protocol/measurement.ts';
import { fixtureJournal, readRun } from '../run-model/run.fixture.ts';

const host = (name: string, more: Partial<LoadHostUse> = {}): LoadHostUse => ({
  name,
  firstWorker: 0,
  workers: 1,
  connections: 4,
  beganAfterMs: 1,
  clockErrorMs: 0.5,
  roundTripMs: 1,
  wallClockOffMs: 0,
  cores: 2,
  processorsBusy: 0.5,
  eventLoopUtilisation: 0.4,
  clientSaturated: false,
  calls: 1_000,
  meanServiceMs: 1,
  ...more,
});

const runWith = (loadHosts: readonly LoadHostUse[], clientSaturated = false) =>
  readRun(
    Array.from(fixtureJournal({ connections: [1] }), (record) =>
      record.record === 'result' && record.result.target === 'PostgreSQL'
        ? { ...record, result: { ...record.result, clientSaturated, loadHosts: [...loadHosts] } }
        : record,
    ),
  );
const caveat = (loadHosts: readonly LoadHostUse[], title: string, clientSaturated = false) =>
  runWith(loadHosts, clientSaturated).caveats.find((one) => one.title === title)?.text ?? null;

test('a late start is distinguished from the error of the clocks', () => {
  const title = 'Load hosts began apart';
  expect(caveat([host('load1'), host('load2', { beganAfterMs: 250 })], title)).toContain('at least 250');
  expect(caveat([host('load1'), host('load2', { beganAfterMs: 250, clockErrorMs: 200 })], title)).toBeNull();
});

test('a host that is further away is named, and equal ones are not', () => {
  const title = 'Load hosts are not alike';
  expect(caveat([host('load1'), host('load3', { meanServiceMs: 5 })], title)).toContain('from load3 took 4');
  expect(caveat([host('load1'), host('load3', { meanServiceMs: 1.1 })], title)).toBeNull();
});

test('of several hosts, those that were the limit are named', () => {
  const hosts = [host('load1'), host('load2', { clientSaturated: true })];
  expect(caveat(hosts, 'Client-bound', true)).toContain('Client-bound: load2; with time to spare: load1.');
  expect(caveat([host('load1')], 'Client-bound', true)).not.toContain('load1');
});

test('each host has a row for each trial', () => {
  const model = runWith([host('load1'), host('load2')]);
  const names = loadHostTable(model).rows.map(({ cells }) => cells[3]);
  expect(new Set(names)).toEqual(new Set(['load1', 'load2']));
});
