import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { test as anyTest, expect, vi } from 'vitest';
import type { RunningDerby } from '#managed-servers/servers/derby.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { readerStatements } from '../shared/reader-script.ts';
import { config, type DrdaConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { one, run } from './connection/query.ts';
import { engine } from './engine.ts';
import { defaults, derbyOf, planOf, range, rowsOf, tableOf } from './test-tables.fixture.ts';

/** Several tests start a server more. */
vi.setConfig({ testTimeout: 90_000 });

/** Reaching a server, rights, and servers that stop: on Derby alone, as the client is the same for every server. */
const test = anyTest.skipIf(isSkipped('local-derby'));
const longTest = anyTest.skipIf(isSkipped('local-derby') || !whole);
const signal = new AbortController().signal;
const canary = 'c4nary-s3cret';
const limited = { user: 'limited', password: canary };
const table = tableOf('dyno_server_test');
const failure = failureOf(engine);
let server: RunningDerby;

beforeTests(async (opened) => {
  if (isSkipped('local-derby')) return;
  server = opened.use(await derbyOf({ users: { limited: canary } }));
});

const open = (more: Record<string, unknown> = {}, raw = server.raw) =>
  engine.open(config.parse({ ...raw, ...more }), 'dyno-test', signal);
const admin = () => connect(config.parse(server.admin) as DrdaConfig, 'test-admin');
/** The connection of a user who has no credentials of the database's owner. */
const withoutOwner = () => {
  const { diagnosticsUser: _, diagnosticsPassword: __, ...raw } = server.raw;
  return raw;
};

anyTest('what answers without being a DRDA server is given up after the connect time-out', async () => {
  const sockets: Socket[] = [];
  let greeting = '';
  await using other = await listening((socket) => {
    sockets.push(socket);
    socket.resume().write(greeting);
  });
  const target = { host: '127.0.0.1', port: other.port, database: 'd', password: canary, connectTimeoutMs: 300 };
  const silent = await failure(engine.open(config.parse(target), 'dyno-test', signal));
  expect(silent).toMatchObject({ kind: 'unreachable', hint: expect.stringContaining('DRDA') });
  greeting = 'HTTP/1.1 400 Bad Request\r\n\r\n';
  const talking = await failure(engine.open(config.parse(target), 'dyno-test', signal));
  expect(talking).toMatchObject({ kind: 'unreachable' });
  expect(JSON.stringify([silent, talking])).not.toContain(canary);
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

test('a wrong password is distinguished from a wrong host, database and TLS, and never repeated', async () => {
  const errors = await Promise.all([
    failure(open({ password: canary })),
    failure(open({ password: canary, port: 1 })),
    failure(open({ password: canary, host: 'no.such.host.invalid' })),
    failure(open({ ...limited, database: 'nope' })),
    failure(open({ password: canary, ssl: 'require' })),
    failure(open({ ...limited, security: 'userOnly' })),
    failure(open({ ...limited, ca: '/none.pem', ssl: 'verify-full' })),
  ]);
  expect(errors.map((error) => error?.kind)).toEqual([
    'authentication',
    'unreachable',
    'unreachable',
    'badInput',
    'tls',
    'authentication',
    'badInput',
  ]);
  expect(JSON.stringify(errors)).not.toContain(canary);
});

longTest('a server with TLS is reached by its certificate, and not in the clear', async () => {
  await using secure = await derbyOf({ tls: true });
  const ca = readFileSync(secure.certificate!, 'utf8');
  const reach = async (more: Record<string, unknown>) => {
    await using database = await open(more, secure.raw);
    await database.ping();
  };
  await reach({ ssl: 'require' });
  await reach({ ssl: 'verify-full', ca, host: 'localhost' });
  expect(await failure(reach({ ssl: 'verify-full' }))).toMatchObject({ kind: 'tls' });
  expect(await failure(reach({}))).toMatchObject({ kind: 'tls', hint: expect.stringContaining('ssl') });
});

test.each(['plain', 'substitute'])('the password travels as asked for: %s', async (security) => {
  await using database = await open({ security });
  expect((await database.fingerprint()).other['security mechanism']).toBe(security);
});

test('a user with few rights gets what there is, with what is missing listed, and asked for once', async () => {
  await using database = await open(limited, withoutOwner());
  const first = await database.probe();
  expect(first.unavailable).toEqual([expect.stringContaining('SYSCS_DIAG.TRANSACTION_TABLE')]);
  expect(first.gauges.locks).toBeGreaterThanOrEqual(0);
  expect((await database.probe()).unavailable).toEqual(first.unavailable);
  const before = await database.fingerprint();
  expect(before.unavailable.join('\n')).toMatch(/SYSCS_GET_DATABASE_PROPERTY[\s\S]*SYSCS_CHECKPOINT_DATABASE/);
  const boss = await admin();
  const script = config.grants(config.parse({ ...server.raw, user: 'limited', dialect: 'derby' })) ?? '';
  for (const [grant] of script.matchAll(/^GRANT [^;]+/gm)) await run(boss, grant);
  const after = await database.fingerprint();
  expect(after.unavailable.join('\n')).not.toMatch(/GRANT/);
  expect(after.memory['derby.storage.pageCacheSize']).not.toBe(before.memory['derby.storage.pageCacheSize']);
  await boss.close();
});

longTest(
  'the user that may only read, as the script of rights has it, can be measured with, and writes nothing',
  async () => {
    await using own = await derbyOf({ users: { reads: canary } });
    const boss = await connect(config.parse(own.admin) as DrdaConfig, 'test-admin');
    await run(boss, 'CREATE SCHEMA SHOP');
    await run(boss, 'CREATE TABLE SHOP.THEIRS (X INTEGER)');
    await run(boss, 'INSERT INTO SHOP.THEIRS VALUES (7)');
    const login = { ...own.raw, user: 'reads', password: canary };
    const { diagnosticsUser: _, diagnosticsPassword: __, ...raw } = login as Record<string, unknown>;
    const parsed = config.parse({ ...raw, dialect: 'derby' });
    for (const sql of readerStatements(config.grants(parsed) ?? '')) await run(boss, sql.replace(/;$/, ''));
    await run(boss, 'GRANT SELECT ON TABLE SHOP.THEIRS TO READS');
    await boss.close();
    await using database = await engine.open(parsed, 'dyno-test', signal);
    expect((await database.probe()).gauges.locks).toBeGreaterThanOrEqual(0);
    expect((await database.fingerprint()).product).toContain('Derby');
    expect(await failure(database.prepareSchema(table))).not.toBeNull();
    const reader = await connect(parsed as DrdaConfig, 'test-reader');
    expect(await one(reader, 'SELECT X FROM SHOP.THEIRS')).toBe(7);
    for (const sql of ['INSERT INTO SHOP.THEIRS VALUES (8)', 'DROP TABLE SHOP.THEIRS', 'CREATE TABLE MINE (X INTEGER)'])
      await expect(run(reader, sql), sql).rejects.toThrow();
    await reader.close();
  },
);

test('who may not create tables is told so, and with what to do', async () => {
  await using owner = await open();
  await owner.prepareSchema(table);
  await owner.drop(table); // the schema is the owner's now
  await using database = await open(limited);
  const error = await failure(database.prepareSchema(table));
  expect(error).toMatchObject({ kind: 'permission', hint: expect.stringContaining('dyno grants') });
  expect(error?.message).toContain('LIMITED may not do this in the schema DYNO');
});

longTest('connections beyond the server’s threads are given up with a hint', async () => {
  await using small = await derbyOf({ properties: { 'derby.drda.maxThreads': '3' } });
  await using database = await open({}, small.raw);
  await using session = await database.openSession(defaults);
  const error = await failure(open({ connectTimeoutMs: 1_000 }, small.raw));
  expect(error).toMatchObject({ kind: 'unreachable', hint: expect.stringContaining('maxThreads') });
  await database.ping();
  expect(session.wireBytes()?.sent).toBeGreaterThan(0);
});

test.each(smokeOf(['measure', 'load', 'drain']))(
  'a server killed during %s is reported as gone, and others are unharmed',
  async (phase) => {
    await using other = await derbyOf();
    const database = await open({}, other.raw);
    await database.prepareSchema(table);
    const session = await database.openSession(defaults);
    const insert = await session.prepare(planOf(table, 'insert', 'prepared'));
    let failed: Promise<unknown>;
    if (phase === 'load') {
      function* endless() {
        for (let at = 0; ; at += 500) yield rowsOf(range(at, 500));
      }
      let loaded = 0;
      failed = failure(database.load(table, endless(), (rows) => (loaded = rows), signal));
      await expect.poll(() => loaded, { timeout: 20_000 }).toBeGreaterThan(0);
    } else {
      if (phase === 'drain') await session.begin();
      let written = 0;
      const write = async () => {
        for (;;) written += await insert.run(insert.encode(rowsOf([written])));
      };
      if (phase === 'drain') await insert.run(insert.encode(rowsOf([-1])));
      failed = phase === 'measure' ? failure(write()) : Promise.resolve(null);
      if (phase === 'measure') await expect.poll(() => written, { timeout: 20_000 }).toBeGreaterThan(10);
    }
    process.kill(other.pid, 'SIGKILL');
    await other.gone;
    if (phase === 'drain') failed = failure(Promise.resolve(session.commit()));
    expect(await failed).toMatchObject({ kind: 'serverGone', hint: expect.stringContaining('log') });
    expect(await failure(database.ping())).toMatchObject({ kind: 'serverGone' });
    await session[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    expect(await failure(open({}, other.raw))).toMatchObject({ kind: 'unreachable' });
    await using unharmed = await open();
    await unharmed.ping();
  },
);
