import { expect, test } from 'vitest';
import { diskSecondOf, hostFactsOf, hostSecondOf } from './host-seconds.fixture.ts';
import { createHostSeries } from './host-series.ts';

test('seconds become columns, and a disk has no value in seconds without it', () => {
  const series = createHostSeries();
  series.begin([hostFactsOf()], []);
  series.add('local', 1_000, hostSecondOf());
  series.add('local', 2_000, hostSecondOf({ disks: [diskSecondOf({ name: 'sdb', writesPerSecond: 7 })] }));
  series.add('local', 3_000, hostSecondOf({ disks: null, network: null }));
  const [host] = series.series().hosts;
  expect(host).toMatchObject({ name: 'local', serverOf: ['postgres'], atMs: [1_000, 2_000, 3_000] });
  expect(host?.figures.userShare).toEqual([0.4, 0.4, 0.4]);
  expect(host?.figures.sentBytesPerSecond).toEqual([1_000, 1_000, null]);
  expect(host?.disks.map(({ name, figures }) => [name, figures.writesPerSecond])).toEqual([
    ['sda', [400, null, null]],
    ['sdb', [null, 7, null]],
  ]);
});

test('a phase that begins again forgets the seconds before, and a host without its record is left out', () => {
  const series = createHostSeries();
  series.begin([hostFactsOf()], []);
  series.add('local', 1_000, hostSecondOf());
  series.begin([hostFactsOf({ serverOf: [] })], [{ target: 'far', why: 'elsewhere' }]);
  series.add('load1', 1_000, hostSecondOf());
  expect(series.series()).toMatchObject({
    hosts: [{ name: 'local', atMs: [] }],
    unmeasuredServers: [{ target: 'far', why: 'elsewhere' }],
  });
});

test('earlier series stay as they were', () => {
  const series = createHostSeries();
  series.begin([hostFactsOf()], []);
  series.add('local', 1_000, hostSecondOf());
  const { hosts } = series.series();
  series.add('local', 2_000, hostSecondOf());
  expect(hosts[0]?.figures.userShare).toEqual([0.4]);
});
