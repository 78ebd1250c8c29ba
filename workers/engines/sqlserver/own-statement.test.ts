import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Batch } from '#contract/batch.ts';
import type { OwnStatement, StatementPlan } from '#contract/engine.ts';
import { extentOf } from '#contract/statement-extent.ts';
import type { Position } from '../conformance-literals.ts';
import { everyPosition, expectSameTokens, hostileNumbers, planOf } from '../tight-literals.fixture.ts';
import { statementLanguage } from './descriptor.ts';
import type { SessionContext } from './operations.ts';
import { prepareOwn } from './own-statement.ts';
import { rpcRequest, sqlBatch } from './request.ts';
import { findParser } from './sqlfluff.fixture.ts';
import { literal } from './values.ts';

const prepared: string[] = [];
const session = {
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
const batch: Batch = {
  rows: 1,
  laidOut: null,
  columns: [
    { kind: 'number', values: Float64Array.of(42), nulls: null },
    { kind: 'number', values: Float64Array.of(1), nulls: null },
    { kind: 'variable', bytes: Buffer.from("O'Neil"), offsets: Uint32Array.of(0, 6), nulls: null },
  ],
};
const encoded = (own: OwnStatement) => own.encode(batch) as { readonly type: number; readonly body: Buffer };
const text = "UPDATE dyno.[dyno_t] SET [text:no] = @P0 WHERE id = @P1 AND ':no' <> @P0";
const declared = '@P0 varchar(9), @P1 bigint';

test('bind: text and declarations go with every call, a parameter that comes twice goes once', async () => {
  const { type, body } = encoded(await prepareOwn(session, plan));
  expect(type).toBe(rpcRequest);
  expect(body.includes(Buffer.from(text, 'utf16le'))).toBe(true);
  expect(body.includes(Buffer.from(declared, 'utf16le'))).toBe(true);
  expect(body.includes(Buffer.from("O'Neil"))).toBe(true);
});

test('prepared: the handle goes instead', async () => {
  const { body } = encoded(await prepareOwn(session, { ...plan, method: 'prepared' }));
  expect(prepared).toEqual([`${text} (${declared})`]);
  expect(body.includes(Buffer.from('UPDATE', 'utf16le'))).toBe(false);
});

test('literal: a batch with the values in its text', async () => {
  const { type, body } = encoded(await prepareOwn(session, { ...plan, method: 'literal' }));
  expect(type).toBe(sqlBatch);
  expect(body.toString('utf16le')).toBe(
    "UPDATE dyno.[dyno_t] SET [text:no] = 'O''Neil' WHERE id = 42 AND ':no' <> 'O''Neil'",
  );
});

/** A text of the user's own as method literal sends it. */
async function written(position: Position): Promise<string> {
  const given = planOf(position, 'literal');
  const statement = await prepareOwn(session, given.plan);
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
  ['DECLARE @r int EXEC @r = [dbo].[move] @from = :n', null],
  ['EXECUTE [dbo].[move]:n', 'EXECUTE [dbo].[move] -5'],
  ['INSERT INTO t EXEC move :n', 'INSERT INTO t EXEC move -5'],
  ['SELECT 10 /:n * 2 -:n', 'SELECT 10 / (-5) * 2 - (-5)'],
  ['SELECT TOP (:n) a FROM t ORDER BY a OFFSET :n ROWS', 'SELECT TOP ((-5)) a FROM t ORDER BY a OFFSET (-5) ROWS'],
])('literal: a negative number in %s', async (own, expected) => {
  const found = written({ text: own, values: { n: -5 } });
  if (expected === null) await expect(found).rejects.toThrow('more than one statement');
  else expect(await found).toBe(expected);
});

test.each([
  'UPDATE t SET a = :n; DELETE FROM t',
  'UPDATE t SET a = :n DELETE FROM t',
  'SET NOCOUNT ON; UPDATE t SET a = :n',
  'BEGIN TRAN; UPDATE t SET a = :n; COMMIT',
  'BEGIN UPDATE t SET a = :n END DELETE FROM t',
])('%s is refused before anything is sent, by every method', async (own) => {
  for (const method of ['literal', 'bind', 'prepared'] as const)
    await expect(prepareOwn(session, planOf({ text: own, values: { n: 1 } }, method).plan)).rejects.toThrow(
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
])('%s is one statement', async (own) => {
  expect(extentOf(own, statementLanguage).next).toBeNull();
});
