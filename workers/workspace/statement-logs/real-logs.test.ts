import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MongoClient } from 'mongodb';
import { test as anyTest, expect, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { adminOf } from '#engines/mysql/test-server.fixture.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { startMariadb } from '#managed-servers/servers/mariadb.ts';
import { startMongod } from '#managed-servers/servers/mongodb.ts';
import { startPostgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { partsOf, read } from './logs.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

const canary = 'Ann Canary';
type Logs = Awaited<ReturnType<typeof read>>;

/** The statements as text and calls, whose text has this part. */
const callsOf = ({ kept }: Logs, part: string) =>
  kept.statements.flatMap(({ text, calls }) => (text.toLowerCase().includes(part) ? [[text, calls]] : []));

/** A compressed copy of a file. */
function compressed(file: string): string {
  const copy = join(temporaryFolder(), 'copy.gz');
  writeFileSync(copy, gzipSync(readFileSync(file)));
  return copy;
}

/** Keeps a log for tools of others, where the variable names a folder. */
const keep = (name: string, content: string) => {
  const folder = process.env.DYNO_TEST_KEEP_LOGS;
  if (folder !== undefined) writeFileSync(join(folder, name), content);
};

anyTest('csvlog, jsonlog and stderr of PostgreSQL tell the same statements', async () => {
  const folder = temporaryFolder();
  const settings = {
    ...{ logging_collector: 'on', log_destination: 'stderr,csvlog,jsonlog', log_directory: folder },
    ...{ log_file_mode: '0644', log_filename: 'server.log', log_min_duration_statement: '0', log_connections: 'on' },
    log_line_prefix: '%m [%p] %q%u@%d ',
  };
  const more = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  chmodSync(folder, 0o777);
  {
    await using server = await startInFolder((home) => startPostgres(home, () => {}, more));
    await using client = await connectedClient(server.admin);
    await client.query('CREATE TABLE customers (id int PRIMARY KEY, name text, at timestamptz)');
    await client.query(`INSERT INTO customers VALUES (1, '${canary}', now()), (2, 'Bob''s', now())`);
    for (let id = 1; id < 6; id++) await client.query(`SELECT name FROM customers WHERE id = ${id}`);
    for (let id = 1; id < 4; id++)
      await client.query(`SELECT at,\n\t"id"\nFROM customers\nWHERE name = $1 AND id = $2`, [canary, id]);
    await client.query({ name: 'by_name', text: 'SELECT count(*) FROM customers WHERE name = $1', values: [canary] });
    await client.query({
      name: 'by_name',
      text: 'SELECT count(*) FROM customers WHERE name = $1',
      values: ['x, y = $2'],
    });
    await client.query('PREPARE q(int) AS SELECT at FROM customers WHERE id < $1');
    await client.query('EXECUTE q(3)');
    await client.query('SELECT 1; SELECT name FROM customers');
    await client.query('SELECT broken FROM customers').catch(() => {});
  }
  const files = readdirSync(folder).map((name) => join(folder, name));
  expect(files).toHaveLength(3);
  for (const file of files) {
    const logs = await read([file]);
    keep(`postgres-${file.split('.').at(-1)}.log`, readFileSync(file, 'utf8'));
    expect(logs.files[0]!.unreadable, file).toEqual({ first: [], count: 0 });
    expect(partsOf(logs.balance), file).toBe(logs.balance.entries);
    expect(callsOf(logs, 'from customers'), file).toEqual(
      expect.arrayContaining([
        ['SELECT name FROM customers WHERE id = ?', 5],
        ['SELECT at, "id" FROM customers WHERE name = $1 AND id = $2', 3],
        ['SELECT count(*) FROM customers WHERE name = $1', 2],
        ['SELECT at FROM customers WHERE id < $1', 1],
      ]),
    );
    expect(callsOf(logs, 'insert'), file).toEqual([['INSERT INTO customers VALUES (?, ?, now()), (?, ?, now())', 1]]);
    expect(callsOf(logs, 'broken'), file).toEqual([]);
    const many = logs.kept.statements.find(({ text }) => text.startsWith('SELECT at, "id"'));
    expect(many, file).toMatchObject({
      values: [
        { kind: 'text', least: 10, most: 10 },
        { kind: 'integer', most: 1 },
      ],
    });
    expect(many!.meanMs, file).toBeGreaterThan(0);
    expect(
      logs.kept.others.map(({ kind }) => kind),
      file,
    ).toEqual(expect.arrayContaining(['definition', 'session', 'several']));
    expect(
      logs.databases.map(([name]) => name),
      file,
    ).toEqual([server(logs)]);
    expect(JSON.stringify(logs), file).not.toContain('Canary');
    const again = await read([compressed(file)]);
    expect(again.kept).toEqual(logs.kept);
    expect(await read([file], { since: Date.now() + 60_000 })).toMatchObject({ balance: { calls: 0, parts: 0 } });
    expect((await read([file], { database: 'elsewhere' })).balance.calls).toBe(0);
  }
});

/** The one database of these logs. */
const server = ({ databases }: Logs): string => databases[0]?.[0] ?? '';

anyTest('log_statement and log_duration of PostgreSQL make one call of two entries', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const settings = {
    ...{ logging_collector: 'on', log_destination: 'stderr', log_directory: folder, log_filename: 'server.log' },
    ...{ log_file_mode: '0644', log_statement: 'all', log_duration: 'on' },
  };
  {
    const more = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    await using started = await startInFolder((home) => startPostgres(home, () => {}, more));
    await using client = await connectedClient(started.admin);
    await client.query('CREATE TABLE customers (id int PRIMARY KEY, name text)');
    for (let id = 1; id < 4; id++) await client.query(`SELECT name FROM customers WHERE id = ${id}`);
    for (let id = 1; id < 4; id++) await client.query('SELECT id FROM customers WHERE name = $1', [canary]);
    await client.query('SELECT broken FROM customers').catch(() => {});
  }
  const logs = await read([join(folder, 'server.log')]);
  expect(callsOf(logs, 'from customers')).toEqual(
    expect.arrayContaining([
      ['SELECT name FROM customers WHERE id = ?', 3],
      ['SELECT id FROM customers WHERE name = $1', 3],
    ]),
  );
  for (const { meanMs } of logs.kept.statements) expect(meanMs).toBeGreaterThan(0);
  expect(logs.balance).toMatchObject({ failed: 1, untimed: 0 });
  expect(JSON.stringify(logs)).not.toContain('Canary');
});

anyTest.skipIf(isSkipped('mysql'))('the slow log and the general log of MariaDB', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const [slow, general] = [join(folder, 'slow.log'), join(folder, 'general.log')];
  {
    const args = [
      ...['--slow-query-log=1', `--slow-query-log-file=${slow}`, '--long-query-time=0'],
      ...['--general-log=1', `--general-log-file=${general}`],
    ];
    await using started = await startInFolder((home) => startMariadb(home, () => {}, args));
    const admin = await adminOf({ ...started.admin });
    try {
      await admin.query('CREATE DATABASE shop');
      await admin.query('USE shop');
      await admin.query('CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(40))');
      await admin.query(`INSERT INTO customers VALUES (1, '${canary}'), (2, "Bob's")`);
      for (let id = 1; id < 6; id++) await admin.query(`SELECT name\nFROM customers\n# ${canary}\nWHERE id = ${id}`);
      await admin.query('FLUSH LOGS');
      for (let id = 1; id < 4; id++) await admin.query(`SELECT id FROM customers WHERE name = '${canary}' LIMIT 2`);
    } finally {
      await admin.end();
    }
  }
  keep('mariadb-slow.log', readFileSync(slow, 'utf8'));
  keep('mariadb-general.log', readFileSync(general, 'utf8'));
  for (const file of [slow, general]) {
    const logs = await read([file]);
    expect(logs.files[0]!.unreadable, file).toEqual({ first: [], count: 0 });
    expect(partsOf(logs.balance), file).toBe(logs.balance.entries);
    expect(callsOf(logs, 'from customers'), file).toEqual(
      expect.arrayContaining([
        ['SELECT name FROM customers WHERE id = ?', 5],
        ['SELECT id FROM customers WHERE name = ? LIMIT ?', 3],
      ]),
    );
    expect(JSON.stringify(logs), file).not.toContain('Canary');
    const found = logs.kept.statements.find(({ text }) => text.startsWith('SELECT id'))!;
    if (file === slow) expect(found.rowsPerCall).toBe(1);
    else expect(found).toMatchObject({ meanMs: null, rowsPerCall: null });
    if (file === general) expect(logs.kept.totalMs).toBe(0);
    expect((await read([file], { database: 'shop' })).balance.calls).toBeGreaterThan(8);
  }
});

anyTest.skipIf(isSkipped('mongodb'))('the log of mongod and an export of its profiler', async () => {
  await using started = await startInFolder((home) => startMongod(home, () => {}));
  const { user, password, host, port } = started.admin as Readonly<Record<string, string>>;
  await using client = await MongoClient.connect(`mongodb://${host}:${port}`, {
    ...{ auth: { username: user!, password: password! }, authSource: 'local', authMechanism: 'SCRAM-SHA-256' },
    directConnection: true,
  });
  const db = client.db('shop');
  await db.command({ profile: 2, slowms: 0 });
  await db.collection('orders').insertMany([{ customer: canary }, { customer: 'Bob' }] as never[]);
  for (let id = 1; id < 6; id++) await db.collection('orders').find({ customer: canary }).limit(2).toArray();
  await db.collection('orders').updateOne({ customer: canary }, { $set: { note: canary } });
  await db.command({ profile: 0, slowms: 100 });
  const profile = await db.collection('system.profile').find().toArray();
  const { EJSON } = await import('bson');
  const folder = temporaryFolder();
  const relaxed = join(folder, 'profile.json');
  const canonical = join(folder, 'canonical.json');
  writeFileSync(relaxed, profile.map((one) => `${EJSON.stringify(one)}\n`).join(''));
  writeFileSync(canonical, EJSON.stringify(profile, undefined, 2, { relaxed: false }));
  for (const file of [relaxed, canonical]) {
    const logs = await read([file]);
    expect(logs.files[0]!.unreadable, file).toEqual({ first: [], count: 0 });
    expect(callsOf(logs, '"find"'), file).toEqual([
      ['{"find":"orders","filter":{"customer":{"$param":"customer"}},"limit":{"$param":"limit"}}', 5],
    ]);
    expect(callsOf(logs, '"update"'), file).toHaveLength(1);
    expect(JSON.stringify(logs), file).not.toContain('Canary');
    expect(partsOf(logs.balance), file).toBe(logs.balance.entries);
  }
  const { log } = await client.db('admin').command({ getLog: 'global' });
  const own = join(folder, 'mongod.log');
  writeFileSync(own, (log as readonly string[]).map((line) => `${line}\n`).join(''));
  const logs = await read([own]);
  expect(callsOf(logs, '"find"')).toEqual([
    ['{"find":"orders","filter":{"customer":{"$param":"customer"}},"limit":{"$param":"limit"}}', 5],
  ]);
  expect(JSON.stringify(logs)).not.toContain('Canary');
});
