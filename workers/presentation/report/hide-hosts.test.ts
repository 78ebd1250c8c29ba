import { expect, it } from 'vitest';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { setupRows } from '#analysis/settings/setup-rows.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { hideHosts } from './hide-hosts.ts';

const secrets = [
  'pg-714.corp.example.com',
  'pg-714',
  'alice_ro',
  'orders_live',
  '10.20.30.40',
  'fe80:0:0:0:1:2:3:4',
  '/var/lib/pgsql/orders',
  'C:\\Data\\orders.mdf',
  'laptop-of-alice',
  'loader-east',
];

const message =
  'connect to pg-714:5432 (10.20.30.40, fe80:0:0:0:1:2:3:4) as alice_ro for orders_live from laptop-of-alice failed, see /var/lib/pgsql/orders or C:\\Data\\orders.mdf';

const loadHost = {
  name: 'loader-east',
  ...{ firstWorker: 0, workers: 1, connections: 1, beganAfterMs: 0, clockErrorMs: null, roundTripMs: null },
  ...{ wallClockOffMs: null, cores: 2, processorsBusy: null, eventLoopUtilisation: 0, clientSaturated: false },
  ...{ calls: 1, meanServiceMs: 1 },
};

function withNames(record: JournalRecord): JournalRecord {
  if (record.record === 'header')
    return {
      ...record,
      runId: '20261120-080000-orders_live',
      yaml: `${record.yaml}# ${message}\n`,
      plan: { ...record.plan, experiment: { ...record.plan.experiment, about: message, question: message } },
    };
  if (record.record === 'target' && record.target.name === 'PostgreSQL')
    return {
      ...record,
      target: {
        ...record.target,
        address: 'pg-714.corp.example.com:5432/orders_live',
        details: { user: 'alice_ro', ssl: 'off' },
        fingerprint: record.target.fingerprint && {
          ...record.target.fingerprint,
          other: { data_directory: '/var/lib/pgsql/orders', listen_addresses: '10.20.30.40' },
          unavailable: ['pg_stat_io: GRANT pg_monitor TO alice_ro'],
          cautions: [{ title: 'On pg-714', text: message }],
        },
      },
    };
  if (record.record !== 'result') return record;
  const error = { kind: 'serverGone', code: null, message, hint: message, retryable: false } as const;
  return {
    ...record,
    result: {
      ...record.result,
      ...(record.result.repeat === 1 && { status: 'failed', error }),
      checks: [{ name: 'sum', found: { columns: ['a'], rows: [[message]], count: 1 } }],
      verification: { ...record.result.verification, note: message },
      loadHosts: [loadHost],
    },
  };
}

const run = readRun([...fixtureJournal({ connections: [1], repeats: 4 })].map(withNames));
/** The secrets that are anywhere in a run or its findings. */
function secretsIn(model: RunModel): readonly string[] {
  const text = JSON.stringify([model, findingsOf(model)]).toLowerCase();
  return secrets.filter((secret) => text.includes(JSON.stringify(secret).slice(1, -1).toLowerCase()));
}

it('no name of a host, a user, a database or a file is left in a run with hidden hosts', () => {
  expect(secretsIn(run)).toEqual(secrets);
  const { run: hidden, hide } = hideHosts(run, ['laptop-of-alice']);
  expect(secretsIn(hidden)).toEqual([]);
  expect(hide(message)).not.toMatch(/alice|orders|pg-714|10\.20/);
});

it('the numbers, the engines and the settings of Dyno are those of the run', () => {
  const { run: hidden } = hideHosts(run);
  expect(hidden.cells.map((cell) => [cell.variant, cell.target, cell.rowsPerSecond])).toEqual(
    run.cells.map((cell) => [cell.variant, cell.target, cell.rowsPerSecond]),
  );
  expect(hidden.targets.map(({ fingerprint }) => fingerprint?.product)).toEqual(
    run.targets.map(({ fingerprint }) => fingerprint?.product),
  );
  expect(hidden.trials.map(({ series }) => series.p99Ms)).toEqual(run.trials.map(({ series }) => series.p99Ms));
  expect(hidden.trials[0]?.result?.totals).toEqual(run.trials[0]?.result?.totals);
});

it.each([
  ['127.0.0.1:5432/orders_live', 'on this machine (loopback)', 'localhost'],
  ['[::1]:5432/orders_live', 'on this machine (loopback)', 'localhost'],
  ['/var/run/postgresql', 'on this machine (socket)', '/socket'],
  ['alice_ro@pg-714.corp.example.com:5432/orders_live', 'on another machine, or under another name', 'host 1'],
  ['db-1:5432 through SSH alice_ro@pg-714', 'behind an SSH tunnel', 'host 2, host 1'],
  ['(DESCRIPTION=(ADDRESS=(HOST=pg-714)(PORT=1521)))', 'on another machine, or under another name', 'host 1'],
])('a server at %s is still %s', (address, place, shown) => {
  const tunnel = address.includes('SSH') ? { 'SSH tunnel': 'alice_ro@pg-714' } : {};
  const model = readRun(
    [...fixtureJournal({ connections: [1], repeats: 1 })].map((record) =>
      record.record === 'target' && record.target.name === 'PostgreSQL'
        ? { ...record, target: { ...record.target, address, details: tunnel } }
        : record,
    ),
  );
  const { run: hidden, hide } = hideHosts(model);
  expect(hidden.targets[0]?.address).toBe(shown);
  for (const one of [model, hidden])
    expect(setupRows(one).find(({ setting }) => setting === 'where it runs')?.values[0]).toBe(place);
  const text = 'Through this port of another host the server runs in its own process.';
  expect(hide(text)).toBe(text);
});

it('one name has the same words everywhere, and two names have different ones', () => {
  const { hide } = hideHosts(run);
  expect(hide('10.1.1.1')).not.toBe(hide('10.1.1.2'));
  expect(hide('from 10.1.1.1')).toBe(`from ${hide('10.1.1.1')}`);
});

it.each([
  'at 12:30:45 UTC',
  'SELECT a::bigint, $1::date FROM t /* x */ WHERE b / c > 1',
  '5 rows/s and 3 MB/s',
  'Version 11.2.0.4.0 on 127.0.0.1',
  'p99.9 is 1.2.3',
])('a text without a name stays: %s', (text) => {
  expect(hideHosts(run).hide(text)).toBe(text);
});

it('a word that the experiment needs is hidden only where it names a user or a database', () => {
  // The fixture has a factor “connections” and an operation “insert”.
  const [user, database] = ['connections', 'insert'];
  const named = readRun(
    [...fixtureJournal({ connections: [1], repeats: 1 })].map((record) =>
      record.record === 'target' && record.target.name === 'PostgreSQL'
        ? { ...record, target: { ...record.target, address: `db-714:5432/${database}`, details: { user } } }
        : record,
    ),
  );
  const { run: hidden, hide } = hideHosts(named);
  expect(hidden.plan.experiment).toEqual(named.plan.experiment);
  expect(hidden.targets[0]).toMatchObject({ address: 'host 1', details: {} });
  expect(hide('INSERT INTO connections VALUES (1)')).toBe('INSERT INTO connections VALUES (1)');
  expect(hide('connections@db-714:5432/insert')).toBe('user 1@host 1:5432/database 1');
  expect(hide('user: connections\ndatabase "insert" does not exist')).toBe(
    'user: user 1\ndatabase "database 1" does not exist',
  );
});
