import { expect, test } from 'vitest';
import type { MysqlConnection, QueryResult } from '../connection/connection.ts';
import { createProbe, probeInfo, sessionGauges } from './probe.ts';

const answer = (rows: readonly (readonly unknown[])[]): QueryResult => ({
  rows,
  affectedRows: 0,
  warnings: 0,
  columns: [],
  described: [],
});
const denied = (right: string) =>
  Object.assign(new Error(`Access denied; you need (at least one of) the ${right} privilege(s)`), {
    errno: 1227,
    sqlState: '42000',
  });

/** A connection that answers by what a statement begins with or mentions, and counts what it was asked. */
function fake(answers: Readonly<Record<string, QueryResult | Error>>) {
  const asked: string[] = [];
  const connection = {
    async query(sql: string) {
      const key = Object.keys(answers).find((word) => sql.includes(word));
      asked.push(key ?? sql);
      const found = key === undefined ? answer([]) : answers[key]!;
      if (found instanceof Error) throw found;
      return found;
    },
  } as unknown as MysqlConnection;
  return { asked, probe: createProbe(connection, 'tag') };
}

const status = (fsyncs: number) =>
  answer([
    ['Innodb_data_fsyncs', String(fsyncs)],
    ['Innodb_os_log_written', '5120'],
    ['Threads_running', '2'],
  ]);

test('status counters and gauges are distinguished, and what a version lacks is absent', async () => {
  const { probe } = fake({ 'GLOBAL STATUS': status(7), '@@GLOBAL': answer([['0']]) });
  const { counters, gauges } = await probe();
  expect(counters).toEqual({ innodb_data_fsyncs: 7, innodb_os_log_written: 5120 });
  expect(gauges).toMatchObject({ threads_running: 2, sessions: 0, active: 0 });
});

test('file times count where performance_schema is on, and are not asked for where it is off', async () => {
  const times = answer([
    ['wait/io/file/innodb/innodb_data_file', '1', '2', '3'],
    ['wait/io/file/sql/binlog', '4', '5', '6'],
  ]);
  const on = fake({ file_summary: times, '@@GLOBAL': answer([['1']]) });
  expect((await on.probe()).counters).toEqual({
    data_file_read_time: 1,
    data_file_write_time: 2,
    data_file_sync_time: 3,
    binlog_file_read_time: 4,
    binlog_file_write_time: 5,
    binlog_file_sync_time: 6,
  });
  const off = fake({ file_summary: times, '@@GLOBAL': answer([['0']]) });
  expect((await off.probe()).counters).toEqual({});
  expect(off.asked).not.toContain('file_summary');
});

test('what may not be read is listed with the right that allows it, asked once, and never fatal', async () => {
  const { probe, asked } = fake({
    'GLOBAL STATUS': status(1),
    '@@GLOBAL': answer([['1']]),
    file_summary: Object.assign(new Error('SELECT command denied'), { errno: 1142, sqlState: '42000' }),
    innodb_trx: denied('PROCESS'),
    processlist: answer([['1', 'Query', 'Filling schema table', 1]]),
  });
  const first = await probe();
  const second = await probe();
  expect(first.counters.innodb_data_fsyncs).toBe(1);
  expect(first.unavailable).toEqual(second.unavailable);
  expect(first.unavailable.join('\n')).toMatch(/performance_schema\.\*/);
  expect(first.unavailable.join('\n')).toMatch(/PROCESS ON \*\.\*/);
  expect(first.unavailable).toHaveLength(2);
  expect(asked.filter((key) => key === 'innodb_trx' || key === 'file_summary')).toHaveLength(2);
});

test('checkpoints are counted where the server counts them, and else asked for once', async () => {
  const timed = { '@@GLOBAL.performance_schema': answer([['1']]) };
  const on = fake({ ...timed, innodb_metrics: answer([['12', 1]]) });
  expect(await on.probe()).toMatchObject({ counters: { log_checkpoints: 12 }, optional: [] });
  const off = fake({ ...timed, innodb_metrics: answer([['0', 0]]) });
  for (const sample of [await off.probe(), await off.probe()]) {
    expect(sample.counters).not.toHaveProperty('log_checkpoints');
    expect(sample.optional).toEqual([expect.stringContaining('innodb_monitor_enable = log_checkpoints')]);
  }
  expect(off.asked.filter((key) => key === 'innodb_metrics')).toHaveLength(1);
});

test('a server that counts no waits says what would make it count them', async () => {
  const { probe } = fake({ '@@GLOBAL.performance_schema': answer([['0']]), innodb_metrics: answer([['12', 1]]) });
  expect((await probe()).optional).toEqual([expect.stringContaining('performance_schema = ON')]);
});

test('a server without named locks is said to be one', async () => {
  const { probe } = fake({ 'GLOBAL STATUS': status(1), processlist: answer([]) });
  expect((await probe()).unavailable.join()).toContain('GET_LOCK');
});

test('a lost connection is an error, not something unavailable', async () => {
  const { probe } = fake({ 'GLOBAL STATUS': Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  await expect(probe()).rejects.toThrow('ECONNRESET');
});

test('sessions by what they do: the asking one left out, waits by class, row locks by themselves', () => {
  const rows = [
    [1, 'Query', 'Filling schema table', 1],
    [0, 'Sleep', '', 3],
    [0, 'Execute', 'Update', 4],
    [0, 'Query', 'Commit', 2],
    [0, 'Query', 'waiting for handler commit', 1],
    [0, 'Query', 'Reading from net', 1],
    [0, 'Query', 'Waiting for table metadata lock', 1],
    [0, 'Query', 'Unlocking tables', 1],
    [0, 'Query', null, 1],
  ];
  expect(sessionGauges(rows, 2)).toEqual({
    sessions: 14,
    active: 11,
    running: 4,
    'wait:Commit:Commit': 2,
    'wait:Commit:waiting for handler commit': 1,
    'wait:Client:Sleep': 3,
    'wait:Net:Reading from net': 1,
    'wait:Lock:Waiting for table metadata lock': 1,
    'wait:InnoDB:row lock': 2,
  });
  expect(sessionGauges([[0, 'Execute', 'Updating', 1]], 1)).toEqual({
    sessions: 1,
    active: 1,
    'wait:InnoDB:row lock': 1,
  });
});

test('counters with a unit of their own are described', () => {
  for (const [name, { unit }] of Object.entries(probeInfo))
    if (/_time$/.test(name)) expect(['ms', 'us'], name).toContain(unit);
  expect(probeInfo.innodb_os_log_written?.unit).toBe('bytes');
});
