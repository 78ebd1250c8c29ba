import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { startMariadb } from '#managed-servers/servers/mariadb.ts';
import { startMongod } from '#managed-servers/servers/mongodb.ts';
import { startPostgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { dyno } from './cli.fixture.ts';
import { testHome } from './home.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

/** A server that has counted the calls of a program, and the fields of a connection to it. */
interface Loaded extends AsyncDisposable {
  readonly values: Readonly<Record<string, string>>;
}

const calls = Array.from({ length: 20 }, (_, i) => i + 1);

async function onPostgres(): Promise<Loaded> {
  const more = ['-c', 'shared_preload_libraries=pg_stat_statements'];
  const server = await startInFolder((folder) => startPostgres(folder, () => {}, more));
  const client = new pg.Client({ ...server.admin });
  await client.connect();
  await client.query('CREATE EXTENSION pg_stat_statements');
  await client.query('CREATE TABLE people (id int PRIMARY KEY, name text, born timestamptz)');
  await client.query(
    "INSERT INTO people SELECT i, 'Canary ' || i, now() - i * interval '1 day' FROM generate_series(1, 500) i",
  );
  await client.query('CREATE TABLE bills (id int PRIMARY KEY, person int, total numeric(12, 2))');
  await client.query('INSERT INTO bills SELECT i, 1 + i % 500, i FROM generate_series(1, 2000) i');
  for (const i of calls) {
    await client.query(`SELECT name FROM people WHERE name = 'Canary ${i}'`);
    await client.query(
      'SELECT p.name, sum(total) FROM bills b JOIN people p ON p.id = b.person WHERE person = $1 GROUP BY 1',
      [i],
    );
    await client.query(`SELECT id FROM people WHERE born BETWEEN now() - interval '${i} days' AND now()`);
    await client.query('SELECT id FROM people WHERE born >= $1 AND born < $2', [new Date(0), new Date()]);
    await client.query('UPDATE bills SET total = total + 1 WHERE id = $1', [i]);
  }
  await client.end();
  return { values: server.admin as Record<string, string>, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function onMariadb(): Promise<Loaded> {
  const server = await startInFolder((folder) => startMariadb(folder, () => {}, ['--performance-schema=ON']));
  const { host, port, user, password } = server.admin as unknown as mysql.ConnectionOptions;
  const client = await mysql.createConnection({ host: host!, port: port!, user: user!, password: password! });
  for (const sql of [
    'CREATE DATABASE shop',
    'USE shop',
    'CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(40), born DATETIME)',
    "INSERT INTO people SELECT seq, CONCAT('Canary ', seq), NOW() - INTERVAL seq DAY FROM seq_1_to_500",
    'CREATE TABLE bills (id INT PRIMARY KEY, person INT, total DECIMAL(12, 2))',
    'INSERT INTO bills SELECT seq, 1 + seq % 500, seq FROM seq_1_to_2000',
  ])
    await client.query(sql);
  for (const i of calls) {
    await client.query(`SELECT name FROM people WHERE name = 'Canary ${i}'`);
    await client.query(
      `SELECT p.name, SUM(total), COUNT(*) FROM bills b JOIN people p ON p.id = b.person WHERE person = ${i} GROUP BY p.name`,
    );
    await client.query(`SELECT id FROM people WHERE born >= '2000-01-01' AND born < '2026-01-${(i % 9) + 10}'`);
    await client.query(`UPDATE bills SET total = total + 1 WHERE id = ${i}`);
  }
  await client.end();
  const values = { ...(server.admin as Record<string, string>), database: 'shop' };
  return { values, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function onMongodb(): Promise<Loaded> {
  const args = ['--setParameter', 'internalQueryStatsRateLimit=-1'];
  const server = await startInFolder((folder) => startMongod(folder, () => {}, { args }));
  const { host, port, user, password } = server.raw as Record<string, string>;
  const client = new MongoClient(`mongodb://${user}:${encodeURIComponent(password!)}@${host}:${port}/?replicaSet=rs0`);
  const [people, bills] = [client.db('dyno').collection('people'), client.db('dyno').collection('bills')];
  await people.insertMany(Array.from({ length: 500 }, (_, i) => ({ name: `Canary ${i}`, born: new Date(i * 1e9) })));
  await bills.insertMany(
    Array.from({ length: 2000 }, (_, i) => ({ person: i % 500, total: i, place: { city: 'Canary' } })),
  );
  for (const i of calls) {
    await people.find({ name: `Canary ${i}` }).toArray();
    await bills
      .aggregate([{ $match: { person: i } }, { $group: { _id: '$person', sum: { $sum: '$total' } } }])
      .toArray();
    await people.find({ born: { $gte: new Date(0), $lt: new Date(i * 1e9) } }).toArray();
    await bills.find({ 'place.city': 'Canary' }).limit(i).toArray();
  }
  await client.close();
  const values = { ...(server.raw as Record<string, string>), database: 'dyno' };
  return { values, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const servers = [
  { engine: 'postgres', start: onPostgres, reads: 3, writes: true },
  { engine: 'mysql', start: onMariadb, reads: 3, writes: true },
  { engine: 'mongodb', start: onMongodb, reads: 4, writes: false },
];

describe.each(smokeOf(servers))(
  'the statements that a server has counted: $engine',
  ({ engine, start, reads, writes }) => {
    test.skipIf(isSkipped(engine))('become an experiment without values, which runs and only reads', async () => {
      await using server = await start();
      await using test = testHome();
      const { password, ca: _, tlsCAFile: __, ...values } = server.values;
      const passwords = { password: 'ask' } as const;
      openConnectionStore(test.home).save({ id: null, name: 'shop', engine, values, passwords });
      process.env.DYNO_PASSWORD_SHOP = password;
      try {
        const file = join(temporaryFolder(), 'shop.dyno.yaml');
        const made = await dyno(test.home, 'import', 'statements', 'shop', '-o', file, '--json');
        expect(made.err).toContain('was written, and nothing has run');
        const told = JSON.parse(made.out);
        expect(told.taken).toHaveLength(reads);
        for (const one of told.taken) expect(one).toMatchObject({ calls: expect.any(Number), writes: null });
        expect(told.covered.time).toBeGreaterThan(0);
        expect(told.covered.time).toBeLessThanOrEqual(1);
        if (writes) expect(told.left.map(({ why }: { why: string }) => why)).toContain('It changes bills.');
        const text = readFileSync(file, 'utf8');
        expect(text).not.toContain('Canary');
        expect(told.experiment).toBe(text);
        writeFileSync(file, text.replace(/until: .*/, 'until: { seconds: 0.5 }').replace('repeats: 3', 'repeats: 1'));
        const ran = await dyno(test.home, 'run', file, '--trust', '--quiet', '--json', '-');
        expect(ran.err).not.toMatch(/error/i);
        expect(ran.code, ran.out).toBe(exitCodes.ok);
      } finally {
        delete process.env.DYNO_PASSWORD_SHOP;
      }
    });
  },
);
