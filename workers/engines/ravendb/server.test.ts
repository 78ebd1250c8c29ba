import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as anyTest, expect } from 'vitest';
import type { Session } from '#engine-api/session.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { ravendb, startRavenDb } from '#managed-servers/servers/ravendb/ravendb.ts';
import { makeCertificate } from '#managed-servers/servers/ravendb/ravendb-certificate.ts';
import { findOpenssl } from '#managed-servers/servers/server-certificate.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName, TableOperation } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { config, type RavenConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import type { Link } from './connection/link.ts';
import { tlsOptions } from './connection/tls.ts';
import { engine } from './engine.ts';
import { readOptions } from './options.ts';

/**
 * These tests are about features that only RavenDB has, and about faults; on servers of the tests' own, which they may
 * kill.
 */
const unsupportedReasons = isSkipped('ravendb') || (await ravendb.missing()) !== null;
const test = anyTest.skipIf(unsupportedReasons);
const longTest = anyTest.skipIf(unsupportedReasons || !whole);
const signal = new AbortController().signal;
const table: TablePlan = {
  name: 'dyno_server_test',
  key: 0,
  options: {},
  columns: [
    { name: 'id', type: { kind: 'bigint' }, nullable: false },
    { name: 'at', type: { kind: 'timestamp' }, nullable: false },
  ],
};

type Server = RunningServer;
const startServer = (wishes: Parameters<typeof startRavenDb>[2] = {}): Promise<Server> =>
  startInFolder((inside) => startRavenDb(inside, () => {}, wishes));

let server: Server;
let admin: Link;
let folder: string;
beforeTests(async (opened) => {
  folder = temporaryFolder(opened);
  server = opened.use(await startServer({ settings: { 'Http.AllowResponseCompressionOverHttps': 'true' } }));
  const parsed = config.parse(server.admin) as RavenConfig;
  admin = (await connect(parsed, { tag: 'test-admin', options: readOptions({}) })).link;
  opened.defer(() => admin.close());
});

const open = (more: Record<string, unknown> = {}, where: Server = server) =>
  engine.open(config.parse({ ...where.raw, connectTimeoutMs: 20_000, ...more }), 'dyno-test', signal);
const failure = failureOf(engine);

const start = 1_600_000_000_000_789;
const numbers = (rows: number, of: (i: number) => number) => ({
  kind: 'number' as const,
  values: Float64Array.from({ length: rows }, (_, i) => of(i)),
  nulls: null,
});
const keysOf = (from: number, rows: number): Batch => ({
  rows,
  columns: [numbers(rows, (i) => from + i)],
});
const rowsOf = (from: number, rows: number): Batch => ({
  rows,
  columns: [...keysOf(from, rows).columns, numbers(rows, (i) => start + from + i)],
});
const prepare = (session: Session, operation: TableOperation, method: MethodName, options: Options = {}) =>
  session.prepare({
    table: { ...table, options },
    operation,
    method,
    settings: { ...defaultSettings, operation, method, rangeRows: 5 },
  });
const answer = async <A>(path: string): Promise<A> => (await admin.ask({ path })) as A;
const document = async (id: number | string) =>
  (await answer<{ Results: readonly Record<string, unknown>[] }>(`/docs?id=${table.name}/${encodeURIComponent(id)}`))
    .Results[0]!;

/** A certificate that the server may or may not know, as a target has it. */
async function certificate(name: string, permissions: Readonly<Record<string, string>> | null) {
  const password = randomBytes(8).toString('hex');
  const { pem, pfx } = await makeCertificate(findOpenssl()!, join(folder, name), name, password);
  if (permissions !== null) {
    const Certificate = readFileSync(pem, 'utf8').replaceAll(/-----[^-]+-----|\s/g, '');
    const body = { Name: name, Certificate, SecurityClearance: 'ValidUser', Permissions: permissions };
    await admin.ask({ method: 'PUT', path: '/admin/certificates', ofServer: true, body: JSON.stringify(body) });
  }
  return { certificate: pfx, certificatePassword: password };
}

/** A port that nobody listens on just now. */
async function closedPort(): Promise<number> {
  await using one = await listening();
  return one.port;
}

test('host, port, TLS and certificates are distinguished, and no password is repeated', async () => {
  const canary = 'c4nary-s3cret';
  const url = String(server.raw.url);
  const unknown = await certificate('unknown', null);
  const nobody = await closedPort();
  const [wrong, away, nowhere, plain, distrusted, stranger] = await Promise.all([
    failure(open({ certificatePassword: canary })),
    failure(open({ url: `https://127.0.0.1:${nobody}` })),
    failure(open({ url: 'https://no.such.host.invalid' })),
    failure(
      engine.open(config.parse({ url: url.replace('https', 'http'), connectTimeoutMs: 5_000 }), 'dyno-test', signal),
    ),
    failure(open({ ca: null })),
    failure(open(unknown)),
  ]);
  expect(wrong).toMatchObject({ kind: 'badInput', hint: expect.stringContaining('certificatePassword') });
  expect(away).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
  expect(nowhere).toMatchObject({ kind: 'unreachable', code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
  expect(plain).toMatchObject({ kind: 'unreachable', hint: expect.stringContaining('https') });
  expect(distrusted).toMatchObject({ kind: 'tls', hint: expect.stringContaining('ca') });
  expect(stranger).toMatchObject({ kind: 'authentication', hint: expect.stringContaining('Register') });
  const said = JSON.stringify([wrong, away, nowhere, plain, distrusted, stranger]);
  for (const secret of [canary, unknown.certificatePassword, String(server.raw.certificatePassword)])
    expect(said).not.toContain(secret);
});

test('a server that takes connections and says nothing is given up after the time-out, or when told to', async () => {
  await using silent = await listening();
  const url = `http://127.0.0.1:${silent.port}`;
  const late = engine.open(config.parse({ url, connectTimeoutMs: 300 }), 'dyno-test', signal);
  expect(await failure(late)).toMatchObject({ kind: 'unreachable', code: 'ETIMEDOUT' });
  const stop = new AbortController();
  const opening = engine.open(config.parse({ url }), 'dyno-test', stop.signal);
  setTimeout(() => stop.abort(), 50);
  expect(await failure(opening)).toMatchObject({ kind: 'cancelled' });
});

/** The outcome of opening a target that answers every request with this text. */
async function openedAt(answer: string) {
  await using other = await listening((socket) => socket.once('data', () => socket.end(answer)));
  return await failure(engine.open(config.parse({ url: `http://127.0.0.1:${other.port}` }), 'dyno-test', signal));
}
const ok = (json: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${json.length}\r\n\r\n${json}`;

test('what is no RavenDB is said to be none, and what is too old for the driver to be so', async () => {
  expect(await openedAt(ok('{}'))).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('not RavenDB'),
  });
  expect(await openedAt(ok('{"BuildVersion":41,"FullVersion":"4.1.0"}'))).toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('RavenDB 4.1.0'),
    hint: expect.stringContaining('7.2'),
  });
});

test.each([
  ['garbage', '\u0001\u0002 no HTTP at all \r\n\r\n'],
  ['half an answer', ok('{"FullVersion":"7.2.6"}').slice(0, -9)],
  ['no JSON', ok('End User License')],
])('%s instead of an answer is an error that says so', async (_, answer) => {
  expect(await openedAt(answer)).toMatchObject({ kind: 'unreachable' });
});

test('the first node that answers is measured', async () => {
  await using database = await open({ url: `https://127.0.0.1:${await closedPort()},${server.raw.url}` });
  await database.ping();
  await using session = await database.openSession({});
  expect(session.wireBytes()!.received).toBeGreaterThan(0);
});

test('a server’s certificate is checked unless told otherwise; PEM files do as well as PFX', async () => {
  await using trusting = await open({ ca: null, verifyServer: false });
  expect((await trusting.fingerprint()).other.tls).toContain('not checked');
  const both = join(folder, 'both.pem');
  const known = await certificate('pem', {});
  const { execFileSync } = await import('node:child_process');
  const args = ['pkcs12', '-in', known.certificate, '-nodes', '-passin', 'stdin'];
  writeFileSync(both, execFileSync(findOpenssl()!, args, { input: `${known.certificatePassword}\n` }), { mode: 0o600 });
  await using database = await open({ certificate: both, certificatePassword: null });
  await database.ping();
});

test('the requests of the script of rights are what the server takes', async () => {
  const parsed = config.parse({ ...server.raw, database: 'granted' }) as RavenConfig;
  const script = config.grants(parsed)!;
  const requests = [...script.matchAll(/^curl .*? -X (\w+) '([^']+)'[^']*-d '([^']+)'/gm)];
  expect(requests).toHaveLength(2);
  const statuses: (number | undefined)[] = [];
  for (const [, method, url, body] of requests) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const sent = httpsRequest(url!, { method, headers, ...tlsOptions(parsed) }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', reject);
      sent.end(body);
    });
    statuses.push(status);
  }
  expect(statuses).toEqual([201, 200]);
  const { Results: found } = (await admin.ask({ path: '/admin/certificates', ofServer: true })) as {
    Results: readonly { Name: string; SecurityClearance: string; Permissions: Record<string, string> }[];
  };
  expect(found.find(({ Name: name }) => name === 'dyno')).toMatchObject({
    SecurityClearance: 'ValidUser',
    Permissions: { granted: 'Admin' },
  });
}, 120_000);

test('it is known whether the certificate may write', async () => {
  await (await open({ database: 'seen' })).prepareSchema(table); // by the administrator
  await using writes = await open({ database: 'seen', ...(await certificate('writes', { SEEN: 'ReadWrite' })) });
  expect(await writes.fingerprint()).toMatchObject({ mayWrite: true });
  await using operates = await open({ database: 'seen' });
  expect(await operates.fingerprint()).toMatchObject({ mayWrite: true });
}, 120_000);

test('a certificate for the database alone still works, with what is missing listed, and asked for once', async () => {
  await (await open({ database: 'few' })).prepareSchema(table); // by the administrator
  await using database = await open({ database: 'few', ...(await certificate('few', { few: 'ReadWrite' })) });
  const { unavailable, other } = await database.fingerprint();
  expect(unavailable.join('\n')).toMatch(/Memory: .*Operator/s);
  expect(other.licence).toContain('none');
  const first = await database.probe();
  expect(first.unavailable).toEqual([
    expect.stringMatching(/Processor time.*Operator.*dyno grants/s),
    expect.stringMatching(/Garbage collections.*Operator.*dyno grants/s),
  ]);
  expect(first.counters.requests).toBeGreaterThan(0);
  await database.prepareSchema(table);
  await database.load(table, [rowsOf(0, 500)], () => {}, signal);
  await using session = await database.openSession({});
  const range = await prepare(session, 'readRange', 'bind'); // makes the server make an index
  expect(await range.run(range.encode(keysOf(10, 1)))).toBe(5);
  expect((await database.probe()).unavailable).toEqual(first.unavailable);
  const defined = { ...table, options: { index: 'static', indexWhen: 'beforeLoad' } };
  expect(await failure(database.prepareSchema(defined))).toMatchObject({
    kind: 'permission',
    message: expect.stringContaining('DatabaseAdmin'),
  });
  await database.drop(table);
  await using elsewhere = await open({ database: 'none', ...(await certificate('none', {})) });
  expect(await failure(elsewhere.prepareSchema(table))).toMatchObject({ kind: 'permission' });
}, 120_000);

test('garbage collections are told with their pauses, and the heap after the last', async () => {
  await using database = await open({ database: 'collected' });
  const first = await database.probe();
  expect(first.unavailable).toEqual([]);
  expect(first.gauges).toMatchObject({ gc_longest_pause: 0, gc_heap_bytes: expect.any(Number) as number });
  expect(first.counters).toMatchObject({ gc_collections: expect.any(Number) as number, gc_pauses: 0 });
});

test('who may not create the database is told who does', async () => {
  await using database = await open({ database: 'missing', ...(await certificate('creator', { missing: 'Admin' })) });
  expect((await database.probe()).gauges).toEqual({ active: 0 });
  expect(await failure(database.prepareSchema(table))).toMatchObject({
    kind: 'permission',
    message: expect.stringContaining('Creating the database missing'),
    hint: expect.stringContaining('dyno grants'),
  });
});

test.each([
  ['text', `${new Date(start / 1_000).toISOString().slice(0, -1).replace('T', ' ')}789`],
  ['date', `${new Date(start / 1_000).toISOString().slice(0, -1)}7890Z`],
  ['ticks', start],
])(
  'timestamps as %s are stored as %s, and every way of asking gives the same answer',
  async (dates, stored) => {
    await using database = await open();
    const options = { dates, index: 'static', indexWhen: 'beforeLoad', waitForNonStale: true };
    const byDate: TablePlan = { ...table, key: 1, options };
    await database.prepareSchema(byDate);
    await database.load(byDate, [rowsOf(0, 300)], () => {}, signal);
    expect((await document(stored)).at).toBe(stored);
    const sums = await database.checksum(byDate);
    expect(sums?.columns[1]).toBe(String(BigInt(start) * 300n + (299n * 300n) / 2n));
    const at: Batch = { rows: 1, columns: [numbers(1, () => start + 297)] };
    for (const index of ['static', 'auto'])
      for (const api of ['session', 'command'])
        for (const method of ['bind', 'literal'] as const) {
          const all = { ...options, index, api };
          await using session = await database.openSession(all);
          const range = await session.prepare({
            table: { ...byDate, options: all },
            operation: 'readRange',
            method,
            settings: { ...defaultSettings, rangeRows: 5 },
          });
          expect(await range.run(range.encode(at)), `${index} ${api} ${method}`).toBe(3);
        }
    await database.drop(byDate);
  },
  60_000,
);

test('an answer without the last writes is an error, unless the query waits for them', async () => {
  await using database = await open();
  await database.prepareSchema(table);
  await database.load(table, [rowsOf(0, 100)], () => {}, signal);
  await using session = await database.openSession({});
  const range = await prepare(session, 'readRange', 'bind');
  expect(await range.run(range.encode(keysOf(10, 1)))).toBe(5);
  await using patient = await database.openSession({ waitForNonStale: true });
  const waits = await prepare(patient, 'readRange', 'bind', { waitForNonStale: true });
  await admin.ask({ method: 'POST', path: '/admin/indexes/stop' });
  await database.load(table, [rowsOf(100, 3)], () => {}, signal);
  expect(await failure(range.run(range.encode(keysOf(98, 1))))).toMatchObject({ code: 'stale' });
  const waiting = waits.run(waits.encode(keysOf(98, 1)));
  await sleep(200);
  await admin.ask({ method: 'POST', path: '/admin/indexes/start' });
  expect(await waiting).toBe(5);
  await database.drop(table);
});

longTest('an index after the load is there for ranges alone, one before it for everything', async () => {
  await using database = await open();
  const names = async () =>
    (await answer<{ Indexes: { Name: string }[] }>('/stats')).Indexes.map((index) => index.Name.toLowerCase());
  await database.prepareSchema(table);
  await database.settle(table);
  expect(await names()).toEqual([]);
  await using session = await database.openSession({});
  await prepare(session, 'insert', 'bind');
  expect(await failure(prepare(session, 'readRange', 'bind', { index: 'none' }))).toMatchObject({
    kind: 'unsupported',
  });
  expect(await names()).toEqual([]);
  await prepare(session, 'readRange', 'bind');
  expect(await names()).toEqual([expect.stringContaining(`auto/${table.name}/`)]);
  await database.prepareSchema({ ...table, options: { index: 'static', indexWhen: 'beforeLoad' } });
  expect(await names()).toEqual([`dyno/${table.name}`]);
  await database.drop(table);
  expect(await names()).toEqual([]);
});

longTest('without optimistic concurrency, or cluster-wide, a document takes the place of another', async () => {
  await using database = await open();
  await database.prepareSchema(table);
  await database.load(table, [rowsOf(1, 1)], () => {}, signal);
  for (const options of [{ optimisticConcurrency: false }, { transactionMode: 'clusterWide' }] as const)
    for (const api of ['session', 'command'])
      for (const [value, method] of [
        [7, 'bind'],
        [8, 'multiRow'],
      ] as const) {
        await using session = await database.openSession({ ...options, api });
        const insert = await prepare(session, 'insert', method, { ...options, api });
        const again: Batch = { ...rowsOf(1, 1), columns: [...keysOf(1, 1).columns, numbers(1, () => value)] };
        expect(await insert.run(insert.encode(again))).toBe(1);
        expect((await document(1)).at).toContain(`00:00:00.00000${value}`);
      }
  await database.drop(table);
});

longTest('a cluster-wide transaction deletes what is there', async () => {
  await using database = await open();
  await database.prepareSchema(table);
  await database.load(table, [rowsOf(1, 4)], () => {}, signal);
  const options = { transactionMode: 'clusterWide' };
  await using session = await database.openSession(options);
  const remove = await prepare(session, 'delete', 'multiRow', options);
  expect(await remove.run(remove.encode(keysOf(1, 3)))).toBe(3);
  expect((await database.checksum(table))?.rows).toBe(1);
  await database.drop(table);
});

longTest('compression saves bytes', async () => {
  await using database = await open();
  await database.prepareSchema(table);
  await database.load(table, [rowsOf(0, 500)], () => {}, signal);
  const received = async (options: Options) => {
    await using session = await database.openSession(options);
    const read = await prepare(session, 'readByKey', 'multiRow', options);
    const before = session.wireBytes()!.received;
    for (let i = 0; i < 3; i++) expect(await read.run(read.encode(keysOf(0, 300)))).toBe(300);
    return session.wireBytes()!.received - before;
  };
  expect(await received({ compression: true })).toBeLessThan((await received({})) / 3);
  await database.drop(table);
});

longTest.each(['stream', 'pages'])(
  'a scan by %s reads more than fits into any buffer, from its first request on',
  async (scan) => {
    await using database = await open();
    await database.prepareSchema(table);
    await database.load(table, [rowsOf(0, 6_000)], () => {}, signal);
    await using session = await database.openSession({ scan });
    const read = await prepare(session, 'scan', 'bind', { scan });
    expect(await read.run(null)).toBe(6_000);
    expect(await read.run(null)).toBe(6_000);
    await database.drop(table);
  },
);

test('a table without a key has ids that the server makes', async () => {
  await using database = await open();
  const keyless = { ...table, key: null };
  await database.prepareSchema(keyless);
  await database.load(keyless, [rowsOf(5, 3), rowsOf(5, 3)], () => {}, signal);
  await using session = await database.openSession({});
  for (const method of ['bind', 'multiRow', 'bulk'] as const) {
    const insert = await session.prepare({ table: keyless, operation: 'insert', method, settings: defaultSettings });
    const rows = method === 'bind' ? 1 : 3;
    expect(await insert.run(insert.encode(rowsOf(5, rows)))).toBe(rows);
  }
  expect((await database.checksum(keyless))?.rows).toBe(13);
  await database.drop(keyless);
});

longTest('a collection that others write into is distinguished from one that only begins alike', async () => {
  await using database = await open();
  const longer = { ...table, name: `${table.name}2` };
  for (const one of [table, longer]) await database.prepareSchema(one);
  await database.load(longer, [rowsOf(0, 3)], () => {}, signal);
  expect((await database.checksum(table))?.rows).toBe(0);
  await database.drop(table);
  expect((await database.checksum(longer))?.rows).toBe(3);
  await database.drop(longer);
});

longTest('journal writes come out once, and when they happened', async () => {
  await using database = await open();
  await database.prepareSchema(table);
  expect((await database.probe()).events).toEqual([]);
  await using session = await database.openSession({});
  const insert = await prepare(session, 'insert', 'bind');
  const began = performance.now();
  for (let id = 0; id < 20; id++) await insert.run(insert.encode(rowsOf(id, 1)));
  const { events = [] } = await database.probe();
  const elapsed = performance.now() - began;
  const writes = events.filter(({ kind }) => kind === 'journal_write');
  expect(writes.length).toBeGreaterThanOrEqual(20);
  for (const { agoMs, bytes, durationMs } of writes) {
    expect(agoMs).toBeGreaterThan(-20); // clocks are compared to half a round trip
    expect(agoMs).toBeLessThan(elapsed + 1_000);
    expect(bytes).toBeGreaterThan(0);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  }
  await sleep(50);
  const again = (await database.probe()).events!.filter(({ kind }) => kind === 'journal_write');
  expect(again.length).toBeLessThan(20);
  // More than the server lists one by one: it sums up every 257 of a journal, and each journal is larger than the last.
  const more = 1_000;
  await using fast = await database.openSession({ api: 'command' });
  const store = await prepare(fast, 'insert', 'bind', { api: 'command' });
  for (let id = 100; id < 100 + more; id++) await store.run(store.encode(rowsOf(id, 1)));
  const many = (await database.probe()).events!.filter(({ kind }) => kind === 'journal_write');
  expect(many.some(({ sum }) => sum !== undefined)).toBe(true);
  const count = many.reduce((total, { sum }) => total + (sum?.count ?? 1), 0);
  expect(count).toBeGreaterThanOrEqual(more);
  expect(count).toBeLessThan(2 * more + 100); // one transaction is one or two
  await database.drop(table);
});

longTest(
  'cancelling ends a scan and a bulk insert, and the session goes on',
  async () => {
    await using database = await open();
    await database.prepareSchema(table);
    await database.load(table, [rowsOf(0, 10_000), rowsOf(10_000, 10_000)], () => {}, signal);
    await using session = await database.openSession({});
    const scan = await prepare(session, 'scan', 'bind');
    const scanning = failure(scan.run(null));
    await sleep(30);
    await session.cancel();
    expect(await scanning).toMatchObject({ kind: 'cancelled' });
    const bulk = await prepare(session, 'insert', 'bulk');
    const call = bulk.encode(rowsOf(20_000, 20_000));
    const inserting = failure(bulk.run(call));
    await sleep(30);
    await session.cancel();
    expect(await inserting).toMatchObject({ kind: 'cancelled' });
    const one = bulk.encode(rowsOf(90_000, 1));
    expect(await bulk.run(one)).toBe(1);
    await database.drop(table);
  },
  60_000,
);

longTest('waiting for an index can be cancelled, and the control connection goes on', async () => {
  await using database = await open();
  await database.prepareSchema({ ...table, options: { indexWhen: 'beforeLoad' } });
  await admin.ask({ method: 'POST', path: '/admin/indexes/stop' });
  await database.load(table, [rowsOf(0, 3)], () => {}, signal);
  const settling = failure(database.settle(table));
  await sleep(300);
  expect((await database.probe()).gauges).toMatchObject({ stale_indexes: 1, index_lag: 3 });
  await database.cancel();
  expect(await settling).toMatchObject({ kind: 'cancelled' });
  await admin.ask({ method: 'POST', path: '/admin/indexes/start' });
  await database.settle(table);
  expect((await database.probe()).gauges).toMatchObject({ stale_indexes: 0, index_lag: 0 });
  await database.drop(table);
});

test('a load that is cancelled leaves nothing', async () => {
  await using database = await open();
  await database.prepareSchema(table);
  const stop = new AbortController();
  function* endless() {
    for (let from = 0; ; from += 500) yield rowsOf(from, 500);
  }
  const loading = failure(database.load(table, endless(), (rows) => rows > 1_000 && stop.abort(), stop.signal));
  expect(await loading).toMatchObject({ kind: 'cancelled' });
  expect((await database.checksum(table))?.rows).toBe(0);
  await database.drop(table);
});

/** Everything that can be going on when a server dies. */
const moments = ['load', 'measure', 'command', 'bulk', 'scan', 'checksum'] as const;

longTest.each(['SIGKILL', 'SIGTERM'] as const)(
  'a server gone by %s is reported as such, whatever was going on',
  async (by) => {
    await using doomed = await startServer({ secured: by === 'SIGKILL' });
    const databases = await Promise.all(moments.map(() => open({}, doomed)));
    await using other = await open();
    await other.prepareSchema(table);
    await using unharmed = await other.openSession({});
    const insertElsewhere = await prepare(unharmed, 'insert', 'bind');
    const work = moments.map((moment, i) => ({
      moment,
      database: databases[i]!,
      plan: { ...table, name: `dyno_${moment}`, options: moment === 'command' ? { api: 'command' } : {} },
    }));
    for (const { database, plan, moment } of work) {
      await database.prepareSchema(plan);
      if (moment === 'scan' || moment === 'checksum') await database.load(plan, [rowsOf(0, 5_000)], () => {}, signal);
    }
    const sessions = await Promise.all(work.map(({ database, plan }) => database.openSession(plan.options)));
    function* endless() {
      for (let from = 0; ; from += 100) yield rowsOf(from, 100);
    }
    const running = work.map(async ({ moment, database, plan }, i) => {
      const session = sessions[i]!;
      const prepared = (operation: TableOperation, method: MethodName) =>
        session.prepare({ table: plan, operation, method, settings: defaultSettings });
      switch (moment) {
        case 'load':
          return database.load(plan, endless(), () => {}, signal);
        case 'checksum':
          for (;;) await database.checksum(plan);
        case 'scan': {
          const scan = await prepared('scan', 'bind');
          for (;;) await scan.run(null);
        }
        default: {
          const insert = await prepared('insert', moment === 'bulk' ? 'bulk' : 'bind');
          const rows = moment === 'bulk' ? 2_000 : 1;
          for (let from = 0; ; from += rows) await insert.run(insert.encode(rowsOf(from, rows)));
        }
      }
    });
    const failures = running.map((one) => failure(one));
    await sleep(300);
    process.kill(doomed.pid, by);
    for (const [i, error] of (await Promise.all(failures)).entries())
      expect(error, moments[i]).toMatchObject({ kind: 'serverGone', hint: expect.any(String) });
    expect(await insertElsewhere.run(insertElsewhere.encode(rowsOf(0, 1)))).toBe(1);
    for (const one of [...sessions, ...databases]) await one[Symbol.asyncDispose]();
    await other.drop(table);
  },
  120_000,
);

longTest(
  'own requests load with what they include, make indexes of their tables, and refuse what is no change',
  async () => {
    await using database = await open();
    await database.prepareSchema(table);
    await using session = await database.openSession({});
    const nothing: Batch = { rows: 1, columns: [] };
    const own = async (request: object) => {
      const text = JSON.stringify(request);
      const plan = { text, parameters: [], method: 'bind', tables: { table }, options: {}, isRead: false } as const;
      const statement = await session.prepareStatement!(plan);
      return {
        run: async () => statement.run(statement.encode(nothing)),
        show: () => statement.show(statement.encode(nothing), 9),
      };
    };
    const put = (id: number) => ({
      Type: 'PUT',
      Id: `{table}/${id}`,
      Document: { id, next: id + 1, '@metadata': { '@collection': '{table}' } },
    });
    const take = (most: number) => ({
      Type: 'PATCH',
      Id: '{table}/1',
      Patch: { Script: "if (this.id > args.most) throw new Error('too much'); this.id++;", Values: { most } },
    });
    expect(await (await own({ Commands: [put(1), put(2)] })).run()).toBe(2);
    const load = await own({ Ids: ['{table}/1', '{table}/9'], Includes: ['next({table}/)'] });
    expect(await load.run()).toBe(1);
    expect((await load.show()).columns).toEqual(['id', 'next', '@change-vector']);

    // The statements of a transaction are stored together, or none of them is.
    const [third, refused, taken] = [await own(put(3)), await own(take(0)), await own(take(1))];
    session.begin();
    expect([await third.run(), await refused.run()]).toEqual([1, 1]);
    expect(await failure(Promise.resolve(session.commit()))).toMatchObject({ kind: 'constraint', retryable: false });
    expect(await answer('/collections/stats')).toMatchObject({ Collections: { [table.name]: 2 } });
    session.begin();
    expect(await third.run()).toBe(1);
    expect(await failure(refused.show())).toMatchObject({ kind: 'constraint' });
    session.rollback();
    session.begin();
    expect((await third.show()).rows).toEqual([['PUT', `${table.name}/3`]]);
    expect((await taken.show()).count).toBe(1);
    session.rollback();
    expect(await document(1)).toMatchObject({ id: 1 });
    expect(
      await (await own({ ...take(0), Id: '{table}/8', PatchIfMissing: { Script: 'this.made = true' } })).run(),
    ).toBe(1);

    const index = (name: string) => ({
      Indexes: [{ Name: name, Maps: ['from row in docs.{table} select new { row.next }'] }],
      Query: "from index '{table}/next' where next = 3",
    });
    expect(await (await own(index('{table}/next'))).run()).toBe(1);
    for (const wrong of [index('mine'), { Type: 'AttachmentPUT', Id: 'a' }, { Ids: ['a'], Start: 3 }])
      expect(await failure(own(wrong))).toMatchObject({ kind: 'badInput' });
    await database.drop(table);
    expect(JSON.stringify(await answer('/stats'))).not.toContain(`${table.name}/next`);
  },
);
