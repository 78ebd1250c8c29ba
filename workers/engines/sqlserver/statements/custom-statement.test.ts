import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import { extentOf } from '#model/statements/statement-extent.ts';
import type { Position } from '../../conformance/checks/hostile-values.ts';
import { everyPosition, expectSameTokens, hostileNumbers, planOf } from '../../shared/sql/tight-literals.fixture.ts';
import { batchWith, numberColumn, textColumn } from '../../shared/test-table.fixture.ts';
import { connectionDouble, type Heard } from '../connection/connection.fixture.ts';
import { statementLanguage } from '../descriptor.ts';
import { literal } from '../values/values.ts';
import { rpcRequest, sqlBatch } from '../wire/request.ts';
import { prepareCustomStatement } from './custom-statement.ts';
import type { SessionContext } from './operations.ts';
import { findParser } from './sqlfluff.fixture.ts';

const prepared: string[] = [];
const session = {
  connection: connectionDouble().connection,
  collation: Buffer.alloc(5),
  prepared: async (sql: string, declarations: string) => {
    prepared.push(`${sql} (${declarations})`);
    return 7;
  },
} as unknown as SessionContext;

const plan: StatementPlan = {
  text: "UPDATE {table} SET [text:no] = :note WHERE id = :id AND ':no' <> :note",
  parameters: [
    { name: 'id', type: { kind: 'bigint' }, nullable: false },
    { name: 'unused', type: { kind: 'boolean' }, nullable: false },
    { name: 'note', type: { kind: 'text', maxLength: 9, fixed: false, ascii: true }, nullable: true },
  ],
  method: 'bind',
  tables: { table: { name: 'dyno_t', columns: [], key: null, options: {} } },
  options: {},
  isRead: false,
};
const batch = batchWith(1, numberColumn([42]), numberColumn([1]), textColumn("O'Neil"));
const encoded = (own: CustomStatement) => own.encode(batch) as { readonly type: number; readonly body: Buffer };
const text = "UPDATE dyno.[dyno_t] SET [text:no] = @P0 WHERE id = @P1 AND ':no' <> @P0";
const declared = '@P0 varchar(9), @P1 bigint';

test('bind: text and declarations go with every call, a parameter that comes twice goes once', async () => {
  const { type, body } = encoded(await prepareCustomStatement(session, plan));
  expect(type).toBe(rpcRequest);
  expect(body.includes(Buffer.from(text, 'utf16le'))).toBe(true);
  expect(body.includes(Buffer.from(declared, 'utf16le'))).toBe(true);
  expect(body.includes(Buffer.from("O'Neil"))).toBe(true);
});

test('prepared: the handle goes instead', async () => {
  const { body } = encoded(await prepareCustomStatement(session, { ...plan, method: 'prepared' }));
  expect(prepared).toEqual([`${text} (${declared})`]);
  expect(body.includes(Buffer.from('UPDATE', 'utf16le'))).toBe(false);
});

test('literal: a batch with the values in its text', async () => {
  const { type, body } = encoded(await prepareCustomStatement(session, { ...plan, method: 'literal' }));
  expect(type).toBe(sqlBatch);
  expect(body.toString('utf16le')).toBe(
    "UPDATE dyno.[dyno_t] SET [text:no] = 'O''Neil' WHERE id = 42 AND ':no' <> 'O''Neil'",
  );
});

/** A text of the user's own as method literal sends it. */
async function written(position: Position): Promise<string> {
  const given = planOf(position, 'literal');
  const statement = await prepareCustomStatement(session, given.plan);
  return (statement.encode(given.batch) as { readonly body: Buffer }).body.toString('utf16le');
}

test('literal: a value is the same tokens beside whatever it stands, and none is a comment', () =>
  expectSameTokens({
    language: statementLanguage,
    lexing: { brackets: true, nested: true },
    tableSql: 'dyno.[dyno_t]',
    literal: (value) =>
      literal(
        value,
        typeof value === 'string' ? { kind: 'text', maxLength: 40, fixed: false, ascii: false } : { kind: 'bigint' },
      ),
    written,
  }));

const parser = findParser();

test.skipIf(parser === null)('literal: sqlfluff reads what is written', { timeout: 120_000 }, async () => {
  const positions = fc
    .sample(hostileNumbers, { numRuns: 6, seed: 1 })
    .flatMap((given) => everyPosition(statementLanguage, given));
  // The parser knows not every character.
  const plain = positions.filter(({ values: { said = '' } }) => !/[^\x20-\x7e]/.test(String(said)));
  const texts = [
    ...(await Promise.all(plain.map(written))),
    await written({ text: 'EXEC dbo.move :from, @to =:to, @note= :said', values: { from: -5, to: -7, said: "'--" } }),
  ];
  expect(texts.length).toBeGreaterThan(20);
  expect(parser!.check(texts).flatMap((wrong, i) => (wrong === null ? [] : [`${wrong}\n${texts[i]}`]))).toEqual([]);
});

test.each([
  ['EXEC dbo.move :n, @to=:n', 'EXEC dbo.move -5, @to=-5'],
  ['DECLARE @r int EXEC @r = [dbo].[move] @from = :n', 'DECLARE @r int EXEC @r = [dbo].[move] @from = -5'],
  ['EXECUTE [dbo].[move]:n', 'EXECUTE [dbo].[move] -5'],
  ['INSERT INTO t EXEC move :n', 'INSERT INTO t EXEC move -5'],
  ['SELECT 10 /:n * 2 -:n', 'SELECT 10 / (-5) * 2 - (-5)'],
  ['SELECT TOP (:n) a FROM t ORDER BY a OFFSET :n ROWS', 'SELECT TOP ((-5)) a FROM t ORDER BY a OFFSET (-5) ROWS'],
])('literal: a negative number in %s', async (own, expected) => {
  const found = written({ text: own, values: { n: -5 } });
  expect(await found).toBe(expected);
});

test.each([
  'UPDATE t SET a = :n; DELETE FROM t',
  'UPDATE t SET a = :n DELETE FROM t',
  'SET NOCOUNT ON; UPDATE t SET a = :n',
  'BEGIN TRAN; UPDATE t SET a = :n; COMMIT',
  'BEGIN UPDATE t SET a = :n END DELETE FROM t',
])('%s is refused before anything is sent, by every method', async (own) => {
  for (const method of ['literal', 'bind', 'prepared'] as const)
    await expect(prepareCustomStatement(session, planOf({ text: own, values: { n: 1 } }, method).plan)).rejects.toThrow(
      'more than one statement',
    );
});

test.each([
  'UPDATE t SET a = :n;',
  'MERGE INTO t USING (SELECT :n AS a) AS s ON t.a = s.a WHEN MATCHED THEN DELETE;',
  'IF EXISTS (SELECT 1 FROM t WHERE a = :n) UPDATE t SET a = 1; ELSE INSERT INTO t (a) VALUES (:n);',
  'BEGIN TRY UPDATE t SET a = :n; DELETE FROM u; END TRY BEGIN CATCH THROW; END CATCH',
  'CREATE OR ALTER PROCEDURE p AS UPDATE t SET a = 1; DELETE FROM u',
  ';WITH s AS (SELECT a FROM t) DELETE FROM s WHERE a = :n',
  'DECLARE @i int = 0; WHILE @i < :n BEGIN INSERT INTO t (a) VALUES (@i); SET @i += 1; END',
])('%s is one statement', async (own) => {
  expect(extentOf(own, statementLanguage).next).toBeNull();
});

test('a batch goes whole to the server, as a text or with parameters', async () => {
  const batchText =
    'DECLARE @i int = 0;\nWHILE @i < :n BEGIN INSERT INTO t (a) VALUES (@i); SET @i += 1; END;\nSELECT @i';
  const bodyOf = async (method: 'literal' | 'bind') => {
    const given = planOf({ text: batchText, values: { n: 5 } }, method);
    const statement = await prepareCustomStatement(session, given.plan);
    return (statement.encode(given.batch) as { readonly body: Buffer }).body;
  };
  expect((await bodyOf('literal')).toString('utf16le')).toBe(batchText.replace(':n', '5'));
  expect((await bodyOf('bind')).includes(Buffer.from(batchText.replace(':n', '@P0'), 'utf16le'))).toBe(true);
});

const columnOf = (name: string, more: object = {}) => ({ colName: 'code', type: { name }, ...more });

const counted = async (heard: Heard) => {
  const { connection } = connectionDouble(() => heard);
  const context = { connection, collation: Buffer.alloc(5) } as unknown as SessionContext;
  const own = await prepareCustomStatement(context, { ...plan, text: 'EXECUTE pay' });
  const call = () => own.encode(batch);
  return [await own.run(call()), (await own.answer(call(), 1)).read().count, (await own.show(call(), 9)).count];
};

test('rows that the server does not count are unknown, and not none', async () => {
  expect(await counted({ counts: [undefined, undefined] }), 'behind SET NOCOUNT ON').toEqual([null, null, null]);
  expect(await counted({ counts: [undefined, 2, 1] })).toEqual([3, 3, 3]);
  expect(await counted({ counts: [0] })).toEqual([0, 0, 0]);
});

test('rows that it returns are counted here where it does not', async () => {
  const columns = [columnOf('IntN', { dataLength: 4 })];
  expect(await counted({ columns, rows: [['1'], ['2']], counts: [undefined] })).toEqual([2, 2, 2]);
  expect(await counted({ columns, counts: [undefined] })).toEqual([0, 0, 0]);
});

test('a timestamp in the text is one for datetime, too, which takes three digits of a second', async () => {
  const at: StatementPlan = {
    ...plan,
    text: 'SELECT :at',
    parameters: [{ name: 'at', type: { kind: 'timestamp' }, nullable: false }],
    method: 'literal',
  };
  const textOf = async (us: number, text = 'SELECT :at') => {
    const own = await prepareCustomStatement(session, { ...at, text });
    return own.encode(batchWith(1, numberColumn([us]))).body.toString('utf16le');
  };
  expect(await textOf(1_709_210_096_123_000)).toBe("SELECT '2024-02-29T12:34:56.123'");
  expect(await textOf(1_709_210_096_123_456)).toBe("SELECT CAST('2024-02-29T12:34:56.123456' AS datetime2(6))");
  const called = await textOf(1_709_210_096_123_456, 'EXECUTE visit :at');
  expect(called, 'an argument is a constant').toBe("EXECUTE visit '2024-02-29T12:34:56.123456'");
});

const here = { codepage: 'CP1252' };
const lookUp: StatementPlan = {
  ...plan,
  text: 'SELECT * FROM stock WHERE code = :code',
  parameters: [{ name: 'code', type: { kind: 'text', maxLength: 4_000, fixed: false, ascii: false }, nullable: true }],
};
const key = batchWith(1, textColumn('x1'));

test.each([
  ['varchar(20)', columnOf('VarChar', { dataLength: 20, collation: here })],
  ['varchar(max)', columnOf('VarChar', { dataLength: 65_535, collation: here })],
  [null, columnOf('VarChar', { dataLength: 20, collation: { codepage: 'CP932' } })],
  ['char(3)', columnOf('Char', { dataLength: 3, collation: here })],
  ['nvarchar(20)', columnOf('NVarChar', { dataLength: 40, collation: here })],
  ['decimal(9, 4)', columnOf('DecimalN', { dataLength: 5, precision: 9, scale: 4 })],
  ['smallmoney', columnOf('MoneyN', { dataLength: 4 })],
  ['datetime', columnOf('DateTimeN', { dataLength: 8 })],
  ['datetime2(3)', columnOf('DateTime2', { scale: 3 })],
  [null, columnOf('IntN', { dataLength: 4 })],
])('values of an answer are declared as %s', async (declared, column) => {
  const { connection } = connectionDouble(() => ({ columns: [column], rows: [['x1']], counts: [1] }));
  const own = await prepareCustomStatement(
    { ...session, connection: Object.assign(connection, { databaseCollation: here }) } as unknown as SessionContext,
    lookUp,
  );
  expect((await own.answer(own.encode(key), 1)).read().declared).toEqual([declared]);
});

test('a captured value is declared as the column that it is from, so that a look-up by it can use an index', async () => {
  const bound = await prepareCustomStatement(session, lookUp);
  const declaredIn = (body: Buffer, type: string) => body.includes(Buffer.from(`@P0 ${type}`, 'utf16le'));
  expect(declaredIn(bound.encode(key).body, 'nvarchar(4000)')).toBe(true);
  expect(declaredIn(bound.encode(key, ['varchar(20)']).body, 'varchar(20)')).toBe(true);
  expect(declaredIn(bound.encode(key, ['date']).body, 'nvarchar(4000)'), 'taken for a text').toBe(true);
  const literal = await prepareCustomStatement(session, { ...lookUp, method: 'literal' });
  expect(literal.encode(key).literal()).toContain("= N'x1'");
  expect(literal.encode(key, ['varchar(20)']).literal()).toContain("= 'x1'");
  expect(literal.encode(key, ['nvarchar(20)']).literal()).toContain("= N'x1'");
});

test('prepared, it is prepared once more for each such type, with the first call', async () => {
  const { connection, sent } = connectionDouble(() => ({ counts: [1] }));
  prepared.length = 0;
  const own = await prepareCustomStatement({ ...session, connection } as unknown as SessionContext, {
    ...lookUp,
    method: 'prepared',
  });
  for (const declared of [null, 'varchar(20)', 'varchar(20)', null]) await own.run(own.encode(key, [declared]));
  const sql = 'SELECT * FROM stock WHERE code = @P0';
  expect(prepared).toEqual([`${sql} (@P0 nvarchar(4000))`, `${sql} (@P0 varchar(20))`]);
  expect(sent.map((body) => body.toString('hex'))).toEqual(Array(4).fill(sent[0]!.toString('hex')));
});

test('a value of a list is declared as the column that the list is from, once and for all calls', async () => {
  const { connection, sent } = connectionDouble(() => ({ counts: [1] }));
  prepared.length = 0;
  const listed = { ...lookUp, parameters: [{ ...lookUp.parameters[0]!, declared: 'varchar(20)' }] };
  const context = { ...session, connection } as unknown as SessionContext;
  const own = await prepareCustomStatement(context, { ...listed, method: 'prepared' });
  for (const declared of [undefined, [null]]) await own.run(own.encode(key, declared));
  expect(prepared).toEqual(['SELECT * FROM stock WHERE code = @P0 (@P0 varchar(20))']);
  expect(sent).toHaveLength(2);
  const literal = await prepareCustomStatement(context, { ...listed, method: 'literal' });
  expect(literal.encode(key).literal()).toContain("= 'x1'");
});

test.each([
  ['IntN', 'integer'],
  ['BitN', 'boolean'],
  ['DecimalN', 'decimal'],
  ['MoneyN', 'decimal'],
  ['FloatN', 'float'],
  ['VarChar', 'text'],
  ['Time', 'text'],
  ['Xml', 'text'],
  ['Date', 'timestamp'],
  ['DateTime2', 'timestamp'],
  ['UniqueIdentifier', 'uuid'],
  ['VarBinary', 'bytes'],
])('values of a column of %s are %s as parameters', async (name, type) => {
  const { connection } = connectionDouble(() => ({ columns: [columnOf(name)], rows: [['1'], ['2']], counts: [2] }));
  const own = await prepareCustomStatement({ ...session, connection } as unknown as SessionContext, lookUp);
  expect(await own.show(own.encode(key), 9)).toMatchObject({ types: [type], rows: [['1'], ['2']] });
});
