import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as anyTest, beforeAll, describe, expect, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { derbyOf } from '#engines/drda/test-tables.fixture.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { type DerbyWishes, startDerby } from '#managed-servers/servers/derby.ts';
import { startRowStore } from '#managed-servers/servers/snappydata.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { failure } from './failure.fixture.ts';
import { type ConnectOptions, connect, type DrdaConnection, type Statement, type Value } from './index.ts';
import { type Random, seeded } from './random.fixture.ts';
import { type SampleType, sampleTypes } from './types.fixture.ts';

/** The client on real servers: Apache Derby, and the row store that came of SQLFire. */

// Longer than Derby waits for a lock (60 s), so that its error is seen.
vi.setConfig({ testTimeout: 150_000, hookTimeout: 60_000 });

const canary = 'canary-5d2e';

const optionsOf = ({ raw }: RunningServer): ConnectOptions => ({
  host: String(raw.host),
  port: Number(raw.port),
  database: String(raw.database),
  user: String(raw.user),
  password: String(raw.password),
});

async function rowsOf(
  statement: Statement,
  parameters: readonly Value[] = [],
  blockBytes = 32_767,
): Promise<Value[][]> {
  const cursor = await statement.open(parameters.length > 0 ? statement.encode([parameters]) : null, { blockBytes });
  const rows: Value[][] = [];
  try {
    for (;;) {
      const block = await cursor.fetch();
      if (block === null) return rows;
      rows.push(...block.map((row) => [...row]));
    }
  } finally {
    await cursor.close();
  }
}

async function query(connection: DrdaConnection, sql: string, parameters: readonly Value[] = []): Promise<Value[][]> {
  const statement = await connection.prepare(sql);
  try {
    return await rowsOf(statement, parameters);
  } finally {
    await statement.close();
  }
}

/** A server for the tests of one `describe`. */
function withServer(start: (folder: string) => Promise<RunningServer>) {
  let folder = '';
  let running: RunningServer | null = null;
  beforeAll(async () => {
    running = await startInFolder((inside) => {
      folder = inside;
      return start(inside);
    });
  });
  afterAll(() => running?.[Symbol.asyncDispose]());
  return {
    get running(): RunningServer {
      if (running === null) throw new Error('the server did not start');
      return running;
    },
    connect: (options: Partial<ConnectOptions> = {}): Promise<DrdaConnection> =>
      connect({ ...optionsOf(running!), ...options }),
    get folder(): string {
      return folder;
    },
  };
}

/** How a type is declared, and what of its values this server cannot keep as they are. */
interface ColumnOf {
  readonly type: SampleType;
  readonly declared: string;
  readonly kept?: (value: Value) => Value;
}

const named = (name: string): SampleType => sampleTypes.find((type) => type.name === name)!;
const notBefore1600 = (value: Value): Value =>
  typeof value === 'string' && value < '1600' ? `2${value.slice(1)}` : value;

const commonColumns: readonly ColumnOf[] = [
  { type: named('smallint'), declared: 'SMALLINT' },
  { type: named('integer'), declared: 'INT' },
  { type: named('bigint'), declared: 'BIGINT' },
  { type: named('real'), declared: 'REAL' },
  { type: named('double'), declared: 'DOUBLE' },
  { type: named('decimal(31, 15)'), declared: 'DECIMAL(31, 15)' },
  { type: named('decimal(12, 3)'), declared: 'DECIMAL(12, 3)' },
  { type: named('decimal(6, 6)'), declared: 'DECIMAL(6, 6)' },
  { type: named('date'), declared: 'DATE' },
  { type: named('time'), declared: 'TIME' },
  {
    type: named('char'),
    declared: 'CHAR(40)',
    kept: (value) => (typeof value === 'string' ? value.padEnd(40) : value),
  },
  { type: named('varchar'), declared: 'VARCHAR(400)' },
  { type: named('varchar for bit data'), declared: 'VARCHAR(300) FOR BIT DATA' },
  { type: named('char for bit data'), declared: 'CHAR(9) FOR BIT DATA' },
  { type: named('long varchar for bit data'), declared: 'LONG VARCHAR FOR BIT DATA' },
  { type: named('clob'), declared: 'CLOB' },
  { type: named('blob'), declared: 'BLOB' },
];
const derbyColumns: readonly ColumnOf[] = [
  ...commonColumns,
  { type: named('timestamp of 29 characters'), declared: 'TIMESTAMP' },
  { type: named('boolean'), declared: 'BOOLEAN' },
  { type: named('long varchar'), declared: 'LONG VARCHAR' },
];
const rowStoreColumns: readonly ColumnOf[] = [
  ...commonColumns,
  { type: named('timestamp of 26 characters'), declared: 'TIMESTAMP' },
];

function sampleRow(columns: readonly ColumnOf[], random: Random): Value[] {
  return columns.map(({ type }) => {
    if (random.unit() < 0.1) return null;
    const value = type.value(random);
    return /date|timestamp/.test(type.name) ? notBefore1600(value) : value;
  });
}

const plain = (rows: readonly (readonly Value[])[]): unknown =>
  rows.map((row) => row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)));

const servers = [
  {
    label: 'Apache Derby 10.16',
    id: 'local-derby',
    start: (folder: string) => startDerby(folder, () => {}),
    columns: derbyColumns,
    options: '',
    /** Cursors stay open over commits. */
    holdsCursors: true,
  },
  {
    label: 'snappydata-store 1.6.5',
    id: 'local-snappydata',
    start: (folder: string) => startRowStore(folder, () => {}),
    columns: rowStoreColumns,
    options: ' REPLICATE',
    holdsCursors: false,
  },
] as const;

describe.each(smokeOf(servers))('$label', ({ id, start, columns, options, holdsCursors }) => {
  const test = anyTest.skipIf(isSkipped(id));
  const server = isSkipped(id) ? null : withServer(start);
  let tables = 0;
  const connected = (extra?: Partial<ConnectOptions>): Promise<DrdaConnection> => server!.connect(extra);

  /** A table with a new name, so that a test which failed halfway can be tried again. */
  const create = async (connection: DrdaConnection, columns: string): Promise<string> => {
    const table = `t${++tables}`;
    await connection.execute(`CREATE TABLE ${table} ${columns}${options}`, { commit: true });
    return table;
  };

  test('random rows of every type come back as they were, out of blocks of every size', async () => {
    await using connection = await connected();
    const declared = columns.map(({ declared }, n) => `c${n} ${declared}`).join(', ');
    const table = await create(connection, `(id INT NOT NULL PRIMARY KEY, ${declared})`);
    const random = seeded(id.length);
    const rows = Array.from({ length: 60 }, (_, row) => [row, ...sampleRow(columns, random)]);
    const insert = await connection.prepare(`INSERT INTO ${table} VALUES (${rows[0]!.map(() => '?').join(', ')})`);
    expect(await insert.execute(insert.encode(rows), { commit: true })).toBe(rows.length);
    const expected = rows.map(([row, ...values]) => [
      row!,
      ...values.map((value, n) => columns[n]!.kept?.(value) ?? value),
    ]);
    const select = await connection.prepare(`SELECT * FROM ${table} ORDER BY id`);
    expect(select.columns.slice(1).map(({ nullable }) => nullable)).toContain(true);
    for (const blockBytes of [32_767, 512, 5_000, 1_000_000])
      expect(plain(await rowsOf(select, [], blockBytes))).toEqual(plain(expected));
    const short = await connection.prepare(`SELECT id, c0, c5, c11, c8 FROM ${table} ORDER BY id`);
    for (const blockBytes of [32_767, 512, 777])
      expect(plain(await rowsOf(short, [], blockBytes))).toEqual(
        plain(expected.map((row) => [row[0]!, row[1]!, row[6]!, row[12]!, row[9]!])),
      );
  });

  test('LOBs of megabytes and statements of 100 KB go both ways', async () => {
    await using connection = await connected();
    const table = await create(connection, `(id INT NOT NULL PRIMARY KEY, t CLOB, b BLOB)`);
    const text = `${'ä€😀x'.repeat(200_000)}end`;
    const bytes = Buffer.from(seeded(1).bytes(1_000_003));
    const insert = await connection.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`);
    const rows = [
      [1, text, bytes],
      [2, 'x'.repeat(32_767), Buffer.alloc(32_768, 1)],
      [3, '', Buffer.alloc(0)],
    ];
    expect(await insert.execute(insert.encode(rows), { commit: true })).toBe(3);
    const found = await query(connection, `SELECT t, b FROM ${table} ORDER BY id`);
    found.forEach(([t, b], n) => {
      expect(t === rows[n]![1]).toBe(true);
      expect(Buffer.compare(b as Uint8Array, rows[n]![2] as Buffer)).toBe(0);
    });
    const comment = `/* ${'ä'.repeat(50_000)} */`;
    expect(await connection.execute(`DELETE FROM ${table} WHERE id = 3 ${comment}`, { commit: true })).toBe(1);
    expect(await query(connection, `SELECT COUNT(*) FROM ${table} ${comment}`)).toEqual([[2]]);
  });

  test('300 parameters and columns fit into one row', async () => {
    await using connection = await connected();
    const names = Array.from({ length: 300 }, (_, n) => `c${n}`);
    const table = await create(connection, `(${names.map((name) => `${name} INT`).join(', ')})`);
    const insert = await connection.prepare(`INSERT INTO ${table} VALUES (${names.map(() => '?').join(', ')})`);
    expect(insert.parameters).toHaveLength(300);
    const row = names.map((_, n) => (n % 7 === 0 ? null : n));
    expect(await insert.execute(insert.encode([row]), { commit: true })).toBe(1);
    expect(await query(connection, `SELECT * FROM ${table}`)).toEqual([row]);
  });

  test('a batch of more rows than a chain has is one call, and says which row failed', async () => {
    await using connection = await connected();
    const table = await create(connection, `(id INT NOT NULL PRIMARY KEY, n INT NOT NULL DEFAULT 0)`);
    const insert = await connection.prepare(`INSERT INTO ${table} (id) VALUES (?)`);
    const ids = Array.from({ length: 20_000 }, (_, n) => [n]);
    expect(await insert.execute(insert.encode(ids), { commit: true })).toBe(20_000);
    const again = insert.encode(ids.map(([n]) => [n === 17_000 ? 5 : n! + 100_000]));
    const error = await failure(insert.execute(again, { commit: true }));
    expect(error).toMatchObject({ kind: 'sql', sqlState: '23505', row: 17_000 });
    // The rows around it were taken, and committed.
    await connection.rollback();
    expect(await query(connection, `SELECT COUNT(*) FROM ${table}`)).toEqual([[39_999]]);
    const change = await connection.prepare(`UPDATE ${table} SET n = n + 1 WHERE id BETWEEN ? AND ?`);
    const ranges = change.encode([
      [0, 9],
      [50, 50],
      [-5, -1],
    ]);
    expect(await change.execute(ranges)).toBe(11);
    // The same rows, with the commit and without.
    expect(await change.execute(ranges, { commit: true })).toBe(11);
    expect(await change.execute(ranges)).toBe(11);
  });

  test('calls that are sent together are carried out in order', async () => {
    await using connection = await connected();
    const table = await create(connection, `(id INT NOT NULL PRIMARY KEY, n INT)`);
    const [insert, update, select] = await Promise.all([
      connection.prepare(`INSERT INTO ${table} VALUES (?, ?)`),
      connection.prepare(`UPDATE ${table} SET n = n * 2 + ?`),
      connection.prepare(`SELECT n FROM ${table} WHERE id = ?`),
    ]);
    const one = update.encode([[1]]);
    const results = await Promise.all([
      insert.execute(insert.encode([[1, 1]])),
      update.execute(one, { commit: true }),
      update.execute(one),
      update.execute(one, { commit: true }),
      rowsOf(select, [1]),
    ]);
    expect(results).toEqual([1, 1, 1, 1, [[15]]]);
  });

  test('errors are those of the call that made them, with the server’s words; the connection goes on', async () => {
    await using connection = await connected();
    const calls = [
      failure(connection.prepare('SELECT FROM')),
      failure(connection.execute('DROP TABLE no_such_table')),
      failure(connection.execute('nonsense', { commit: true })),
      query(connection, 'VALUES 1'),
    ] as const;
    const [syntax, missing, nonsense, rows] = await Promise.all(calls);
    expect([syntax.sqlState, missing.sqlState, nonsense.sqlState, rows]).toEqual(['42X01', '42Y55', '42X01', [[1]]]);
    expect(missing).toMatchObject({ kind: 'sql', row: null });
    expect(await connection.explain(missing)).toMatch(
      /'DROP TABLE' cannot be performed on '.*NO_SUCH_TABLE' because it does not exist/,
    );
    const division = await connection.prepare('VALUES 1 / CAST(? AS INT)');
    expect(await failure(rowsOf(division, [0]))).toMatchObject({ kind: 'sql', sqlState: '22012' });
    expect(await rowsOf(division, [1])).toEqual([[1]]);
  });

  test('a cursor is closed before its end, and opened again', async () => {
    await using connection = await connected();
    const table = await create(connection, `(id INT NOT NULL PRIMARY KEY, t VARCHAR(100))`);
    const insert = await connection.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    await insert.execute(insert.encode(Array.from({ length: 200 }, (_, n) => [n, 'x'.repeat(90)])), { commit: true });
    const select = await connection.prepare(`SELECT id, t FROM ${table} ORDER BY id`);
    const cursor = await select.open(null, { blockBytes: 1_000 });
    const first = await cursor.fetch();
    expect(first!.length).toBeLessThan(20);
    if (holdsCursors) await connection.commit();
    const second = await cursor.fetch();
    expect(second![0]![0]).toBe(first!.length);
    expect(await failure(select.open())).toMatchObject({ kind: 'value' });
    await cursor.close();
    expect(await cursor.fetch()).toBeNull();
    expect(await rowsOf(select)).toHaveLength(200);
    await select.close();
    expect(await failure(select.open())).toMatchObject({ kind: 'closed' });
  });

  test('a statement is prepared again, with rows encoded before and a cursor of it open', async () => {
    await using connection = await connected();
    const table = await create(connection, `(id INT NOT NULL PRIMARY KEY, t VARCHAR(100))`);
    const insert = await connection.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    const rows = Array.from({ length: 200 }, (_, n) => insert.encode([[n, 'x'.repeat(90)]]));
    for (const row of rows) {
      await insert.prepareAgain();
      expect(await insert.execute(row, { commit: true })).toBe(1);
    }
    const select = await connection.prepare(`SELECT id, t FROM ${table} WHERE id >= ? ORDER BY id`);
    const from = select.encode([[150]]);
    await select.open(from, { blockBytes: 1_000 });
    await select.prepareAgain();
    expect((await (await select.open(from)).fetch())?.length).toBe(50);
    await select.close();
    expect(await failure(select.prepareAgain())).toMatchObject({ kind: 'closed' });
  });

  test('sections are used again', async () => {
    await using connection = await connected();
    for (let n = 0; n < 300; n++) {
      const statement = await connection.prepare(`VALUES ${n}`);
      expect(await rowsOf(statement)).toEqual([[n]]);
      await statement.close();
    }
  });

  test('a wrong password is refused in words that do not hold it, nor does the server’s log', async () => {
    const error = await failure(connected({ password: canary }));
    expect(error).toMatchObject({ kind: 'security' });
    expect(`${error} ${error.stack} ${JSON.stringify(error)}`).not.toContain(canary);
    expect(readFileSync(join(server!.folder, 'server.log'), 'utf8')).not.toContain(canary);
  });

  test('what the server says of itself, and bytes of the wire', async () => {
    await using connection = await connected();
    expect(connection.server).toMatchObject({ className: 'Apache Derby', securityMechanism: 'plain' });
    expect(connection.server.release).toContain(connection.server.productId);
    const before = connection.wireBytes();
    await connection.commit();
    const after = connection.wireBytes();
    expect(after.sent - before.sent).toBe(10);
    expect(after.received - before.received).toBe(92);
  });

  test('encrypted user and password are refused where the server’s Java has not what they take', async () => {
    expect(await failure(connected({ security: 'encrypted' }))).toMatchObject({
      kind: 'security',
      message: expect.stringContaining('does not take the security mechanism encrypted; it names plain (3)'),
    });
  });
});

describe('Apache Derby', () => {
  const test = anyTest.skipIf(isSkipped('local-derby'));
  const longTest = anyTest.skipIf(isSkipped('local-derby') || !whole);
  const wishes: DerbyWishes = { properties: { 'derby.locks.waitTimeout': '1', 'derby.locks.deadlockTimeout': '1' } };
  const server = isSkipped('local-derby') ? null : withServer((folder) => startDerby(folder, () => {}, wishes));

  test('a password substitute is accepted', async () => {
    await using connection = await server!.connect({ security: 'substitute' });
    expect(connection.server.securityMechanism).toBe('substitute');
    expect(await failure(server!.connect({ security: 'substitute', password: canary }))).toMatchObject({
      kind: 'security',
    });
  });

  test('a database that is not there', async () => {
    expect(await failure(server!.connect({ database: 'no_such_database' }))).toMatchObject({
      kind: 'sql',
      sqlState: 'XJ004',
      message: expect.stringContaining("Database 'no_such_database' not found"),
    });
  });

  test('a rollback undoes, a lock that is not given ends in the server’s error', async () => {
    await using one = await server!.connect();
    await using other = await server!.connect();
    await one.execute('CREATE TABLE locked (id INT NOT NULL PRIMARY KEY, n INT)', { commit: true });
    await one.execute('INSERT INTO locked VALUES (1, 1), (2, 2)', { commit: true });
    await one.execute('UPDATE locked SET n = 10 WHERE id = 1');
    expect(await failure(other.execute('UPDATE locked SET n = 20 WHERE id = 1'))).toMatchObject({
      kind: 'sql',
      sqlState: '40XL1',
    });
    await one.rollback();
    await other.rollback();
    expect(await query(other, 'SELECT n FROM locked ORDER BY id')).toEqual([[1], [2]]);
  });

  test('silence while a lock is waited for ends the connection', async () => {
    await using one = await server!.connect();
    await using other = await server!.connect({ replyTimeoutMs: 200 });
    await one.execute('CREATE TABLE silent (id INT)', { commit: true });
    await one.execute('INSERT INTO silent VALUES 1');
    expect(await failure(query(other, 'SELECT * FROM silent'))).toMatchObject({ kind: 'timeout' });
    expect(other.isAlive).toBe(false);
    await one.rollback();
  });

  test('text is cut off by no one: more than 64 KiB in one value is an error', async () => {
    await using connection = await server!.connect();
    const long = await connection.prepare(
      'VALUES CAST(? AS VARCHAR(32672)) || CAST(? AS VARCHAR(32672)) || CAST(? AS VARCHAR(32672))',
    );
    const third = 'ä'.repeat(30_000);
    expect(await failure(rowsOf(long, [third, third, third]))).toMatchObject({ kind: 'sql', sqlState: '01004' });
    expect((await rowsOf(long, [third, '', '']))[0]![0]).toBe(third);
  });

  longTest('TLS: the certificate is checked, and who does without is told', async () => {
    await using secure = await derbyOf({ tls: true });
    const ca = readFileSync(secure.certificate!, 'utf8');
    await using connection = await connect({ ...optionsOf(secure), tls: { ca } });
    expect(connection.server.securityMechanism).toBe('plain');
    expect(await query(connection, 'VALUES 1')).toEqual([[1]]);
    expect(await failure(connect({ ...optionsOf(secure), tls: {} }))).toMatchObject({ kind: 'tls' });
    const plainly = await failure(connect({ ...optionsOf(secure), connectTimeoutMs: 3_000 }));
    expect(['tls', 'closed']).toContain(plainly.kind);
  });

  longTest('a server that is killed ends what is under way', async () => {
    await using mortal = await derbyOf();
    const connection = await connect(optionsOf(mortal));
    await connection.execute('CREATE TABLE t (id INT)', { commit: true });
    const insert = await connection.prepare('INSERT INTO t VALUES (?)');
    const rows = insert.encode(Array.from({ length: 5_000 }, (_, n) => [n]));
    const calls = Array.from({ length: 10 }, () => insert.execute(rows, { commit: true }));
    const ends = calls.map((call) =>
      call.then(
        () => null,
        (error: unknown) => error,
      ),
    );
    await ends[0];
    process.kill(mortal.pid, 'SIGKILL');
    const last = (await Promise.all(ends)).at(-1);
    expect(last).toMatchObject({ name: 'DrdaError', kind: 'closed' });
    expect(connection.isAlive).toBe(false);
    await connection.close();
    await mortal.gone;
  });
});
