import { expect, test } from 'vitest';
import { toError } from '../errors.ts';
import { countersOf, refusalText } from './probe.ts';
import { probeInfo } from './probe-info.ts';
import { counterSources, indexStatsSql, waitClass } from './probe-sources.ts';

/** The counters of a source, from its names or from the columns of its answer. */
const namesOf = (source: (typeof counterSources)[number]): readonly string[] =>
  source.names
    ? Object.values(source.names)
    : [...source.sql.matchAll(/ AS (\w+)(?:,|\s+FROM)/g)].map(([, name]) => name!);

test('every counter has one source and is described', () => {
  const ofTable = { view: '', needs: '', sql: indexStatsSql({ name: 'x' }), names: null };
  const names = [...counterSources, ofTable].flatMap(namesOf);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toContain('log_writes');
  expect(names).toContain('table_page_latch_wait_ms');
  for (const name of names) expect(probeInfo[name], name).toBeDefined();
});

test('bytes and times have their unit', () => {
  for (const [name, { unit }] of Object.entries(probeInfo)) {
    if (name.includes('bytes')) expect(unit, name).toBe('bytes');
    if (/_ms$|_time$/.test(name)) expect(unit, name).toBe('ms');
  }
});

test('rows of name and value become counters, and what has no row yet is zero', () => {
  const source = counterSources.find(({ view }) => view === 'sys.dm_os_wait_stats')!;
  const before = countersOf(source, [{ name: 'WRITELOG ms', value: 7 }]);
  const after = countersOf(source, [
    { name: 'WRITELOG ms', value: 9 },
    { name: 'LCK_M_X count', value: 1 },
    { name: 'UNKNOWN ms', value: 5 },
  ]);
  expect(before.wait_writelog_ms).toBe(7);
  expect(after).toMatchObject({ wait_writelog_ms: 9, wait_lock_x_count: 1, wait_pagelatch_ex_ms: 0 });
  expect(Object.keys(after)).toEqual(Object.keys(before));
});

test('counters of several instances add up, names padded by the server are known', () => {
  const source = counterSources.find(({ view }) => view.includes('(server)'))!;
  const rows = [
    { name: 'Lock Waits/sec      ', value: 3 },
    { name: 'Lock Waits/sec', value: 4 },
  ];
  expect(countersOf(source, rows).lock_waits).toBe(7);
});

test('a right is asked for only where one is missing', () => {
  const refused = (number: number, message: string) =>
    refusalText(
      'sys.dm_os_wait_stats',
      'VIEW SERVER STATE',
      toError(Object.assign(new Error(message), { code: 'EREQUEST', number })),
    );
  expect(refused(300, 'VIEW SERVER STATE permission was denied on object server.')).toMatch(
    /Needs VIEW SERVER STATE\.$/,
  );
  const missing = refused(208, "Invalid object name 'sys.dm_os_wait_stats'.");
  expect(missing).not.toContain('VIEW SERVER STATE');
  expect(missing).toContain('This server does not have it.');
});

test('a source that answered nothing adds no counters', () => {
  for (const source of counterSources) expect(countersOf(source, [])).toEqual({});
});

test('waits are in classes that DBAs know', () => {
  const found = [
    'LCK_M_X',
    'PAGELATCH_EX',
    'PAGEIOLATCH_SH',
    'WRITELOG',
    'ASYNC_NETWORK_IO',
    'SOS_SCHEDULER',
    'XE_TIMER',
  ].map(waitClass);
  expect(found).toEqual(['Lock', 'Latch', 'IO', 'Log', 'Network', 'CPU', 'Other']);
});
