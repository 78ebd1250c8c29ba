import { expect, test } from 'vitest';
import { probeInfo, sources } from './probe.ts';

const versions = [12, 13, 14, 15, 16, 17, 18, 19];
const counters = (version: number) =>
  sources
    .filter(({ from, until }) => from <= version && version <= until)
    .flatMap(({ sql }) => {
      const list = /SELECT([\s\S]*?)FROM pg_stat/.exec(`${sql} FROM pg_stat`)![1]!;
      return list.split(/,(?![^(]*\))/).map((item) => /(\w+)\s*$/.exec(item)![1]!);
    });

test.each(versions)('version %d: every counter has one source', (version) => {
  const names = counters(version);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toContain('wal_lsn_bytes');
  expect(names).toContain('checkpoints_requested');
  expect(names.includes('wal_sync')).toBe(version >= 14);
  expect(names.includes('io_read_bytes')).toBe(version >= 16);
});

test('counters with a unit of their own are described', () => {
  for (const name of new Set(versions.flatMap(counters))) {
    if (/bytes|_time$/.test(name)) expect(probeInfo[name], name).toBeDefined();
  }
});
