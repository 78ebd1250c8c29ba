import { runInNewContext } from 'node:vm';
import type { Document } from 'mongodb';
import { test as anyTest, expect } from 'vitest';
import { findMongod } from '#managed-servers/install/tools.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { startMongod } from '#managed-servers/servers/mongodb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { batchOf } from '#model/batch/encode.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { batchWith, ids, openWithTable, prepareOwn, idTable as table } from '../shared/test-table.fixture.ts';
import { config, type MongoConfig } from './config.ts';
import { type Connected, connect } from './connection/connect.ts';
import { engine } from './engine.ts';
import { readOptions } from './options.ts';

/**
 * These tests are about features that only MongoDB has, and about faults; on servers of the tests' own, which they may
 * kill.
 */
const unsupportedReasons = isSkipped('mongodb') || findMongod() === null;
const test = anyTest.skipIf(unsupportedReasons);
const longTest = anyTest.skipIf(unsupportedReasons || !whole);
const signal = new AbortController().signal;

type Server = RunningServer;
const startServer = (wishes: Parameters<typeof startMongod>[2] = {}): Promise<Server> =>
  startInFolder((inside) => startMongod(inside, () => {}, wishes));

let server: Server;
let admin: Connected;
beforeTests(async (opened) => {
  server = opened.use(await startServer());
  admin = await connect(config.parse(server.admin) as MongoConfig, {
    tag: 'test-admin',
    connections: 5,
    options: readOptions({}),
  });
  opened.defer(() => admin.client.close());
});

const open = (more: Record<string, unknown> = {}, where: Server = server) =>
  engine.open(config.parse({ ...where.raw, connectTimeoutMs: 3_000, ...more }), 'dyno-test', signal);
const failure = failureOf(engine);
type Session = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['openSession']>>;
const prepareInsert = (session: Session, method: MethodName = 'bind', options: Options = {}) =>
  session.prepare({
    table: { ...table, options },
    operation: 'insert',
    method,
    settings: { ...defaultSettings, method },
  });

const adminDb = () => admin.client.db('admin');
const createUser = (user: string, roles: readonly Document[]) =>
  adminDb().command({ createUser: user, pwd: user, roles: [...roles] });

/** Holds a key in an open transaction: who inserts it waits. */
async function holdKey(id: number): Promise<AsyncDisposable> {
  const session = admin.client.startSession();
  session.startTransaction();
  await admin.client
    .db('dyno')
    .collection<{ _id: bigint }>(table.name)
    .insertOne({ _id: BigInt(id) }, { session });
  return {
    async [Symbol.asyncDispose]() {
      if (session.inTransaction()) await session.abortTransaction();
      await session.endSession();
    },
  };
}

test('wrong password, host, TLS and replica set are distinguished, and the password is never repeated', async () => {
  const canary = 'c4nary-s3cret';
  const [wrong, away, nowhere, unknown, other] = await Promise.all([
    failure(open({ password: canary })),
    failure(open({ password: canary, port: 1 })),
    failure(open({ password: canary, host: 'no.such.host.invalid' })),
    failure(open({ password: canary, tls: 'verify-full', tlsCAFile: undefined })),
    failure(open({ password: canary, replicaSet: 'other', connectTimeoutMs: 500 })),
  ]);
  expect(wrong).toMatchObject({ kind: 'authentication', code: '18 AuthenticationFailed' });
  expect(away).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
  expect(nowhere).toMatchObject({ kind: 'unreachable', code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
  expect(unknown).toMatchObject({ kind: 'tls' });
  expect(other).toMatchObject({ kind: 'unreachable', hint: expect.stringContaining('replica set') });
  expect(JSON.stringify([wrong, away, nowhere, unknown, other])).not.toContain(canary);
});

test('a server that takes connections and says nothing is given up after the time-out, or when told to', async () => {
  await using silent = await listening();
  const { port } = silent;
  expect(await failure(open({ port, connectTimeoutMs: 300 }))).toMatchObject({ kind: 'unreachable' });
  const stop = new AbortController();
  const opening = engine.open(config.parse({ ...server.raw, port }), 'dyno-test', stop.signal);
  setTimeout(() => stop.abort(), 50);
  expect(await failure(opening)).toMatchObject({ kind: 'cancelled' });
});

test('certificates are checked where asked', async ({ skip }) => {
  const { tlsCAFile } = server.raw;
  if (tlsCAFile === undefined) return skip('openssl is not installed, so there is no certificate to check.');
  expect(await failure(open({ tls: 'verify-full', tlsCAFile: undefined }))).toMatchObject({ kind: 'tls' });
  for (const more of [
    { tls: 'require', tlsCAFile: undefined },
    { tls: 'verify-full', tlsCAFile },
  ]) {
    await using database = await open(more);
    expect((await database.fingerprint()).other.tls).toMatch(/^TLSv1\.[23] /);
    await using session = await database.openSession({});
    expect(session.wireBytes()?.sent).toBeGreaterThan(100);
  }
}, 60_000);

test('the script of rights makes a user who misses nothing', async () => {
  const commands: Document[] = [];
  let isMade = false;
  const run = (name: string) => ({
    getRole: () => (isMade ? {} : null),
    getUser: () => (isMade ? {} : null),
    grantRolesToUser: (user: string, roles: unknown) =>
      commands.push({ db: name, command: { grantRolesToUser: user, roles } }),
    // The managed server has it already, for its own user.
    createRole: ({ role, ...rest }: Document) => commands.push({ db: name, command: { updateRole: role, ...rest } }),
    createUser: ({ user, ...rest }: Document) => commands.push({ db: name, command: { createUser: user, ...rest } }),
  });
  const parsed = config.parse({ ...server.raw, user: 'bench', database: 'benchmarks' });
  runInNewContext(config.grants(parsed)!, { db: { getSiblingDB: run }, passwordPrompt: () => 'bench' });
  isMade = true;
  runInNewContext(config.grants(parsed)!, { db: { getSiblingDB: run }, passwordPrompt: () => 'never asked' });
  expect(commands.map(({ command }) => Object.keys(command)[0])).toEqual([
    'updateRole',
    'createUser',
    'grantRolesToUser',
  ]);
  for (const { db, command } of commands) await admin.client.db(db).command({ ...command });

  await using database = await open({ user: 'bench', password: 'bench', database: 'benchmarks' });
  expect((await database.fingerprint()).unavailable).toEqual([]);
  expect((await database.probe()).unavailable).toEqual([]);
  await database.prepareSchema(table);
  await database.load(table, [ids(0, 5_000)], () => {}, signal);
  await database.settle(table);
  expect((await database.storedBytes(table))!.tableBytes).toBeGreaterThan(5_000);
  expect(await database.checksum(table)).toEqual({ rows: 5_000, columns: ['12497500'] });
  await database.cancel();
  await database.drop(table);
});

test('a user with few rights still works, with what is missing listed, and asked for once', async () => {
  await createUser('few', [{ role: 'readWrite', db: 'dyno' }]);
  await using database = await open({ user: 'few', password: 'few' });
  const { unavailable, durability, product } = await database.fingerprint();
  expect(product).toMatch(/^MongoDB \d/);
  expect(durability.members).toBe('1');
  expect(unavailable.join('\n')).toMatch(/clusterMonitor[\s\S]*fsync/);
  const first = await database.probe();
  expect(first.unavailable).toEqual([expect.stringContaining('clusterMonitor')]);
  expect(first.counters).toEqual({});
  await database.prepareSchema(table);
  await database.settle(table);
  await using session = await database.openSession({});
  const insert = await prepareInsert(session);
  await using held = await holdKey(1);
  const waiting = failure(insert.run(insert.encode(ids(1, 1))));
  const active = async () => (await database.probe()).gauges.active;
  await expect.poll(active, { timeout: 30_000 }).toBe(1);
  const waits = Object.keys((await database.probe()).gauges).filter((name) => name.startsWith('wait:'));
  expect(waits.length).toBeLessThanOrEqual(1);
  // Nobody else's rights are needed to stop one's own.
  await session.cancel();
  expect(await waiting).toMatchObject({ kind: 'cancelled' });
  await held[Symbol.asyncDispose]();
  expect((await database.probe()).unavailable).toEqual(first.unavailable);
  await database.drop(table);
});

test('it is known whether the user may write; the roles that the script names for production only read', async () => {
  await createUser('looker', [
    { role: 'read', db: 'dyno' },
    { role: 'clusterMonitor', db: 'admin' },
  ]);
  expect(config.grants(config.parse(server.raw))).toContain('{ role: "read", db: "dyno" }');
  await using looking = await open({ user: 'looker', password: 'looker' });
  expect(await looking.fingerprint()).toMatchObject({ mayWrite: false });
  await using session = await looking.openSession({});
  const insert = await prepareOwn(session, '{ "insert": "x", "documents": [{}] }', 'bind', { isRead: false });
  const call = insert.encode({ rows: 1, columns: [] });
  expect(await failure(Promise.resolve(insert.run(call)))).toMatchObject({ kind: 'permission' });
  await using own = await open();
  expect(await own.fingerprint()).toMatchObject({ mayWrite: true });
});

test('without the right to create a collection, the error names the role', async () => {
  await createUser('reader', [{ role: 'read', db: 'dyno' }]);
  await using database = await open({ user: 'reader', password: 'reader' });
  const error = await failure(database.prepareSchema(table));
  expect(error).toMatchObject({ kind: 'permission', code: '13 Unauthorized' });
  expect(error?.hint).toContain('role: "readWrite", db: "dyno"');
});

test('a view of the same name is not ours either', async () => {
  await admin.client.db('dyno').createCollection('dyno_view', { viewOn: 'x', pipeline: [] });
  await using database = await open();
  expect(await failure(database.prepareSchema({ ...table, name: 'dyno_view' }))).toMatchObject({ kind: 'notOurs' });
  expect((await database.dropLeftovers('dyno_view')).dropped).toEqual([]);
  await admin.client.db('dyno').dropCollection('dyno_view');
});

longTest('a load is stopped at the server, and leaves nothing', async () => {
  await using database = await openWithTable(open());
  await using held = await holdKey(150);
  let stored = 0;
  const onRows = (rows: number) => {
    stored = rows;
  };
  const loading = failure(database.load(table, [ids(0, 100), ids(100, 100)], onRows, signal));
  // Once the first batch is stored, what is active is the second, which waits for the key.
  await expect.poll(() => stored, { timeout: 30_000 }).toBe(100);
  await expect.poll(async () => (await database.probe()).gauges.active, { timeout: 30_000 }).toBe(1);
  await database.cancel();
  expect(await loading).toMatchObject({ kind: 'cancelled' });
  await held[Symbol.asyncDispose]();
  expect((await database.checksum(table))?.rows).toBe(0);
});

longTest('options of a table are what the server keeps it by', async () => {
  await using database = await open();
  const options = { collection: 'clustered', compression: 'zlib', timestamps: 'date' };
  const dated: TablePlan = {
    ...table,
    options,
    columns: [...table.columns, { name: 'at', type: { kind: 'timestamp' }, nullable: false }],
  };
  await database.prepareSchema(dated);
  const [at] = ids(1_600_000_000_000_999, 1).columns;
  await database.load(dated, [{ ...ids(1, 1), columns: [...ids(1, 1).columns, at!] }], () => {}, signal);
  const collection = admin.client.db('dyno').collection(table.name);
  const [info] = (await admin.client.db('dyno').listCollections({ name: table.name }).toArray()) as Document[];
  expect(info!.options.clusteredIndex).toMatchObject({ key: { _id: 1 } });
  expect(JSON.stringify(info!.options.storageEngine)).toContain('block_compressor=zlib');
  expect((await collection.findOne())!.at).toEqual(new Date(1_600_000_000_000));
  expect(await database.checksum(dated)).toEqual({ rows: 1, columns: ['1', null] });
  await database.drop(dated);
});

test('a table without a key has the _id that the driver makes', async () => {
  await using database = await open();
  const keyless = { ...table, key: null };
  await database.prepareSchema(keyless);
  await database.load(keyless, [ids(5, 3), ids(5, 3)], () => {}, signal);
  expect(await database.checksum(keyless)).toEqual({ rows: 6, columns: ['36'] });
  await database.drop(keyless);
});

test('retries are numbered at the server only where they are on', async () => {
  await using database = await openWithTable(open());
  const records = async () => (await database.probe()).counters.retryable_records!;
  const write = async (retryWrites: string, from: number) => {
    await using session = await database.openSession({ retryWrites });
    const insert = await prepareInsert(session, 'bind', { retryWrites });
    const before = await records();
    for (let id = from; id < from + 10; id++) await insert.run(insert.encode(ids(id, 1)));
    return (await records()) - before;
  };
  expect(await write('off', 0)).toBe(0);
  expect(await write('on', 10)).toBe(10);
});

longTest(
  'a server that is no member of a replica set has all but transactions',
  async () => {
    await using alone = await startServer({ replicaSet: false });
    await using database = await open({}, alone);
    expect((await database.fingerprint()).other.topology).toBe('standalone');
    await database.prepareSchema(table);
    await using session = await database.openSession({});
    const insert = await prepareInsert(session, 'multiRow');
    expect(await insert.run(insert.encode(ids(0, 3)))).toBe(3);
    const begin = await failure(Promise.resolve().then(() => session.begin()));
    expect(begin).toMatchObject({ kind: 'unsupported', hint: expect.stringContaining('rs.initiate()') });
    await database.settle(table);
    await database.drop(table);
  },
  60_000,
);

test('a text that begins with $, and an object, are values in conditions and in expressions alike', async () => {
  await using database = await openWithTable(open());
  await database.load(table, [ids(0, 3)], () => {}, signal);
  await using session = await database.openSession({});
  const text = { kind: 'text', maxLength: 20, fixed: false, ascii: false } as const;
  const types = [text, { ...text, document: true }] as const;
  const run = async (command: object) => {
    const parameters = ['t', 'd'].map((name, i) => ({ name, type: types[i]!, nullable: false }));
    const more = { parameters, tables: { table }, isRead: false };
    const own = await prepareOwn(session, JSON.stringify(command), 'bind', more);
    return own.show(own.encode(batchOf([['$_id', '{"a":"$_id"}']], types)), 10);
  };
  const stages = [{ $set: { t: '$t', d: { $param: 'd' }, n: '$_id', l: { $literal: '$t' } } }];
  await run({ update: '{table}', updates: [{ q: { _id: 0 }, u: stages }] });
  await run({ findAndModify: '{table}', query: { _id: 1 }, update: stages });
  await run({ update: '{table}', updates: [{ q: { _id: 2 }, u: { $set: { t: '$t', d: '$d', n: 2, l: '$t' } } }] });
  const seen = { t: '$_id', l: '$_id', d: { a: '$_id' } };
  const documents = await admin.client.db('dyno').collection<Document>(table.name).find().sort({ _id: 1 }).toArray();
  expect(documents).toMatchObject([0, 1, 2].map((n) => ({ ...seen, n })));
  const sameText = { $eq: ['$l', '$t'] };
  const matches = [
    { t: '$t' },
    { $expr: { $eq: ['$n', { $cond: [{ $eq: ['$l', { $param: 't' }] }, '$_id', -1] }] } },
    { $and: [{ d: { $eq: '$d' } }, { $expr: sameText }] },
  ];
  for (const match of matches) {
    expect((await run({ find: '{table}', filter: match })).count, JSON.stringify(match)).toBe(3);
    const pipeline = [{ $match: match }, { $project: { v: '$t' } }];
    const { rows } = await run({ aggregate: '{table}', pipeline, cursor: {} });
    expect(rows.map((row) => row.at(-1))).toEqual(Array(3).fill('$_id'));
  }
}, 60_000);

test('names that are numbers stay in their order: in sorts, indexes, documents, pipelines and answers', async () => {
  await using database = await open();
  await using session = await database.openSession({});
  const answer = async (text: string) => {
    const own = await prepareOwn(session, text, 'bind', { isRead: false });
    return own.show(own.encode({ rows: 1, columns: [] }), 10);
  };
  const firstId = async (text: string) => (await answer(text)).rows[0]?.[0];
  const years = '"projection": { "_id": 1 }, "limit": 1';
  await answer(
    '{ "insert": "years", "documents": [{ "_id": 1, "b": 1, "2023": 5, "in": { "z": 1, "7": [{ "y": 2, "0": 3 }] } }, { "_id": 2, "b": 2, "2023": 9 }] }',
  );
  expect(await firstId(`{ "find": "years", "sort": { "b": 1, "2023": -1 }, ${years} }`)).toBe('1');
  expect(await firstId(`{ "find": "years", "sort": { "2023": -1, "b": 1 }, ${years} }`)).toBe('2');
  const sorted = '[{ "$sort": { "b": 1, "2023": -1 } }, { "$limit": 1 }]';
  expect(await firstId(`{ "aggregate": "years", "pipeline": ${sorted}, "cursor": {} }`)).toBe('1');
  await answer('{ "createIndexes": "years", "indexes": [{ "key": { "b": 1, "2023": -1 }, "name": "b_2023" }] }');
  const [, made] = await admin.client.db('dyno').collection('years').indexes({ raw: true, full: true });
  expect(Buffer.from(made as unknown as Uint8Array).toString('latin1')).toMatch(/key.*b\0.*2023\0/s);
  expect(
    await firstId(`{ "find": "years", "hint": { "b": 1, "2023": -1 }, "filter": { "b": { "$gt": 1 } }, ${years} }`),
  ).toBe('2');
  // The document as the server keeps it, and as it is shown.
  const whole = '"filter": { "in": { "z": 1, "7": [{ "y": 2, "0": 3 }] } }';
  const { columns, rows } = await answer(`{ "find": "years", ${whole} }`);
  expect(columns).toEqual(['_id', 'b', '2023', 'in']);
  expect(rows).toEqual([['1', '1', '5', '{"z":1,"7":[{"y":2,"0":3}]}']]);
  await answer(
    '{ "update": "years", "updates": [{ "q": { "_id": 2 }, "u": { "$set": { "in": { "b": { "$numberLong": "1" }, "1": { "$date": "2024-01-01T00:00:00Z" } } } } }] }',
  );
  const changed = '{ "find": "years", "filter": { "_id": 2 }, "projection": { "in": 1 } }';
  expect((await answer(changed)).rows).toEqual([['2', '{"b":1,"1":{"$date":"2024-01-01T00:00:00Z"}}']]);
  await expect(answer('{ "find": "years", "filter": { "b": 1, "b": 2 } }')).rejects.toThrow('"b" stands twice');
});

test('numbers and values of Extended JSON are of the types that its specification says', async () => {
  await using database = await open();
  await using session = await database.openSession({});
  const types = {
    int: '1',
    long: '3000000000',
    double: '1.0',
    is: '{ "$numberDouble": "3.0" }',
    big: '{ "$numberLong": "9007199254740993" }',
    small: '{ "$numberInt": "7" }',
    decimal: '{ "$numberDecimal": "1.50" }',
    at: '{ "$date": { "$numberLong": "1700000000000" } }',
    id: '{ "$oid": "65a000000000000000000001" }',
    uuid: '{ "$uuid": "00112233-4455-6677-8899-aabbccddeeff" }',
    stamp: '{ "$timestamp": { "t": 1700000000, "i": 2 } }',
    pattern: '{ "$regularExpression": { "pattern": "^a", "options": "i" } }',
    none: '{ "$minKey": 1 }',
    nan: '{ "$numberDouble": "-Infinity" }',
  };
  const stages = Object.entries(types).map(([name, json]) => `"${name}": ${json}`);
  const names = Object.keys(types).map((name) => `"${name}": { "$type": "$${name}" }`);
  for (const text of [
    `{ "insert": "kinds", "documents": [{ ${stages.join(', ')} }] }`,
    `{ "aggregate": "kinds", "pipeline": [{ "$project": { "_id": 0, ${names.join(', ')} } }], "cursor": {} }`,
  ]) {
    const own = await prepareOwn(session, text, 'bind', { isRead: false });
    const { rows } = await own.show(own.encode({ rows: 1, columns: [] }), 10);
    if (text.startsWith('{ "aggregate"'))
      expect(rows[0]).toEqual(
        'int long double double long int decimal date objectId binData timestamp regex minKey double'.split(' '),
      );
  }
});

test.each(['default', 'snapshot'] as const)(
  'the server has noted %s of a transaction, of reads outside and of own commands',
  async (isolation) => {
    await using database = await open();
    await database.prepareSchema(table);
    await database.load(table, [ids(0, 3)], () => {}, signal);
    await using session = await database.openSession({}, isolation);
    const settings = { ...defaultSettings, operation: 'scan', method: 'bind' } as const;
    const scan = await session.prepare({ table, operation: 'scan', method: 'bind', settings });
    const counting = { find: '{table}', comment: 'own' };
    const own = await prepareOwn(session, JSON.stringify(counting), 'bind', { tables: { table } });
    const db = admin.client.db('dyno');
    await db.command({ profile: 2 });
    try {
      const nothing = batchWith(1);
      expect(await scan.run(scan.encode(nothing))).toBe(3);
      expect(await own.run(own.encode(nothing))).toBe(3);
      await session.begin();
      expect(await own.run(own.encode(nothing))).toBe(3);
      const isOpen = { $match: { 'transaction.parameters.readConcern': { $exists: true } } };
      const open = await adminDb()
        .aggregate([{ $currentOp: { allUsers: true, idleSessions: true } }, isOpen])
        .toArray();
      await session.rollback();
      const noted = await db
        .collection('system.profile')
        .find({ 'command.find': table.name, 'command.autocommit': { $exists: false } })
        .sort({ ts: 1 })
        .toArray();
      const levels = [
        ...noted.map(({ command }) => command.readConcern?.level),
        ...open.map(({ transaction }) => transaction.parameters.readConcern.level),
      ];
      expect(levels).toEqual(isolation === 'snapshot' ? Array(3).fill('snapshot') : [undefined, undefined, 'local']);
    } finally {
      await db.command({ profile: 0 });
      await db.collection('system.profile').drop();
      await database.drop(table);
    }
  },
);

longTest(
  'at the limit of connections the error says so, and others go on',
  async () => {
    await using narrow = await startServer({ args: ['--maxConns', '14'] });
    await using database = await open({}, narrow);
    const sessions: Session[] = [];
    try {
      const opened = await failure(
        (async () => {
          while (sessions.length < 20) sessions.push(await database.openSession({}));
        })(),
      );
      expect(opened).toMatchObject({
        kind: 'connectionLimit',
        hint: expect.stringContaining('maxIncomingConnections'),
      });
      await database.prepareSchema(table);
      const insert = await prepareInsert(sessions[0]!);
      expect(await insert.run(insert.encode(ids(0, 1)))).toBe(1);
      await database.drop(table);
    } finally {
      for (const session of sessions) await session[Symbol.asyncDispose]();
    }
  },
  60_000,
);

/** Everything that can be going on when a server dies. */
const moments = ['load', 'measure', 'measureWithoutRetries', 'commit', 'checksum'] as const;

test.each(smokeOf(['SIGKILL', 'SIGTERM'] as const))(
  'a server gone by %s is reported as such, whatever was going on',
  async (by) => {
    await using doomed = await startServer();
    const more = { connectTimeoutMs: 700 }; // how long a call looks for another primary
    const databases = await Promise.all(moments.map(() => open(more, doomed)));
    await using other = await open();
    await other.prepareSchema(table);
    await using unharmed = await other.openSession({});
    const insertElsewhere = await prepareInsert(unharmed);
    const tables = moments.map((moment) => ({ ...table, name: `dyno_${moment.toLowerCase()}` }));
    const [load, measure, measureOnce, commit, checksum] = await Promise.all(
      moments.map(async (moment, i) => {
        const database = databases[i]!;
        const plan = tables[i]!;
        await database.prepareSchema(plan);
        if (moment === 'checksum') await database.load(plan, [ids(0, 1_000)], () => {}, signal);
        const retryWrites = moment === 'measureWithoutRetries' ? 'off' : 'on';
        const session = await database.openSession({ retryWrites });
        const insert = await session.prepare({
          table: plan,
          operation: 'insert',
          method: 'bind',
          settings: defaultSettings,
        });
        return { database, plan, session, insert };
      }),
    );
    function* endless() {
      for (let from = 0; ; from += 100) yield ids(from, 100);
    }
    const write = async ({ session, insert }: NonNullable<typeof measure>, transactions: boolean) => {
      for (let id = 0; ; id++) {
        if (transactions) await session.begin();
        await insert.run(insert.encode(ids(id, 1)));
        if (transactions) await session.commit();
      }
    };
    const sums = async () => {
      for (;;) await checksum!.database.checksum(checksum!.plan);
    };
    const running = Promise.all([
      failure(load!.database.load(load!.plan, endless(), () => {}, signal)),
      failure(write(measure!, false)),
      failure(write(measureOnce!, false)),
      failure(write(commit!, true)),
      failure(sums()),
    ]);
    process.kill(doomed.pid, by);
    for (const error of await running) expect(error).toMatchObject({ kind: 'serverGone', hint: expect.any(String) });
    expect(await insertElsewhere.run(insertElsewhere.encode(ids(0, 1)))).toBe(1);
    for (const one of [load, measure, measureOnce, commit, checksum]) {
      await one!.session[Symbol.asyncDispose]();
      await one!.database[Symbol.asyncDispose]();
    }
    await other.drop(table);
  },
  60_000,
);

test('a collection has the page size of the experiment', async () => {
  const own = { ...table, name: 'dyno_pages_test', options: { leafPageKb: '8' } };
  await using database = await open();
  await database.prepareSchema(own);
  const [stats] = await admin.client
    .db('dyno')
    .collection(own.name)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray();
  expect(stats?.storageStats.wiredTiger.creationString).toMatch(/leaf_page_max=8KB?/i);
  await database.drop(own);
});
