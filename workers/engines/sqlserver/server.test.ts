import type { Connection } from 'tedious';
import { afterAll, test as anyTest, beforeAll, beforeEach, describe, expect } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import type { Session } from '#engine-api/session.ts';
import type { StatementPlan } from '#engine-api/statement.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName, NullBinding, TableOperation } from '#model/settings/vocabulary.ts';
import { listening } from '#platform/listening.fixture.ts';
import { rowOf, salesBatch, storesBatch, twoTables } from '../conformance/checks/two-tables.ts';
import { expectedChecksum, makeRows, table as rowsTable, toBatch, updateBatch } from '../conformance/rows.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { batchWith, ids, numberColumn, textColumn } from '../shared/test-table.fixture.ts';
import { config, type SqlServerConfig } from './config.ts';
import { close, connect } from './connection/connect.ts';
import { askServer, type Server } from './connection/server.ts';
import { descriptor } from './descriptor.ts';
import { engine } from './engine.ts';
import { openPool } from './mssql/pool.ts';
import { drivers, sessionOptions } from './options.ts';
import { execute, query } from './wire/request.ts';
import { callByPosition } from './wire/stand-in-calls.fixture.ts';

const signal = new AbortController().signal;
const url = process.env.DYNO_TEST_SQLSERVER;
const failure = failureOf(engine);

anyTest('a server that never answers is given up in time, and the password is in no message', async () => {
  await using silent = await listening();
  const raw = { host: '127.0.0.1', port: silent.port, user: 'app', password: 'c4nary', connectTimeoutMs: 200 };
  const error = await failure(engine.open(config.parse(raw), 'dyno-test', signal));
  expect(error).toMatchObject({ kind: 'unreachable', code: 'ETIMEOUT' });
  expect(JSON.stringify(error)).not.toContain('c4nary');
});

/**
 * These tests are about features that only SQL Server has; on a server of the tests' own, whose databases and logins
 * they may change.
 */
const where = url ? 'on the server of DYNO_TEST_SQLSERVER' : 'SKIPPED: DYNO_TEST_SQLSERVER names no server';
describe.skipIf(!url || isSkipped('sqlserver'))(where, () => {
  const test = anyTest;
  let admin: Connection;
  let server: Server;
  const raw = { url };
  const tag = `dyno-server-test-${process.pid}`;
  const own = `dyno_s${process.pid}`;

  beforeAll(async () => {
    admin = await connect(config.parse(raw) as SqlServerConfig, 'dyno-test-admin', sessionOptions({}));
    server = await askServer(admin);
    if (server.emulator !== null) callByPosition();
  });
  afterAll(async () => {
    await using database = await open({});
    await database.dropLeftovers(own);
    await close(admin);
  });

  const open = (more: Record<string, unknown>) => engine.open(config.parse({ ...raw, ...more }), tag, signal);
  const optionsWith = (more: Options): Options => ({ ...optionsFor(descriptor, defaultSettings), ...more });
  const tableWith = (name: string, more: Options): TablePlan => ({
    ...rowsTable(`${own}_${name}`),
    options: optionsWith(more),
  });

  async function withTable(
    table: TablePlan,
    use: (database: Database, session: Session) => Promise<void>,
  ): Promise<void> {
    await using database = await open({});
    await database.prepareSchema(table);
    try {
      await using session = await database.openSession(table.options);
      await use(database, session);
    } finally {
      await database.drop(table);
    }
  }
  const prepare = (
    session: Session,
    table: TablePlan,
    operation: TableOperation,
    method: MethodName,
    nullBinding: NullBinding = 'asColumn',
  ) => session.prepare({ table, operation, method, settings: { ...defaultSettings, operation, method, nullBinding } });
  const call = async (
    session: Session,
    table: TablePlan,
    method: MethodName,
    batch: Batch,
    nullBinding?: NullBinding,
  ): Promise<number> => {
    const operation = await prepare(session, table, 'insert', method, nullBinding);
    return operation.run(operation.encode(batch));
  };

  const succeeds = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    );

  test('a wrong password is distinguished from a wrong host, and never repeated', async () => {
    const canary = 'c4nary-s3cret';
    const wrong = await failure(open({ password: canary }));
    expect(wrong).toMatchObject({ kind: 'authentication', code: '18456' });
    const away = await failure(open({ password: canary, port: 1 }));
    expect(away).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
    const nowhere = await failure(open({ password: canary, database: 'no_such_database' }));
    expect(nowhere?.kind).toMatch(/badInput|authentication/);
    expect(JSON.stringify([wrong, away, nowhere])).not.toContain(canary);
  });

  test('a certificate that nobody vouches for is refused unless it is trusted', async () => {
    const encrypted = { encrypt: true, trustServerCertificate: false };
    const refused = await failure(open(encrypted));
    if (refused === null) return; // its certificate is in order
    expect(refused).toMatchObject({ kind: 'tls' });
    await using database = await open({ ...encrypted, trustServerCertificate: true });
    await database.ping();
  });

  test.each(drivers)('session settings hold on every session of %s, and a wrong one is named', async (driver) => {
    await using database = await open({ sessionSettings: { LOCK_TIMEOUT: 300 } });
    const table = tableWith('locked', { driver });
    await database.prepareSchema(table);
    try {
      const rows = makeRows(0, 1);
      await database.load(table, [toBatch(rows)], () => {}, signal);
      await using session = await database.openSession(table.options);
      const update = await prepare(session, table, 'update', 'prepared');
      await execute(admin, `BEGIN TRANSACTION; UPDATE dyno.[${table.name}] SET flag = 1`);
      const waiting = await failure(Promise.resolve(update.run(update.encode(updateBatch(rows)))));
      await execute(admin, 'ROLLBACK TRANSACTION');
      expect(waiting).toMatchObject(
        server.emulator === null
          ? { kind: 'lockTimeout', code: '1222', retryable: true }
          : { message: expect.stringContaining('lock timeout') }, // under the number of all that it has no number for
      );
    } finally {
      await database.drop(table);
    }
    const wrong = await failure(open({ sessionSettings: { NO_SUCH_SETTING: 1 } }));
    expect(wrong).toMatchObject({
      kind: 'badInput',
      message: expect.stringContaining('NO_SUCH_SETTING'),
    });
  });

  test.each(drivers)('a session of %s is opened with the packet size that was asked for', async (driver) => {
    await using database = await open({});
    for (const packetSize of [512, 8_000]) {
      await using session = await database.openSession(optionsWith({ driver, packetSize }));
      await session.begin();
      const rows = await query<{ size: number }>(
        admin,
        `SELECT MIN(c.net_packet_size) AS size FROM sys.dm_exec_connections AS c JOIN sys.dm_exec_sessions AS s ON s.session_id = c.session_id WHERE s.program_name = '${tag}'`,
      );
      expect(rows[0]?.size).toBe(packetSize);
      await session.rollback();
    }
  });

  describe.each([
    ['heap', 'asColumn', {}],
    ['nonclustered', 'asFloat', {}],
    ['clustered', 'asText', { tableLock: false }],
    ['clustered', 'asDecimal', {}],
    ['clustered', 'untyped', {}],
    ['heap', 'asColumn', { driver: 'mssql' }],
    ['clustered', 'untyped', { driver: 'mssql' }],
    ['heap', 'asDecimal', { driver: 'mssql' }],
    ['nonclustered', 'asFloat', { driver: 'mssql' }],
    ['clustered', 'asText', { driver: 'mssql', tableLock: false }],
  ] as const)('%s, nulls %s, %j', (organisation, nulls, more) => {
    test('keeps every value, nulls included, by every method that sends them one by one', async () => {
      const table = tableWith(organisation, { table: organisation, ...more });
      await withTable(table, async (database, session) => {
        const rows = makeRows(0, 24);
        // A statement prepared by mssql declares its nulls as its columns.
        const third = 'driver' in more && nulls !== 'asColumn' ? 'bind' : 'prepared';
        for (const [index, method] of (['literal', 'bind', third] as const).entries())
          for (const row of rows.slice(index * 8, index * 8 + 8))
            expect(await call(session, table, method, toBatch([row]), nulls)).toBe(1);
        expect(await database.checksum(table)).toEqual(expectedChecksum(rows));
        const changed = { ...rows[3]!, text: null };
        const update = await prepare(session, table, 'update', 'bind', nulls);
        expect(await update.run(update.encode(updateBatch([changed])))).toBe(1);
        expect(await database.checksum(table)).toEqual(expectedChecksum(rows.with(3, changed)));
      });
    });
  });

  test.each(drivers)('a failed call leaves a session of %s fit for work, by every method but bulk', async (driver) => {
    const table = tableWith('twice', { driver });
    await withTable(table, async (database, session) => {
      const rows = makeRows(0, 8);
      await database.load(table, [toBatch(rows)], () => {}, signal);
      const methods = ['literal', 'bind', 'prepared', 'multiRow'] as const;
      for (const [index, method] of methods.entries()) {
        const twice = () => failure(call(session, table, method, toBatch(rows.slice(0, 1))));
        expect(await twice(), method).toMatchObject({ kind: 'uniqueViolation' });
        await session.begin();
        await call(session, table, method, toBatch(makeRows(500, 1)));
        expect(await twice(), method).toMatchObject({ kind: 'uniqueViolation' });
        await session.rollback();
        expect(await call(session, table, method, toBatch(makeRows(100 + index, 1))), method).toBe(1);
      }
      expect((await database.checksum(table))?.rows).toBe(rows.length + methods.length);
    });
  });

  test.for(drivers)(
    'foreign keys are trusted after loads by %s, unless constraints go unchecked',
    async (driver, { skip }) => {
      if (server.emulator !== null) skip(`${server.emulator} keeps rows of a bulk load that it has refused.`);
      for (const checkConstraints of [true, false]) {
        const { stores, sales } = twoTables(`${own}_trust`, optionsWith({ driver, checkConstraints }));
        await using database = await open({});
        await database.prepareSchema(stores);
        await database.prepareSchema(sales);
        try {
          await database.load(stores, [storesBatch], () => {}, signal);
          await database.load(sales, [salesBatch], () => {}, signal);
          expect(await database.untrustedForeignKeys!(sales), 'after loading').toBe(0);
          await using session = await database.openSession(sales.options);
          const orphan = await failure(call(session, sales, 'bulk', rowOf(1_000, 99, 1)));
          expect(orphan?.kind ?? 'inserted').toBe(checkConstraints ? 'constraint' : 'inserted');
          expect(await database.untrustedForeignKeys!(sales)).toBe(checkConstraints ? 0 : 1);
        } finally {
          await database.drop(sales);
          await database.drop(stores);
        }
      }
    },
  );

  test('a value that does not fit fails the call and is not cut off', async () => {
    const table = tableWith('narrow', {});
    await withTable(table, async (database, session) => {
      const wide = { ...makeRows(0, 1)[0]!, text: 'x'.repeat(41) };
      const error = await failure(call(session, table, 'literal', toBatch([wide])));
      expect(error?.kind).toMatch(/constraint|other/);
      expect((await database.checksum(table))?.rows).toBe(0);
    });
  });

  const uuid: ColumnType = { kind: 'uuid' };
  const number: ColumnType = { kind: 'bigint' };
  const keyed = (name: string, key: ColumnType, options: Options): TablePlan => ({
    name: `${own}_${name}`,
    key: 0,
    columns: [
      { name: 'id', type: key, nullable: false },
      { name: 'n', type: number, nullable: false },
    ],
    options: optionsWith(options),
  });
  const keys = (type: ColumnType, rows: number): Batch => {
    const n = ids(0, rows).columns[0]!;
    const bytes = Buffer.alloc(16 * rows, 7);
    for (let row = 0; row < rows; row++) bytes.writeUInt32BE(row, 16 * row + 10);
    const id = { kind: 'fixed', bytes, offset: 0, stride: 16, width: 16, nulls: null } as const;
    return batchWith(rows, type.kind === 'uuid' ? id : n, n);
  };

  test.each(drivers)('keys that the server makes are not sent by %s and not compared', async (driver) => {
    const table = keyed('sequential', uuid, { driver, table: 'newSequentialId' });
    await withTable(table, async (database, session) => {
      for (const method of ['literal', 'bind', 'prepared'] as const)
        expect(await call(session, table, method, keys(uuid, 1))).toBe(1);
      expect(await call(session, table, 'bulk', keys(uuid, 5))).toBe(5);
      expect(await database.checksum(table)).toEqual({ rows: 8, columns: [null, '10'] });
      expect(await failure(prepare(session, table, 'readByKey', 'prepared'))).toMatchObject({ kind: 'unsupported' });
    });
  });

  test.for([
    ['uuid', uuid],
    ['bigint', number],
  ] as const)(
    'a table partitioned by a %s key finds its rows, and its partitions go with it',
    async ([name, key], { skip }) => {
      if (server.emulator !== null) skip(`${server.emulator} has no partition schemes.`);
      const table = keyed(`parts_${name}`, key, { table: 'partitioned' });
      await withTable(table, async (database, session) => {
        await database.load(table, [keys(key, 200)], () => {}, signal);
        for (const method of ['literal', 'bind', 'prepared'] as const) {
          const read = await prepare(session, table, 'readByKey', method);
          expect(await read.run(read.encode(keys(key, 1))), method).toBe(1);
        }
      });
      const left = await query(admin, `SELECT name FROM sys.partition_functions WHERE name LIKE '${own}%'`);
      expect(left).toEqual([]);
    },
  );

  test.each(drivers)(
    'a session of %s ended by an administrator is reported as serverGone, and the others go on',
    async (driver) => {
      const table = tableWith('killed', { driver });
      await withTable(table, async (database, session) => {
        const insert = await prepare(session, table, 'insert', 'serverLoop');
        const running = failure(Promise.resolve(insert.run(insert.encode(batchWith(1_000_000)))));
        await expect.poll(async () => (await database.probe()).gauges.active, { timeout: 30_000 }).toBe(1);
        const [victim] = await query<{ id: number }>(
          admin,
          `SELECT session_id AS id FROM sys.dm_exec_sessions WHERE program_name = '${tag}' AND status IN ('running', 'active') AND session_id <> @@SPID`,
        );
        await execute(admin, `KILL ${victim!.id}`);
        expect(await running).toMatchObject({ kind: 'serverGone' });
        const after = await failure(call(session, table, 'bind', toBatch(makeRows(0, 1))));
        expect(after, 'no other connection takes its place').toMatchObject({ kind: 'serverGone' });
        await database.ping();
        expect((await database.checksum(table))?.rows).toBe(0);
      });
    },
  );

  test.each(drivers)('a cancelled call of %s rejects as cancelled, and its session goes on', async (driver) => {
    const table = tableWith('cancelled', { driver });
    await withTable(table, async (database, session) => {
      const insert = await prepare(session, table, 'insert', 'serverLoop');
      const rows = server.emulator === null ? 1_000_000 : 5_000;
      const running = failure(Promise.resolve(insert.run(insert.encode(batchWith(rows)))));
      await expect.poll(async () => (await database.probe()).gauges.active, { timeout: 30_000, interval: 10 }).toBe(1);
      await session.cancel();
      expect(await running).toMatchObject({ kind: 'cancelled', code: 'ECANCEL' });
      await session.begin();
      expect(await call(session, table, 'prepared', toBatch(makeRows(2 ** 40, 1)))).toBe(1);
      await session.rollback();
    });
  });

  test('gauges show the sessions of a run, and what cannot be read is listed once with the right it needs', async () => {
    await using database = await open({});
    await using session = await database.openSession(optionsWith({}));
    await session.begin();
    await session.rollback();
    const first = await database.probe();
    // The server counts sessions of the test before until they are gone.
    const gauges = async () => (await database.probe()).gauges;
    await expect.poll(gauges, { timeout: 5_000 }).toMatchObject({ sessions: 1, active: 0 });
    for (const line of first.unavailable) expect(line).toContain('VIEW SERVER');
    expect((await database.probe()).unavailable).toEqual(first.unavailable);
  });

  test('mssql says a wrong password as tedious does, and never repeats it', async () => {
    const canary = 'c4nary-s3cret';
    const wrong = config.parse({ ...raw, password: canary }) as SqlServerConfig;
    const error = await failure(openPool(wrong, tag, sessionOptions({})));
    expect(error).toMatchObject({ kind: 'authentication', code: '18456' });
    expect(JSON.stringify(error)).not.toContain(canary);
  });

  test('mssql declares nulls of a prepared statement in one way only, and says so', async () => {
    const table = tableWith('declared', { driver: 'mssql' });
    await withTable(table, async (_database, session) => {
      expect(await failure(prepare(session, table, 'insert', 'prepared', 'asFloat'))).toMatchObject({
        kind: 'unsupported',
      });
    });
  });

  test('a session of mssql ends in the middle of a transaction, and nothing of it stays', async () => {
    const table = tableWith('unfinished', { driver: 'mssql' });
    await withTable(table, async (database) => {
      {
        await using session = await database.openSession(table.options);
        await session.begin();
        expect(await call(session, table, 'prepared', toBatch(makeRows(0, 1)))).toBe(1);
        expect(await call(session, table, 'bind', toBatch(makeRows(1, 1)))).toBe(1);
      }
      expect((await database.checksum(table))?.rows).toBe(0);
    });
  });

  describe('in a database of its own', () => {
    const name = `${own}_db`;
    let allowed = true;
    beforeAll(async () => {
      const creating = execute(admin, `CREATE DATABASE [${name}] COLLATE Japanese_CI_AS`);
      allowed = await succeeds(creating.catch(() => execute(admin, `CREATE DATABASE [${name}]`)));
    });
    afterAll(async () => {
      if (allowed) await execute(admin, `DROP DATABASE [${name}]`).catch(() => {});
    });
    beforeEach(({ skip }) => {
      if (!allowed) skip('The server gives the tests’ login no database of its own.');
    });
    const inside = async (use: (connection: Connection) => Promise<void>) => {
      const connection = await connect(
        config.parse({ ...raw, database: name }) as SqlServerConfig,
        'dyno-test-admin',
        sessionOptions({}),
      );
      await use(connection).finally(() => close(connection));
    };

    test('a schema dyno of the user’s own is refused and left alone', async () => {
      await inside(async (connection) => {
        await execute(connection, 'CREATE SCHEMA dyno');
        await execute(connection, 'CREATE TABLE dyno.mine (x int)');
        {
          await using database = await open({ database: name });
          expect(await failure(database.prepareSchema(tableWith('foreign', {})))).toMatchObject({ kind: 'notOurs' });
        }
        expect(await query(connection, 'SELECT COUNT(*) AS n FROM dyno.mine')).toHaveLength(1);
        await execute(connection, 'DROP TABLE dyno.mine');
        await execute(connection, 'DROP SCHEMA dyno');
      });
    });

    test('Unicode survives whatever the database’s collation is', async () => {
      const table = tableWith('collation', {});
      await using database = await open({ database: name });
      await database.prepareSchema(table);
      const rows = makeRows(0, 16);
      await database.load(table, [toBatch(rows)], () => {}, signal);
      expect(await database.checksum(table)).toEqual(expectedChecksum(rows));
      await database.drop(table);
    });

    test('a user who may create nothing is told which rights to ask for, and still has probes', async ({ skip }) => {
      const [user, password] = [`${own}_limited`, 'Limited-1-passw0rd'];
      const made = await succeeds(execute(admin, `CREATE LOGIN [${user}] WITH PASSWORD = '${password}'`));
      if (!made) return skip('The tests’ login may create no other.');
      try {
        await inside(async (connection) => {
          await execute(connection, `CREATE USER [${user}] FOR LOGIN [${user}]`);
          {
            await using database = await open({ database: name, user, password });
            const error = await failure(database.prepareSchema(tableWith('denied', {})));
            expect(error).toMatchObject({ kind: 'permission' });
            expect(error?.hint).toMatch(/GRANT|dyno grants/);
            expect(JSON.stringify(error)).not.toContain(password);
            expect((await database.probe()).gauges.sessions).toBe(0);
            expect((await database.fingerprint()).unavailable.join()).toMatch(/needs/);
          }
          await execute(connection, `DROP USER [${user}]`);
        });
      } finally {
        await execute(admin, `DROP LOGIN [${user}]`).catch(() => {});
      }
    });

    test('a password that must be changed says so', async ({ skip }) => {
      const [user, password] = [`${own}_expired`, 'Expired-1-passw0rd'];
      const login = `CREATE LOGIN [${user}] WITH PASSWORD = '${password}' MUST_CHANGE, CHECK_EXPIRATION = ON`;
      const made = await succeeds(execute(admin, login));
      if (!made) return skip('The server has no password policy (Babelfish), or the tests’ login may create no other.');
      try {
        const error = await failure(open({ user, password, database: name }));
        expect(error).toMatchObject({ kind: 'authentication', code: '18488' });
        expect(error?.hint).toContain('Change the password');
      } finally {
        await execute(admin, `DROP LOGIN [${user}]`);
      }
    });
  });

  test('a statement’s rows are unknown behind SET NOCOUNT ON, and counted where rows are returned', async () => {
    const name = `dbo.${own}_pay`;
    await execute(admin, `CREATE PROCEDURE ${name} @n int AS BEGIN SET NOCOUNT ON; DECLARE @x int = @n; END`);
    await execute(admin, `CREATE PROCEDURE ${name}_row @n int AS BEGIN SET NOCOUNT ON; SELECT @n AS n; END`);
    try {
      await using database = await open({});
      await using session = await database.openSession(optionsWith({}));
      for (const method of ['literal', 'bind', 'prepared'] as const) {
        const plan = { method, parameters: [], tables: {}, options: optionsWith({}), isRead: false };
        const statement = async (text: string) => {
          const made = await session.prepareStatement!({ ...plan, text });
          return made.run(made.encode(batchWith(1)));
        };
        expect(await statement(`EXECUTE ${name} 7`), method).toBeNull();
        expect(await statement(`EXECUTE ${name}_row 7`), method).toBe(1);
      }
    } finally {
      await execute(admin, `DROP PROCEDURE ${name}, ${name}_row`);
    }
  });

  test('a captured key finds its row, declared as its column', async () => {
    const name = `dbo.${own}_stock`;
    await execute(
      admin,
      `CREATE TABLE ${name} (code varchar(20) NOT NULL PRIMARY KEY, short char(5) NOT NULL, at datetime NOT NULL, price decimal(9, 4) NOT NULL, wide nvarchar(30) NOT NULL)`,
    );
    await execute(admin, `INSERT INTO ${name} VALUES ('grün', 'ab', '2024-02-29T12:34:56.123', 12.3456, N'日本')`);
    try {
      await using database = await open({});
      await using session = await database.openSession(optionsWith({}));
      const made = (text: string, method: 'literal' | 'bind' | 'prepared', parameters: StatementPlan['parameters']) =>
        session.prepareStatement!({ text, method, parameters, tables: {}, options: optionsWith({}), isRead: true });
      const text = { kind: 'text', maxLength: 4_000, fixed: false, ascii: false } as const;
      for (const method of ['literal', 'bind', 'prepared'] as const) {
        const first = await made(`SELECT code, short, at, price, wide FROM ${name}`, method, []);
        const { rows, declared } = (await first.answer(first.encode(batchWith(1)), 1)).read();
        expect(declared).toEqual(['varchar(20)', 'char(5)', 'datetime', 'decimal(9, 4)', 'nvarchar(30)']);
        for (const [c, column] of ['code', 'short', 'wide'].entries()) {
          const at = column === 'wide' ? 4 : c;
          const find = await made(`SELECT 1 FROM ${name} WHERE ${column} = :it`, method, [
            { name: 'it', type: text, nullable: true },
          ]);
          const call = find.encode(batchWith(1, textColumn(String(rows[0]![at]))), [declared![at]!]);
          expect(await find.run(call), `${column} by ${method}`).toBe(1);
        }
        const moment = await made(`SELECT 1 FROM ${name} WHERE at = :it`, method, [
          { name: 'it', type: { kind: 'timestamp' }, nullable: true },
        ]);
        const us = Date.parse('2024-02-29T12:34:56.123Z') * 1_000;
        const call = moment.encode(batchWith(1, numberColumn([us])), [declared![2]!]);
        expect(await moment.run(call), `datetime by ${method}`).toBe(1);
      }
    } finally {
      await execute(admin, `DROP TABLE ${name}`);
    }
  });
});
