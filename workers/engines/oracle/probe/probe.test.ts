import type oracledb from 'oracledb';
import { expect, test } from 'vitest';
import { mayChange } from './fingerprint.ts';
import { createProbe } from './probe.ts';
import { probeInfo } from './probe-info.ts';
import { events, histogramBoundsUs, sessionStatistics, sources, statistics, waitsView } from './probe-sources.ts';

type Answer = readonly (readonly (string | number | null)[])[] | Error;

/** A connection that answers by view, and what it was asked. */
function connection(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const execute = async (sql: string) => {
    const view = /FROM (v\$\w+)/.exec(sql)?.[1] ?? '';
    asked.push(sql.includes('COUNT(*)') ? 'waits' : view);
    const answer = answers[asked.at(-1)!] ?? [];
    if (answer instanceof Error) throw answer;
    return { rows: answer };
  };
  return { asked, client: { execute } as unknown as oracledb.Connection };
}

const refused = (code: string) => Object.assign(new Error(`${code}: no`), { code });

test('a view that may not be read is listed with the GRANT that would fix it, and asked once', async () => {
  const { asked, client } = connection({ v$sysstat: [['user commits', 5]], v$system_event: refused('ORA-00942') });
  const probe = createProbe(client, 'bench', 'dyno-1');
  const first = await probe();
  expect(first.counters.user_commits).toBe(5);
  expect(first.unavailable).toHaveLength(1);
  expect(first.unavailable[0]).toContain('GRANT SELECT ON SYS.V_$SYSTEM_EVENT TO BENCH');
  expect(await probe()).toEqual(first);
  expect(asked.filter((view) => view === 'v$system_event')).toHaveLength(1);
});

test('a server that is gone is no missing right', async () => {
  const { client } = connection({ v$sysstat: refused('NJS-500') });
  await expect(createProbe(client, 'bench', 'dyno-1')()).rejects.toThrow('NJS-500');
});

test('events that have not happened yet count zero, so that counters are the same ones every time', async () => {
  const { client } = connection({ v$system_event: [['log file sync', 3, 1_500]] });
  const { counters } = await createProbe(client, 'bench', 'dyno-1')();
  expect(counters).toMatchObject({ log_file_sync_waits: 3, log_file_sync_time: 1_500, tx_row_lock_waits: 0 });
});

test('buckets of the histogram follow their bounds', async () => {
  const { client } = connection({ v$event_histogram_micro: [['log file sync', 1, 2, 3, 4, 5, 6]] });
  const { counters } = await createProbe(client, 'bench', 'dyno-1')();
  expect(counters).toMatchObject({
    log_file_sync_under_256us: 1,
    log_file_sync_under_65536us: 5,
    log_file_sync_over_65536us: 6,
    log_file_parallel_write_under_256us: 0,
  });
});

test('a session that ended keeps what it has counted', async () => {
  const answers: Record<string, Answer> = {
    v$session: [
      [10, 1, 'redo size', 100],
      [11, 7, 'redo size', 50],
      [11, 7, 'CPU used by this session', 3],
    ],
  };
  const { client } = connection(answers);
  const probe = createProbe(client, 'bench', 'dyno-1');
  expect((await probe()).counters).toMatchObject({ run_redo_size: 150, run_cpu_time: 30 });
  answers.v$session = [
    [10, 1, 'redo size', 120],
    [11, 8, 'redo size', 5],
  ];
  expect((await probe()).counters).toMatchObject({ run_redo_size: 175, run_cpu_time: 30 });
});

test('sessions are counted by what they do or wait for', async () => {
  const { client } = connection({
    waits: [
      ['ACTIVE', 'WAITING', 'Commit', 'log file sync', 2],
      ['ACTIVE', 'WAITED SHORT TIME', 'Network', 'SQL*Net more data from client', 1],
      ['INACTIVE', 'WAITING', 'Idle', 'SQL*Net message from client', 4],
    ],
  });
  expect((await createProbe(client, 'bench', 'dyno-1')()).gauges).toEqual({
    sessions: 7,
    active: 3,
    'wait:Commit:log file sync': 2,
    'wait:Idle:SQL*Net message from client': 4,
    running: 1,
  });
});

test('every counter is described, and bounds are those of the server’s buckets', () => {
  for (const { counter } of Object.values(statistics)) expect(probeInfo[counter], counter).toBeDefined();
  for (const { counter } of Object.values(events)) expect(probeInfo[`${counter}_time`]?.unit, counter).toBe('us');
  for (const name of sessionStatistics) expect(statistics[name], name).toBeDefined();
  for (const bound of histogramBoundsUs) expect(Math.log2(bound) % 1).toBe(0);
});

test('nothing that needs the Diagnostics Pack is read', () => {
  for (const { sql } of sources) expect(sql).not.toMatch(/active_session_history|dba_hist|dbms_workload/i);
  expect(waitsView).toBe('v$session');
});

test.each([
  { privileges: ['CREATE SESSION', 'READ ANY TABLE', 'SELECT ANY DICTIONARY'], may: false },
  { privileges: [], may: false },
  { privileges: ['CREATE SESSION', 'CREATE TABLE'], may: true },
  { privileges: ['CREATE SESSION', 'UPDATE ANY TABLE'], may: true },
  { privileges: ['CREATE ANY PROCEDURE'], may: true },
])('a session with $privileges may change data: $may', ({ privileges, may }) => {
  expect(mayChange(privileges)).toBe(may);
});
