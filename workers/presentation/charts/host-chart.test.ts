import { expect, test } from 'vitest';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import { diskSecondOf, hostFactsOf, hostSecondOf } from '#analysis/server/host-seconds.fixture.ts';
import type { HostFacts, HostSecond, UnmeasuredServer } from '#protocol/host-second.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { hostDiskFile, hostFile } from '../data-set/host-files.ts';
import { hostTable } from '../tables/client/host-table.ts';
import { firstRepeats, hasHosts, hostCharts } from './host-chart.ts';
import { lightTheme } from './kit/theme.ts';

interface Made {
  readonly facts?: Partial<HostFacts>;
  readonly unmeasured?: readonly UnmeasuredServer[];
  readonly seconds?: readonly (readonly [atMs: number, second: HostSecond])[];
}

const threeSeconds = [1_000, 2_000, 3_000].map((at) => [at, hostSecondOf()] as const);

/** A run with a host in the trials of PostgreSQL. */
function runWith({ facts = {}, unmeasured = [], seconds = threeSeconds }: Made = {}) {
  const records = [...fixtureJournal({ connections: [4], repeats: 2 })];
  return readRun(
    records.flatMap((record): readonly JournalRecord[] => {
      if (record.record !== 'result' || record.result.target !== 'PostgreSQL') return [record];
      const trial = record.result.number;
      const host = hostFactsOf({ serverOf: ['PostgreSQL'], ...facts });
      return [
        { record: 'hosts', trial, hosts: [host], unmeasured },
        ...seconds.map(
          ([atMs, second]): JournalRecord => ({ record: 'hostSecond', trial, host: host.name, atMs, second }),
        ),
        record,
      ];
    }),
  );
}

const drawn = (made?: Made) => {
  const model = runWith(made);
  return hostCharts(model, [firstRepeats(model)[0]!], lightTheme, 1_000)[0]!;
};

const titlesOf = ({ option }: ReturnType<typeof drawn>) =>
  (option.title as readonly { readonly text: string }[]).map(({ text }) => text);

type Points = readonly { readonly value: readonly [number, number | null] }[];

test('a chart names the server of the host, and has its processors, memory, network and disks', () => {
  const chart = drawn();
  expect(chart.title).toBe('Host of PostgreSQL (this machine)');
  expect(titlesOf(chart)).toEqual([
    'Processors',
    'Memory',
    'Network, bytes per second',
    'sda: operations per second',
    'sda: bytes per second',
    'sda: time per operation (await)',
  ]);
  expect(chart.note).toContain('2 client processes ran on it, too.');
});

test('limits of control groups have panels, and the limit of processors is a line', () => {
  const group = { limitCores: 1.5, throttledMsPerSecond: 300, memoryLimitBytes: 2 ** 30, memoryBytes: 2 ** 29 };
  const chart = drawn({ seconds: threeSeconds.map(([at]) => [at, hostSecondOf({ group })] as const) });
  expect(titlesOf(chart).slice(-2)).toEqual([
    'Throttled by the control group, per second',
    'Memory of the control group',
  ]);
  expect(JSON.stringify(chart.option.series)).toContain('limit of 1.5 cores');
});

test('a server elsewhere is named with the reason', () => {
  const { title, note } = drawn({
    facts: { serverOf: [] },
    unmeasured: [{ target: 'PostgreSQL', why: 'elsewhere' }],
  });
  expect(title).toBe('Host of the clients (this machine), load on PostgreSQL');
  expect(note).toContain(
    'The host of PostgreSQL was not measured: it is neither this machine nor a load host of the trial.',
  );
});

test('a system that does not report disks and network says so', () => {
  const bare = hostSecondOf({ disks: null, network: null });
  const seconds = threeSeconds.map(([at]) => [at, bare] as const);
  expect(drawn({ seconds }).note).toContain(
    'Its system does not report disks (/proc/diskstats) and network (/proc/net/dev), as in some containers.',
  );
  const mac = drawn({ seconds, facts: { os: 'darwin 25.0.0' } });
  expect(mac.note).toContain('Its system does not report disks and network: Dyno reads them on Linux alone.');
  expect(titlesOf(mac)).toEqual(['Processors', 'Memory']);
});

test('a time that nobody measured is a gap', () => {
  const chart = drawn({ seconds: [1_000, 2_000, 9_000].map((at) => [at, hostSecondOf()] as const) });
  const memory = (chart.option.series as readonly { readonly name: string; readonly data: Points }[]).find(
    ({ name }) => name === 'in use',
  );
  expect(memory?.data.map(({ value: [at, value] }) => [at, value === null])).toEqual([
    [0, false],
    [1_000, false],
    [2_000, false],
    [2_001, true],
    [8_000, false],
    [9_000, false],
  ]);
});

test('a run without the records has no chart and no rows', () => {
  const model = readRun(fixtureJournal({ connections: [4], repeats: 2 }));
  expect(model.trials.some(hasHosts)).toBe(false);
  expect(hostTable(model).rows).toEqual([]);
  expect([...hostFile(model).rows()]).toEqual([]);
});

test('means of a cell weigh times by operations', () => {
  const seconds = [
    [1_000, hostSecondOf({ disks: [diskSecondOf({ writesPerSecond: 300, writeAwaitMs: 1 })] })],
    [2_000, hostSecondOf({ disks: [diskSecondOf({ writesPerSecond: 100, writeAwaitMs: 5 })] })],
  ] as const;
  const { columns, rows } = hostTable(runWith({ seconds }));
  const at = (title: string) => rows[0]?.cells[columns.findIndex((column) => column.title === title)];
  expect([at('Host'), at('Disk')]).toEqual(['this machine', 'sda']);
  // The column of the target says it.
  expect(at('Servers on it')).toBeUndefined();
  expect([at('User'), at('Writes/s'), at('Write await'), at('Steal')]).toEqual([
    '40.0\u00a0%',
    '200',
    '2.00\u00a0ms',
    '0\u00a0%',
  ]);
});

test('the data set has a row for each second of a host, and for each disk', () => {
  const model = runWith();
  const trials = model.trials.filter(hasHosts).length;
  for (const file of [hostFile(model), hostDiskFile(model)]) expect([...file.rows()]).toHaveLength(3 * trials);
  const [row] = [...hostFile(model).rows()];
  const names = hostFile(model).columns.map(({ name }) => name);
  expect(row?.[names.indexOf('server_of')]).toBe('PostgreSQL');
  expect(row?.[names.indexOf('user_share')]).toBe(0.4);
});
