import fc from 'fast-check';
import type mysql from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';
import { test as anyTest, beforeEach, describe, expect } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import type { OperationPlan } from '#engine-api/operation.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { startMariadb } from '#managed-servers/servers/mariadb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import type { Batch } from '#model/batch/batch.ts';
import { batchOf } from '#model/batch/encode.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName, NullBinding } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { hostileText } from '../conformance/checks/hostile-values.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { plainIndex } from '../shared/plain-index.fixture.ts';
import { readerStatements } from '../shared/reader-script.ts';
import {
  batchWith,
  ids,
  numberColumn,
  openWithTable,
  prepareOwn,
  idTable as table,
  textColumn,
} from '../shared/test-table.fixture.ts';
import { config, type MysqlConfig } from './config.ts';
import { connect, type DriverName } from './connection/connect.ts';
import { engine } from './engine.ts';
import { adminOf } from './test-server.fixture.ts';
import { nullParameter } from './values/null-parameter.ts';

/**
 * These tests are about features that only this engine has; on a MariaDB of the tests' own, whose accounts and settings
 * they may change.
 */
const test = anyTest.skipIf(isSkipped('mysql'));
const longTest = anyTest.skipIf(isSkipped('mysql') || !whole);
const drivers: readonly Options[] = [{ driver: 'mysql2' }, { driver: 'mariadb' }];
const startServer = (args: readonly string[] = []) => startInFolder((folder) => startMariadb(folder, () => {}, args));
let server: RunningServer;
let admin: mysql.Connection;
let isMariadb = false;
const signal = new AbortController().signal;

// Settings that an administrator may have made, and that Dyno must not depend on.
const unfriendly = ['--character-set-server=gbk', '--skip-character-set-client-handshake', '--performance-schema=ON'];
const sqlMode = '--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH';

beforeTests(async (opened) => {
  server = opened.use(await startServer([...unfriendly, sqlMode]));
  admin = await adminOf({ ...server.admin });
  opened.defer(() => admin.end());
  const [[row]] = await admin.query<mysql.RowDataPacket[]>('SELECT VERSION() AS version');
  isMariadb = String(row?.version).includes('MariaDB');
  await admin.query("CREATE USER limited@'127.0.0.1' IDENTIFIED BY 'limited'");
});

beforeEach(({ skip }) => {
  if (!isSkipped('mysql') && !isMariadb) skip('These tests speak MariaDB to its administrator; here is only MySQL.');
});

const open = (more: Record<string, unknown> = {}) =>
  engine.open(config.parse({ ...server.raw, ...more }), 'dyno-test', signal);
const failure = failureOf(engine);
const plan = (method: MethodName, more: Partial<OperationPlan> = {}): OperationPlan => ({
  table,
  operation: 'insert',
  method,
  settings: { ...defaultSettings, method, rowsPerCall: 1 },
  ...more,
});
const serverMade = (rows: number): Batch => batchWith(rows);

test.each(drivers)(
  'a wrong password is distinguished from a wrong host, and never repeated: $driver',
  async (options) => {
    const canary = 'c4nary-s3cret';
    const wrong = await failure(open({ password: canary }));
    expect(wrong).toMatchObject({ kind: 'authentication', code: '1045' });
    const away = await failure(open({ password: canary, port: 1 }));
    expect(away).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
    // Without the CA of the managed server nothing vouches for its certificate.
    const unknown = await failure(open({ password: canary, ssl: 'verify-full', ca: undefined }));
    expect(unknown).toMatchObject({ kind: 'tls' });
    // Sessions log in by themselves: a password changed meanwhile is met there.
    await admin.query(`CREATE OR REPLACE USER turned@'127.0.0.1' IDENTIFIED BY '${canary}'`);
    await using database = await open({ user: 'turned', password: canary });
    await admin.query("ALTER USER turned@'127.0.0.1' IDENTIFIED BY 'another'");
    const session = await failure(database.openSession(options));
    expect(session).toMatchObject({ kind: 'authentication', code: '1045' });
    expect(JSON.stringify([wrong, away, unknown, session])).not.toContain(canary);
  },
);

test.each(drivers)(
  'a password that has expired, and an account that is locked, say what to do: $driver',
  async (options) => {
    await admin.query("CREATE OR REPLACE USER aged@'127.0.0.1' IDENTIFIED BY 'aged'");
    await using database = await open({ user: 'aged', password: 'aged' });
    await admin.query("ALTER USER aged@'127.0.0.1' PASSWORD EXPIRE");
    const expired = await failure(database.openSession(options));
    expect(expired).toMatchObject({ kind: 'authentication', hint: expect.stringContaining('changed') });
    await admin.query("ALTER USER aged@'127.0.0.1' ACCOUNT LOCK");
    expect(await failure(database.openSession(options))).toMatchObject({ kind: 'authentication', code: '4151' });
  },
);

const longTable: TablePlan = {
  ...table,
  columns: [
    ...table.columns,
    { name: 'doc', type: { kind: 'text', maxLength: 700_000, fixed: false, ascii: true }, nullable: false },
  ],
};

test.each([...drivers, { path: 'driver' }])(
  'a call that is longer than max_allowed_packet names it, and the session goes on: %o',
  async (options: Options) => {
    await admin.query('SET GLOBAL max_allowed_packet = 1048576');
    try {
      await using database = await open();
      const type = { kind: 'text', maxLength: 3_000_000, fixed: false, ascii: true } as const;
      const parameters = [{ name: 'a', type, nullable: false }];
      for (const method of ['literal', 'bind', 'prepared'] as const) {
        await using session = await database.openSession(options);
        const own = await prepareOwn(session, 'SELECT LENGTH(:a)', method, { parameters });
        const sent = async (length: number) => own.run(own.encode(batchOf([['x'.repeat(length)]], [type])));
        expect(await failure(sent(2_000_000)), method).toMatchObject({
          kind: 'limit',
          message: expect.stringMatching(/2,000,\d{3} bytes .* max_allowed_packet of 1,048,576/),
        });
        expect(await sent(1_000_000), method).toBe(1);
      }
      // mysql2 sends a file in pieces that the server takes.
      await using loading = await openWithTable(open(), longTable);
      await using session = await loading.openSession(options);
      const bulk = await session.prepare({ ...plan('bulk'), table: longTable });
      const rows = batchOf(
        [0, 1, 2].map((id) => [id, 'x'.repeat(600_000)]),
        longTable.columns.map((column) => column.type),
      );
      const load = async () => bulk.run(bulk.encode(rows));
      if (options.driver !== 'mariadb') expect(await load()).toBe(3);
      else
        expect(await failure(load())).toMatchObject({ kind: 'limit', message: expect.stringContaining('1,048,576') });
    } finally {
      await admin.query('SET GLOBAL max_allowed_packet = DEFAULT');
    }
  },
);

describe('statements of the user’s own are read in the server’s sql_mode', () => {
  const text = { kind: 'text', maxLength: 20, fixed: false, ascii: false } as const;
  const parameters = ['a', 'b'].map((name) => ({ name, type: text, nullable: false }));
  const batch = batchOf([["1\\2'3", 'y']], [text, text]);
  const methods = ['literal', 'bind', 'prepared'] as const;
  const answers = async (sql: string, settings: Record<string, unknown>, options: Options) => {
    await using database = await open(settings);
    const answered: unknown[] = [];
    for (const method of methods) {
      await using session = await database.openSession(options);
      const own = await prepareOwn(session, sql, method, { parameters });
      const { columns, rows } = await own.show(own.encode(batch), 1);
      answered.push([columns, rows]);
    }
    return answered;
  };

  test.each(drivers)('a backslash is no escape there, and "…" is a name: $driver', async (options) => {
    const sql = `SELECT CONCAT('\\', :a) AS "joined", CONCAT('x\\', :b) AS "b\\"`;
    const expected = [['joined', 'b\\'], [["\\1\\2'3", 'x\\y']]];
    expect(await answers(sql, {}, options)).toEqual(methods.map(() => expected));
  });

  test.each(drivers)('a target’s own sql_mode decides: $driver', async (options) => {
    const strict = { sessionSettings: { sql_mode: 'STRICT_ALL_TABLES' } };
    const sql = `SELECT CONCAT('it\\'s :a ', :a) AS x, CONCAT("\\":b", :b) AS y`;
    const expected = [['x', 'y'], [["it's :a 1\\2'3", '":by']]];
    expect(await answers(sql, strict, options)).toEqual(methods.map(() => expected));
    const quotes = { sessionSettings: { sql_mode: 'ANSI_QUOTES' } };
    const named = `SELECT CONCAT('it\\'s :a ', :a) AS "x\\", :b AS y`;
    expect(await answers(named, quotes, options)).toEqual(methods.map(() => [['x\\', 'y'], [["it's :a 1\\2'3", 'y']]]));
  });
});

test('session settings hold on every session, and a wrong one is named', async () => {
  await using database = await open({ sessionSettings: { tx_isolation: 'READ-COMMITTED' } });
  expect((await database.fingerprint()).other.tx_isolation).toBe('READ-COMMITTED');
  expect(await failure(open({ sessionSettings: { no_such_setting: '1' } }))).toMatchObject({
    kind: 'badInput',
    message: expect.stringContaining('no_such_setting'),
  });
});

test.each(drivers)('the database of the connection is the default one of every session: $driver', async (options) => {
  await admin.query('CREATE OR REPLACE DATABASE shop; CREATE TABLE shop.customers AS SELECT 7 AS id');
  const read = async (raw: Record<string, unknown>) => {
    await using database = await engine.open(config.parse(raw), 'dyno-test', signal);
    await using session = await database.openSession(options);
    const plan = { parameters: [], tables: {}, options, isRead: true } as const;
    const statement = await session.prepareStatement!({
      ...plan,
      text: 'SELECT id FROM customers',
      method: 'prepared',
    });
    const batch = batchOf([], []);
    return (await statement.show(statement.encode(batch), 5)).rows;
  };
  const { user, password, port } = server.admin;
  const url = `mysql://${user}:${encodeURIComponent(String(password ?? ''))}@127.0.0.1:${port}/shop`;
  expect(await read({ url })).toEqual([['7']]);
  expect(await read({ ...server.admin, database: 'shop' })).toEqual([['7']]);
  // If the target names no database, the session has none, as in every client; Dyno's own database is not in its place.
  const { database: _, ...without } = server.admin as Record<string, unknown>;
  expect(await failure(read(without))).toMatchObject({ code: '1046', hint: expect.stringContaining('database') });
  await admin.query('DROP DATABASE shop');
});

test('without the right to create a database, the error names the GRANT', async () => {
  await using database = await open({ user: 'limited', password: 'limited', database: 'elsewhere' });
  const error = await failure(database.prepareSchema(table));
  expect(error).toMatchObject({ kind: 'permission', code: '1044' });
  expect(error?.hint).toContain('GRANT CREATE, DROP, SELECT, INSERT, UPDATE, DELETE ON `elsewhere`.*');
});

test('a user with few rights still gets probes and a fingerprint, with what is missing listed', async () => {
  await using database = await open({ user: 'limited', password: 'limited' });
  const { counters, unavailable } = await database.probe();
  expect(counters.questions).toBeGreaterThan(0);
  expect(unavailable.join()).toContain('PROCESS ON *.*');
  const found = await database.fingerprint();
  expect(found.unavailable.join()).toContain('RELOAD');
});

test('checkpoints are counted from when the server is told to count them', async () => {
  const count = async () => {
    await using database = await open();
    return (await database.probe()).counters.log_checkpoints;
  };
  expect(await count()).toBeUndefined();
  await admin.query("SET GLOBAL innodb_monitor_enable = 'log_checkpoints'");
  const before = await count();
  await admin.query('CREATE DATABASE checkpointed');
  await admin.query('CREATE TABLE checkpointed.made (x int)');
  await admin.query('SET GLOBAL innodb_log_checkpoint_now = ON');
  expect(await count()).toBeGreaterThan(before!);
  await admin.query('DROP DATABASE checkpointed');
  await admin.query("SET GLOBAL innodb_monitor_disable = 'log_checkpoints'");
});

test('the grants script is all that Dyno needs', async () => {
  const parsed = config.parse({ ...server.raw, user: 'gran`ted', password: 'granted', database: 'dyno_granted' });
  const script = (config.grants(parsed) ?? '').replaceAll("'%'", "'127.0.0.1'");
  await admin.query("SET SESSION sql_mode = 'STRICT_TRANS_TABLES'");
  await admin.query(script);
  await admin.query(script); // it can be run again
  await admin.query("ALTER USER `gran``ted`@'127.0.0.1' IDENTIFIED BY 'granted' ACCOUNT UNLOCK");
  await using database = await engine.open(parsed, 'dyno-test', signal);
  await database.prepareSchema(table);
  await database.load(table, [ids(0, 10)], () => {}, signal);
  await database.settle(table);
  expect((await database.probe()).unavailable).toEqual([]);
  expect((await database.fingerprint()).unavailable).toEqual([]);
  expect((await database.storedBytes(table))?.tableBytes).toBeGreaterThan(0);
  for (const options of drivers) {
    await using session = await database.openSession(options);
    const loop = await session.prepare(plan('serverLoop'));
    expect(await loop.run(loop.encode(serverMade(5)))).toBe(5);
    const load = await session.prepare(plan('bulk'));
    const from = options.driver === 'mariadb' ? 100 : 200;
    expect(await load.run(load.encode(ids(from, 5)))).toBe(5);
  }
  expect((await database.checksum(table))?.rows).toBe(30);
  await database.drop(table);
});

test('the user that may only read, as the script of rights has it, can be measured with, and writes nothing', async () => {
  const parsed = config.parse({ ...server.raw, user: 'only`reads', password: 'reads', database: 'dyno_reads' });
  await admin.query('CREATE DATABASE dyno_reads; CREATE TABLE dyno_reads.theirs AS SELECT 7 AS x');
  const script = (config.grants(parsed) ?? '').replaceAll("'%'", "'127.0.0.1'");
  for (const one of readerStatements(script)) await admin.query(one);
  await admin.query("ALTER USER `only``reads`@'127.0.0.1' IDENTIFIED BY 'reads' ACCOUNT UNLOCK");
  await using database = await engine.open(parsed, 'dyno-test', signal);
  expect((await database.probe()).unavailable).toEqual([]);
  expect((await database.fingerprint()).version).not.toBe('');
  expect(await failure(database.prepareSchema(table))).not.toBeNull();
  const login = { host: '127.0.0.1', port: Number(server.raw.port), user: 'only`reads', password: 'reads' };
  const reader = await createConnection(login);
  const [rows] = await reader.query('SELECT x FROM dyno_reads.theirs');
  expect(rows).toEqual([{ x: 7 }]);
  const writes = ['INSERT INTO dyno_reads.theirs VALUES (8)', 'DROP TABLE dyno_reads.theirs', 'CREATE DATABASE mine'];
  for (const sql of writes) await expect(reader.query(sql), sql).rejects.toThrow(/denied/);
  await reader.end();
  await admin.query('DROP DATABASE dyno_reads');
});

test('a table and a procedure of the user’s own are refused and left alone', async () => {
  await using database = await open();
  await database.prepareSchema(table);
  await database.drop(table);
  await admin.query('CREATE TABLE dyno.dyno_server_test (x INT); INSERT INTO dyno.dyno_server_test VALUES (1)');
  expect(await failure(database.prepareSchema(table))).toMatchObject({ kind: 'notOurs' });
  expect(await failure(database.drop(table))).toMatchObject({ kind: 'notOurs' });
  expect((await database.dropLeftovers('dyno_server_test')).dropped).toEqual([]);
  const [rows] = await admin.query<mysql.RowDataPacket[]>('SELECT x FROM dyno.dyno_server_test');
  expect(rows).toHaveLength(1);
  await admin.query('DROP TABLE dyno.dyno_server_test; CREATE VIEW dyno.dyno_server_test AS SELECT 1 AS x');
  expect(await failure(database.prepareSchema(table))).toMatchObject({ kind: 'notOurs' });
  await admin.query('DROP VIEW dyno.dyno_server_test; CREATE PROCEDURE dyno.dyno_server_test_loop() SELECT 42');
  await database.prepareSchema(table);
  await using session = await database.openSession({});
  expect(await failure(session.prepare(plan('serverLoop')))).toMatchObject({ kind: 'notOurs' });
  await database.drop(table);
  const [result] = await admin.query<mysql.RowDataPacket[][]>('CALL dyno.dyno_server_test_loop()');
  expect(result[0]?.[0]).toEqual({ 42: 42 });
  await admin.query('DROP PROCEDURE dyno.dyno_server_test_loop');
});

test('the procedure of a table goes away with it', async () => {
  await using database = await open();
  await database.prepareSchema(table);
  await using session = await database.openSession({});
  await session.prepare(plan('serverLoop'));
  const procedures = async () =>
    (
      await admin.query<mysql.RowDataPacket[]>(
        "SELECT 1 FROM information_schema.routines WHERE routine_schema = 'dyno' AND routine_name = 'dyno_server_test_loop'",
      )
    )[0].length;
  expect(await procedures()).toBe(1);
  await database.drop(table);
  expect(await procedures()).toBe(0);
});

test.each(drivers)('too many connections are a limit, and those that are there go on: $driver', async (options) => {
  await admin.query("CREATE OR REPLACE USER few@'127.0.0.1' IDENTIFIED BY 'few' WITH MAX_USER_CONNECTIONS 3");
  await admin.query("GRANT ALL ON dyno.* TO few@'127.0.0.1'");
  await using database = await open({ user: 'few', password: 'few' });
  await using first = await database.openSession(options);
  await using second = await database.openSession(options);
  expect(await failure(database.openSession(options))).toMatchObject({ kind: 'connectionLimit', code: '1226' });
  await database.prepareSchema(table);
  for (const [from, session] of [first, second].entries()) {
    const insert = await session.prepare(plan('prepared'));
    expect(await insert.run(insert.encode(ids(from, 1)))).toBe(1);
  }
  await database.drop(table);
});

test.each(drivers)('a session ended by an administrator is reported as serverGone: $driver', async (options) => {
  await using database = await openWithTable(open());
  const session = await database.openSession(options);
  const insert = await session.prepare(plan('serverLoop'));
  const running = failure(Promise.resolve(insert.run(insert.encode(serverMade(10_000_000)))));
  await expect.poll(async () => (await database.probe()).gauges.active, { timeout: 30_000 }).toBe(1);
  // The transaction of the loop begins with a statement that does not name the table.
  await expect
    .poll(async () => {
      const [rows] = await admin.query<mysql.RowDataPacket[]>(
        "SELECT id FROM information_schema.processlist WHERE command <> 'Sleep' AND info LIKE '%dyno_server_test%' AND id <> CONNECTION_ID()",
      );
      for (const { id } of rows) await admin.query(`KILL ${id}`);
      return rows.length;
    })
    .toBeGreaterThan(0);
  expect(await running).toMatchObject({ kind: 'serverGone' });
  expect(await failure(Promise.resolve(session.begin()))).toMatchObject({ kind: 'serverGone' });
  await session[Symbol.asyncDispose]();
});

test.each(drivers)('a session ended between two calls says so with every call: $driver', async (options) => {
  await using database = await open();
  const session = await database.openSession(options);
  const ids = `SELECT id FROM information_schema.processlist WHERE user = '${server.raw.user}' AND command = 'Sleep' AND id <> CONNECTION_ID()`;
  const [rows] = await admin.query<mysql.RowDataPacket[]>(ids);
  for (const { id } of rows) await admin.query(`KILL ${id}`);
  await expect.poll(async () => (await admin.query<mysql.RowDataPacket[]>(ids))[0].length, { timeout: 20_000 }).toBe(0);
  const first = await failure(Promise.resolve(session.begin()));
  expect(first).toMatchObject({ kind: 'serverGone' });
  expect(first?.message).not.toMatch(/closed state|Cannot execute new commands/);
  expect(await failure(Promise.resolve(session.begin()))).toEqual(first);
  await session[Symbol.asyncDispose]();
});

test.each(drivers)('a CALL counts the rows of its first result, run or shown: $driver', async (options) => {
  await admin.query('CREATE DATABASE IF NOT EXISTS called');
  await admin.query('CREATE OR REPLACE PROCEDURE called.two() BEGIN SELECT 1 UNION SELECT 2; SELECT 3; END');
  await admin.query("GRANT EXECUTE ON called.* TO dyno@'%'");
  await using database = await open();
  await using session = await database.openSession(options);
  for (const method of ['literal', 'bind', 'prepared'] as const) {
    const call = { text: 'CALL called.two()', method, parameters: [], tables: {}, options, isRead: true } as const;
    const own = await session.prepareStatement!(call);
    const encoded = () => own.encode(serverMade(1));
    expect(await own.run(encoded()), method).toBe(2);
    expect((await own.answer(encoded(), 1)).read(), method).toMatchObject({ rows: [['1']], count: 2 });
    expect(await own.show(encoded(), 9), method).toMatchObject({ count: 2 });
  }
  await admin.query("REVOKE EXECUTE ON called.* FROM dyno@'%'");
  await admin.query('DROP DATABASE called');
});

test('a reader whose connection is lost does not wait for rows for ever', { timeout: 60_000 }, async () => {
  await using database = await openWithTable(open());
  // More than sockets hold: the server is still at it when it is asked.
  const parts = Array.from({ length: 10 }, (_, i) => ids(i * 50_000, 50_000));
  await database.load(table, parts, () => {}, signal);
  await using session = await database.openSession({ driver: 'mysql2' });
  const settings = { ...defaultSettings, fetchSize: 10 };
  const scan = await session.prepare(plan('prepared', { operation: 'scan', settings }));
  const blocks = scan.blocks!()[Symbol.asyncIterator]();
  expect((await blocks.next()).value).toEqual([[0]]);
  const [rows] = await admin.query<mysql.RowDataPacket[]>(
    "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT%dyno_server_test%' AND id <> CONNECTION_ID()",
  );
  expect(rows).toHaveLength(1);
  await admin.query(`KILL ${rows[0]!.id}`);
  const rest = (async () => {
    while (!(await blocks.next()).done);
  })();
  expect(await failure(rest)).toMatchObject({ kind: 'serverGone' });
});

/** A server of its own, to be killed. */
async function withVictim(use: (victim: RunningServer, database: Database) => Promise<void>): Promise<void> {
  await using victim = await startServer();
  const database = await engine.open(config.parse({ ...victim.raw }), 'dyno-test', signal);
  await database.prepareSchema(table);
  await use(victim, database);
  expect(await failure(database.probe())).toMatchObject({ kind: 'serverGone' });
  await database[Symbol.asyncDispose]();
  await using other = await open();
  await other.ping();
}

test('a server killed during load is serverGone, others go on', async () => {
  await withVictim(async (victim, database) => {
    const batches = function* () {
      for (let from = 0; ; from += 1_000) yield ids(from, 1_000);
    };
    const onRows = (rows: number) => {
      if (rows === 5_000) process.kill(victim.pid, 'SIGKILL');
    };
    expect(await failure(database.load(table, batches(), onRows, signal))).toMatchObject({ kind: 'serverGone' });
    await victim.gone;
  });
}, 60_000);

test.each(['', 'NO_BACKSLASH_ESCAPES'])('literals are values in every position, with sql_mode %j', async (sqlMode) => {
  await using database = await open({ sessionSettings: { sql_mode: sqlMode } });
  const types = [
    { kind: 'bigint' },
    { kind: 'text', maxLength: 40, fixed: false, ascii: false },
  ] as const satisfies readonly ColumnType[];
  const hostile = fc.sample(hostileText, { numRuns: 40, seed: 1 });
  for (const options of drivers) {
    await using session = await database.openSession(options);
    const shown = async (text: string, n: number, said: string) => {
      const parameters = ['n', 'said'].map((name, i) => ({ name, type: types[i]!, nullable: false }));
      const all = { text, method: 'literal', parameters, tables: {}, options, isRead: true } as const;
      const statement = await session.prepareStatement!(all);
      return (await statement.show(statement.encode(batchOf([[n, said]], types)), 1)).rows[0];
    };
    const text = `SELECT DATE_ADD('2024-01-10',INTERVAL :n DAY), 7 MOD :n, -:n, 2 -:n*2, CAST(:n AS CHAR)`;
    expect(await shown(text, -5, '')).toEqual(['2024-01-05', '2', '5', '12', '-5']);
    for (const said of ['\\', "\\'", "'\\", '\\\n', ...hostile])
      expect(await shown(`SELECT HEX(:said), 'x'=:said`, 0, said), JSON.stringify(said)).toEqual([
        Buffer.from(said).toString('hex').toUpperCase(),
        '0',
      ]);
  }
});

longTest(
  'a server killed while it is measured is serverGone to every kind of call, others go on',
  async () => {
    await withVictim(async (victim, database) => {
      const holder = await adminOf({ ...victim.admin });
      holder.on('error', () => {});
      await holder.query('LOCK TABLES dyno.dyno_server_test WRITE');
      const waiting: Promise<unknown>[] = [];
      for (const options of drivers)
        for (const method of ['literal', 'bind'] as const)
          for (const operation of ['scan', 'readByKey'] as const) {
            const session = await database.openSession(options);
            const read = await session.prepare(plan(method, { operation }));
            const batch = operation === 'scan' ? serverMade(0) : ids(1, 1);
            waiting.push(failure(Promise.resolve(read.run(read.encode(batch)))));
          }
      await expect.poll(async () => (await database.probe()).gauges.active, { timeout: 30_000 }).toBe(waiting.length);
      process.kill(victim.pid, 'SIGKILL');
      for (const one of await Promise.all(waiting)) expect(one).toMatchObject({ kind: 'serverGone' });
      await victim.gone;
    });
  },
  120_000,
);

longTest(
  'a server killed while calls drain leaves none of them waiting, others go on',
  async () => {
    await withVictim(async (victim, database) => {
      const session = await database.openSession({ driver: 'mariadb' });
      const insert = await session.prepare(plan('pipelined'));
      await session.begin();
      const calls = Array.from({ length: 5_000 }, (_, id) => insert.encode(ids(id, 1)));
      const draining = calls.map((call, i) => {
        // The server may have answered what was sent so far, but no call that comes after.
        if (i === calls.length / 2) process.kill(victim.pid, 'SIGKILL');
        return failure(Promise.resolve(insert.run(call)));
      });
      const failed = (await Promise.all(draining)).filter(Boolean);
      expect(failed.length).toBeGreaterThan(0);
      for (const one of failed) expect(one).toMatchObject({ kind: 'serverGone' });
      expect(await failure(Promise.resolve(session.commit()))).toMatchObject({ kind: 'serverGone' });
      await session[Symbol.asyncDispose]();
      await victim.gone;
    });
  },
  60_000,
);

test.each(drivers)(
  'a host that takes the connection and says nothing is given up in time: $driver',
  async (options) => {
    await using silent = await listening();
    const { port } = silent;
    const parsed = config.parse({ ...server.raw, port, connectTimeoutMs: 200 }) as MysqlConfig;
    const request = { config: parsed, tag: 'dyno-test', flavour: 'usual' } as const;
    expect(await failure(connect(options.driver as DriverName, request))).toMatchObject({ kind: 'unreachable' });
  },
);

test('opening a target stops when it is told to', async () => {
  await using silent = await listening();
  const { port } = silent;
  const stop = new AbortController();
  const opening = failure(engine.open(config.parse({ ...server.raw, port }), 'dyno-test', stop.signal));
  stop.abort();
  expect(await opening).toMatchObject({ kind: 'cancelled' });
});

test.each(drivers)(
  'a row that another session holds is waited for no longer than the session setting says: $driver',
  async (options) => {
    await using database = await openWithTable(open({ sessionSettings: { innodb_lock_wait_timeout: '1' } }));
    await using holder = await database.openSession(options);
    await using waiter = await database.openSession(options);
    await holder.begin();
    const first = await holder.prepare(plan('prepared'));
    await first.run(first.encode(ids(1, 1)));
    const second = await waiter.prepare(plan('bind'));
    const waiting = failure(Promise.resolve(second.run(second.encode(ids(1, 1)))));
    await expect.poll(async () => (await database.probe()).gauges['wait:InnoDB:row lock'], { timeout: 900 }).toBe(1);
    expect(await waiting).toMatchObject({ kind: 'lockTimeout', code: '1205', retryable: true });
    await holder.rollback();
  },
);

test.each(drivers)('two sessions that wait for each other: one gets a deadlock, $driver', async (options) => {
  await using database = await openWithTable(open());
  await database.load(table, [ids(1, 2)], () => {}, signal);
  await using a = await database.openSession(options);
  await using b = await database.openSession(options);
  const remove = (id: number) => ({
    by: async (session: typeof a) => {
      const operation = await session.prepare(plan('prepared', { operation: 'delete' }));
      return operation.run(operation.encode(ids(id, 1)));
    },
  });
  await a.begin();
  await b.begin();
  await remove(1).by(a);
  await remove(2).by(b);
  const outcomes = await Promise.all([failure(remove(2).by(a)), failure(remove(1).by(b))]);
  expect(outcomes.filter(Boolean)).toMatchObject([{ kind: 'deadlock', retryable: true }]);
  await a.rollback();
  await b.rollback();
});

test('what the server does for a session is counted at once, and file times where performance_schema is on', async () => {
  await using database = await openWithTable(open());
  await using session = await database.openSession({});
  const insert = await session.prepare(plan('prepared'));
  for (let id = 0; id < 20; id++) await insert.run(insert.encode(ids(id, 1)));
  const before = await database.probe();
  for (let id = 20; id < 30; id++) await insert.run(insert.encode(ids(id, 1)));
  const after = await database.probe();
  const more = (name: string) => after.counters[name]! - before.counters[name]!;
  expect(more('com_insert')).toBe(10);
  expect(more('com_stmt_execute')).toBe(10);
  expect(more('innodb_lsn_current')).toBeGreaterThan(0);
  expect(more('data_file_sync_time')).toBeGreaterThanOrEqual(0);
});

test.each(drivers)(
  'LOAD DATA of many rows is cancelled at the server, half-way through its data: $driver',
  async (options) => {
    await using database = await openWithTable(open(), { ...table, key: null });
    await using session = await database.openSession(options);
    const insert = await session.prepare(plan('bulk'));
    const call = insert.encode(ids(1_000_000, 1_500_000));
    const running = failure(Promise.resolve(insert.run(call)));
    await expect.poll(async () => (await database.probe()).gauges.active, { timeout: 30_000 }).toBe(1);
    await session.cancel();
    expect(await running).toMatchObject({ kind: 'cancelled' });
    // The connection is in order again: the rest of the data does not confuse what follows.
    expect(await insert.run(insert.encode(ids(5, 2)))).toBe(2);
    expect((await database.checksum(table))?.rows).toBe(2);
  },
  60_000,
);

test.each(drivers)('rows that LOAD DATA skips or changes are errors that say so: $driver', async (options) => {
  const narrow: TablePlan = {
    ...table,
    columns: [
      ...table.columns,
      { name: 'name', type: { kind: 'text', maxLength: 3, fixed: false, ascii: false }, nullable: false },
    ],
  };
  await using database = await openWithTable(open(), narrow);
  await using session = await database.openSession(options);
  const insert = await session.prepare(plan('bulk', { table: narrow }));
  const run = (keys: readonly number[], names: readonly string[]) =>
    failure(
      Promise.resolve(insert.run(insert.encode(batchWith(keys.length, numberColumn(keys), textColumn(...names))))),
    );
  expect(await run([1, 2], ['grü', 'b\\c'])).toBeNull();
  expect(await run([2, 3], ['x', 'y'])).toMatchObject({
    kind: 'uniqueViolation',
    code: '1062',
    message: expect.stringContaining('1 of 2 rows were stored and stay'),
  });
  expect(await run([4], ['abcdef'])).toMatchObject({ kind: 'constraint', code: '1265' });
});

test('where local_infile is off, bulk is refused before the clock and loading goes by INSERT', async () => {
  await admin.query('SET GLOBAL local_infile = OFF');
  try {
    await using database = await openWithTable(open());
    for (const options of drivers) {
      await using session = await database.openSession(options);
      expect(await failure(session.prepare(plan('bulk')))).toMatchObject({
        kind: 'unsupported',
        hint: expect.stringContaining('local_infile = ON'),
      });
    }
    const progress: number[] = [];
    await database.load(table, [ids(0, 1_200), ids(1_200, 3)], (rows) => progress.push(rows), signal);
    expect(progress).toEqual([1_200, 1_203]);
    const sum = (1_203 * 1_202) / 2;
    expect(await database.checksum(table)).toEqual({ rows: 1_203, columns: [String(sum)] });
  } finally {
    await admin.query('SET GLOBAL local_infile = ON');
  }
});

test('a session that changes its method keeps its count of bytes', async () => {
  await using database = await openWithTable(open());
  await using session = await database.openSession({ driver: 'mariadb' });
  let sent = 0;
  for (const [from, method] of (['prepared', 'bulk', 'bind', 'pipelined', 'arrayBind', 'bulk'] as const).entries()) {
    const insert = await session.prepare(plan(method));
    expect(await insert.run(insert.encode(ids(from, 1)))).toBe(1);
    expect(session.wireBytes()!.sent).toBeGreaterThan(sent);
    sent = session.wireBytes()!.sent;
  }
  expect((await database.checksum(table))?.rows).toBe(6);
});

test('what one driver cannot do is refused as unsupported, with the reason', async () => {
  await using database = await openWithTable(open());
  await using session = await database.openSession({ driver: 'mysql2' });
  for (const method of ['pipelined', 'arrayBind'] as const)
    expect(await failure(session.prepare(plan(method)))).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('mysql2'),
      hint: expect.stringContaining('mysql2'),
    });
});

test('integers of a column that are partly beyond 32 bits arrive exactly, in one packet or several', async () => {
  await using database = await openWithTable(open());
  await using session = await database.openSession({ driver: 'mariadb' });
  const insert = await session.prepare(plan('arrayBind'));
  const some = [1, 2 ** 31, -5, 2 ** 53 - 1, 7, -(2 ** 40)];
  expect(await insert.run(insert.encode(batchWith(some.length, numberColumn(some))))).toBe(some.length);
  expect(await insert.run(insert.encode(ids(100, 200_000)))).toBe(200_000);
  const sum = some.reduce((total, id) => total + BigInt(id), 0n) + (200_000n * (100n + 200_099n)) / 2n;
  expect(await database.checksum(table)).toEqual({ rows: 200_006, columns: [String(sum)] });
}, 60_000);

test.each(drivers)('a sort within its memory merges nothing, and one beyond it does: $driver', async (options) => {
  await using database = await open();
  const heap: TablePlan = { ...table, name: 'dyno_server_sorts', key: null };
  await database.prepareSchema(heap);
  await database.load(heap, [ids(0, 30_000)], () => {}, signal);
  // MariaDB takes memory for as many rows as it thinks there are.
  await database.settle(heap);
  const merges: number[] = [];
  for (const sortMemoryKb of [65_536, 32]) {
    await using session = await database.openSession(options);
    const before = (await database.probe()).counters.sort_merge_passes!;
    const settings = { ...defaultSettings, orderBy: 'id', sortMemoryKb };
    const scan = await session.prepare(plan('bind', { table: heap, operation: 'scan', settings }));
    expect(await scan.run(scan.encode(serverMade(0)))).toBe(30_000);
    merges.push((await database.probe()).counters.sort_merge_passes! - before);
  }
  await database.drop(heap);
  expect(merges[0]).toBe(0);
  expect(merges[1]).toBeGreaterThan(0);
});

test('the server takes a null for what its type byte says', async () => {
  const typeOf = async (binding: NullBinding) => {
    await admin.execute('CREATE OR REPLACE TABLE test.dyno_nulls AS SELECT ? AS value', [nullParameter(binding)]);
    const [[column]] = await admin.query<mysql.RowDataPacket[]>('SHOW COLUMNS FROM test.dyno_nulls');
    await admin.query('DROP TABLE test.dyno_nulls');
    return column?.Type;
  };
  await admin.query('CREATE DATABASE IF NOT EXISTS test');
  expect(await typeOf('asFloat')).toMatch(/^double/);
  // Both bindings send a null without a value: the first with a type byte of text, the second with that of null.
  expect([await typeOf('asColumn'), await typeOf('untyped')]).toEqual(['binary(0)', 'binary(0)']);
});

test.each(drivers)('a loop at the server is one transaction, or commits each turn: $driver', async (options) => {
  // Handler_commit counts the end of every statement, too.
  await admin.query("SET GLOBAL innodb_monitor_enable = 'trx_rw_commits'");
  const commits = async () =>
    Number(
      (
        await admin.query<mysql.RowDataPacket[]>(
          "SELECT count AS n FROM information_schema.innodb_metrics WHERE name = 'trx_rw_commits'",
        )
      )[0][0]?.n,
    );
  const turns = 40;
  for (const [loopCommit, least, most] of [
    ['perCall', 1, turns - 1],
    ['perTurn', turns, 10 * turns],
  ] as const) {
    const own = { ...table, options: { ...options, loopCommit } };
    await using database = await openWithTable(open(), own);
    await using session = await database.openSession(own.options);
    const insert = await session.prepare(plan('serverLoop', { table: own }));
    const before = await commits();
    expect(await insert.run(insert.encode(serverMade(turns)))).toBe(turns);
    const made = (await commits()) - before;
    expect(made, loopCommit).toBeGreaterThanOrEqual(least);
    expect(made, loopCommit).toBeLessThanOrEqual(most);
    expect((await database.checksum(own))?.rows).toBe(turns);
  }
});

test.each(drivers)(
  'for a plan no function is called that changes something, also within EXPLAIN: $driver',
  async (options) => {
    await admin.query('CREATE DATABASE IF NOT EXISTS dyno_plans');
    await admin.query('CREATE OR REPLACE TABLE dyno_plans.calls (n INT) ENGINE=MyISAM');
    await admin.query('CREATE OR REPLACE TABLE dyno_plans.items (id INT PRIMARY KEY)');
    await admin.query('INSERT INTO dyno_plans.items VALUES (1), (2)');
    await admin.query(
      'CREATE OR REPLACE FUNCTION dyno_plans.bump() RETURNS INT DETERMINISTIC BEGIN INSERT INTO dyno_plans.calls VALUES (1); RETURN 1; END',
    );
    await admin.query('CREATE OR REPLACE VIEW dyno_plans.bumped AS SELECT dyno_plans.bump() AS n');
    const count = async () =>
      Number((await admin.query<mysql.RowDataPacket[]>('SELECT COUNT(*) AS n FROM dyno_plans.calls'))[0][0]?.n);
    await using database = await engine.open(config.parse(server.admin), 'dyno-test', signal);
    await using session = await database.openSession(options);
    for (const text of [
      'SELECT * FROM dyno_plans.items WHERE id = dyno_plans.bump()',
      'SELECT * FROM dyno_plans.bumped',
      'DELETE FROM dyno_plans.items WHERE id = dyno_plans.bump()',
      'DELETE FROM dyno_plans.items WHERE id = (SELECT n FROM dyno_plans.bumped)',
    ]) {
      const isRead = text.startsWith('SELECT');
      const own = await session.prepareStatement!({
        text,
        parameters: [],
        method: 'literal',
        tables: {},
        options,
        isRead,
      });
      const call = () => own.encode(batchWith(1));
      const refused = { kind: 'unsupported', message: expect.stringMatching(/function/) };
      expect(await failure(own.queryPlan!(call())), text).toMatchObject(refused);
      if (!isRead) expect(await failure(own.explain(call())), text).toMatchObject(refused);
    }
    expect(await count(), 'calls of the function').toBe(0);
    const plain = await session.prepareStatement!({
      text: 'DELETE FROM dyno_plans.items WHERE id = 1',
      parameters: [],
      method: 'literal',
      tables: {},
      options,
      isRead: false,
    });
    expect(await plain.queryPlan!(plain.encode(batchWith(1)))).toMatchObject({ executed: false });
    await admin.query('DROP DATABASE dyno_plans');
  },
);

test.each([
  { options: { storageEngine: 'MyISAM' }, shown: /ENGINE=MyISAM/ },
  { options: { storageEngine: 'Aria' }, shown: /ENGINE=Aria/ },
  { options: { compression: 'table', keyBlockSize: '4' }, shown: /ROW_FORMAT=COMPRESSED.* KEY_BLOCK_SIZE=4/ },
  { options: { compression: 'page' }, shown: /PAGE_COMPRESSED.?='?1/i },
] satisfies readonly { options: Options; shown: RegExp }[])(
  'a table has the options of the experiment: $options',
  async ({ options, shown }) => {
    const own: TablePlan = { ...table, name: 'dyno_options_test', options };
    await using database = await openWithTable(open(), own);
    const [[row]] = await admin.query<mysql.RowDataPacket[]>('SHOW CREATE TABLE dyno.dyno_options_test');
    expect(row?.['Create Table']).toMatch(shown);
    await database.load(own, [ids(0, 100)], () => {}, signal);
    expect((await database.checksum(own))?.rows).toBe(100);
  },
);

test('a storage engine that the server lacks is unsupported, and no table in another engine stays', async () => {
  await using database = await open();
  for (const mode of ['NO_ENGINE_SUBSTITUTION', '']) {
    await using server = await open({ sessionSettings: { sql_mode: mode } });
    const lacking: TablePlan = { ...table, name: 'dyno_options_test', options: { storageEngine: 'RocksDB' } };
    expect(await failure(server.prepareSchema(lacking)), mode).toMatchObject({ kind: 'unsupported' });
    expect(await database.leftovers('dyno_options_test')).toEqual([]);
  }
});

test('the sizes of indexes are known, or the reason is', async () => {
  const index = plainIndex('dyno_server_test_i1', 0);
  const own: TablePlan = { ...table, indexes: [index] };
  await using database = await openWithTable(open());
  await database.addIndex(own, index);
  expect(Object.values((await database.storedBytes(own))?.eachIndex ?? {})).toEqual([expect.any(Number)]);
  await admin.query("GRANT ALL ON dyno.* TO limited@'127.0.0.1'");
  await using limited = await open({ user: 'limited', password: 'limited' });
  expect((await limited.storedBytes(own))?.eachIndex).toEqual({
    [index.name]: { why: expect.stringContaining('may not read mysql.innodb_index_stats') },
  });
});
