import { test as anyTest, expect } from 'vitest';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { givenOrTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { table as rowsTable } from '../../conformance/rows.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { config, type MysqlConfig } from '../config.ts';
import { connect } from '../connection/connect.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { toError } from '../errors.ts';
import { quote } from '../names.ts';
import { checksumSql } from '../schema/checksum.ts';
import { createTableSql } from '../schema/create-table.ts';
import { literal } from '../values/values.ts';
import { loadSql } from './bulk.ts';
import { loopSql } from './server-loop.ts';
import { parameterised, statementsOf } from './statements.ts';

/** Every text that Dyno makes, before a real parser of the dialect: the server's. */
const test = anyTest.skipIf(isSkipped('mysql'));
const database = 'dyno_statements_test';
let server: TestServer;
let connection: MysqlConnection;

const tables: readonly TablePlan[] = (['binary', 'text'] as const).flatMap((uuid) => [
  { ...rowsTable(`all_types_${uuid}`), options: { uuid } },
  { ...rowsTable(`uuid_key_${uuid}`), key: 2, options: { uuid } },
  // Words of the language as names, and texts and bytes too long for a row.
  {
    name: `words_${uuid}`,
    key: 0,
    options: { uuid },
    columns: [
      { name: 'select', type: { kind: 'text', maxLength: 300, fixed: false, ascii: true }, nullable: false },
      { name: 'order', type: { kind: 'bytes', maxLength: 1_000_000, fixed: false }, nullable: true },
      { name: 'key', type: { kind: 'text', maxLength: 60_000, fixed: true, ascii: false }, nullable: true },
      { name: 'group', type: { kind: 'text', maxLength: 200, fixed: true, ascii: true }, nullable: true },
      { name: 'none', type: { kind: 'text', maxLength: 0, fixed: true, ascii: true }, nullable: true },
    ],
  },
]);
const operations: readonly TableOperation[] = ['insert', 'readByKey', 'readRange', 'scan', 'update', 'delete'];

beforeTests(async (opened) => {
  server = opened.use(await givenOrTestServer(mariadb));
  connection = await connect('mysql2', {
    config: config.parse(server.admin) as MysqlConfig,
    tag: 'dyno-statements',
    flavour: 'localFiles',
  });
  opened.defer(() => connection.end());
  await connection.query(`CREATE DATABASE IF NOT EXISTS ${database}`);
  opened.defer(async () => void (await connection.query(`DROP DATABASE ${database}`)));
  for (const table of tables) await connection.query(createTableSql(database, table, connection.mariadb !== null));
});

const codeOf = (sql: string): Promise<string | null> =>
  connection.prepare(sql).then(
    () => null,
    (thrown: unknown) => toError(thrown).code,
  );

const values = [
  null,
  0,
  -1.5,
  2 ** 53 - 1,
  12n,
  true,
  "O'Neil",
  'back\\slash',
  'tab\tnew\nline',
  '🐘',
  Buffer.from([0, 39, 92]),
];
const anyLiteral = (row: number, column: number): string => literal(values[(row + column) % values.length]!);

for (const table of tables)
  for (const operation of operations)
    test(`${operation} on ${table.name}: with parameters and with literals, of one and of many rows`, async () => {
      const statements = statementsOf(database, table, operation, { rangeRows: 100 });
      const several = operation === 'scan' || operation === 'readRange' ? [1] : [1, 2, 500];
      for (const rows of several) {
        const { text } = parameterised(statements, rows);
        expect(await codeOf(text), text.slice(0, 300)).toBeNull();
        if (rows < 500) expect(await codeOf(statements.sql(rows, anyLiteral))).toBeNull();
      }
    });

test('parameters stand where the text has them', () => {
  const table = tables[0]!;
  const order = (operation: TableOperation, rows: number) =>
    parameterised(statementsOf(database, table, operation, { rangeRows: 1 }), rows).order;
  expect(order('update', 1), 'SET before WHERE').toEqual([1, 0]);
  expect(order('update', 3)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(order('insert', 2)).toEqual(Array.from({ length: 2 * table.columns.length }, (_, at) => at));
});

test('checksums and what cannot be prepared', async () => {
  for (const table of tables) {
    expect(await codeOf(checksumSql(database, table))).toBeNull();
    await connection.query(loopSql(database, table));
    await connection.query(`CALL ${quote(database)}.${quote(`${table.name}_loop`)}(1, 2)`).then(
      () => expect.fail('a CALL with too many arguments was accepted'),
      (thrown: unknown) => expect(toError(thrown).kind).toBe('syntax'),
    );
    await connection.query(`CALL ${quote(database)}.${quote(`${table.name}_loop`)}(3)`);
    const { affectedRows } = await connection.load(loadSql(database, table), Buffer.alloc(0));
    expect(affectedRows).toBe(0);
  }
});

/** A right text, and what makes it wrong. */
const wrong: readonly (readonly [TableOperation, number, string, string])[] = [
  ['insert', 2, 'VALUES', 'VALUE LIST'],
  ['insert', 2, '), (', ') ('],
  ['insert', 2, '`price`', '`prise`'],
  ['insert', 1, 'INSERT INTO', 'INSERT INTO TABLE'],
  ['readByKey', 1, ' = ?', ' == ?'],
  ['readByKey', 3, 'IN (', 'IN ((('],
  ['readByKey', 1, '`all_types_binary`', '`all_types`'],
  ['readRange', 1, 'ORDER BY', 'ORDERED BY'],
  ['readRange', 1, 'LIMIT', 'FETCH FIRST'],
  ['scan', 1, 'SELECT', 'SELECT DISTINCTLY'],
  ['update', 1, ' SET ', ' SET SET '],
  ['update', 2, 'UNION ALL', 'UNION EVERY'],
  ['update', 2, 'AS SIGNED', 'AS SIGNED SIGNED'],
  ['update', 2, 'old.`id`', 'older.`id`'],
  ['delete', 1, 'FROM', 'OUT OF'],
];

test.each(wrong)('a wrong %s of %d rows is rejected: %s → %s', async (operation, rows, from, to) => {
  const { text } = parameterised(statementsOf(database, tables[0]!, operation, { rangeRows: 5 }), rows);
  expect(text).toContain(from);
  expect(await codeOf(text.replace(from, to))).toMatch(/^(1054|1064|1146|1136)$/);
});
