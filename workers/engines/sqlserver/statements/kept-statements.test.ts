import { expect, test } from 'vitest';
import { failureOf } from '../../shared/failure.fixture.ts';
import { answeredDatabase } from '../answered-database.fixture.ts';
import { engine } from '../engine.ts';
import { errorToken, resultTokens } from '../wire/tds-server.fixture.ts';
import { cacheSql, storeSql, storeStateSql, withoutDeclarations } from './kept-statements.ts';

const failure = failureOf(engine);

type Answer = readonly (readonly string[])[] | Error;

/** The server's error tokens: number and text as in sys.messages of SQL Server 2022. */
const refused = new Error(
  '300 VIEW SERVER PERFORMANCE STATE permission was denied on object ‘server’, database ‘master’.',
);
const noView = new Error('208 Invalid object name ‘sys.database_query_store_options’.');

/** A server that answers each of the queries with rows or an error, and what it was asked. */
async function serverWith(answers: Readonly<Record<string, Answer>>, babelfish: string | null = null) {
  const asked: string[] = [];
  const server = await answeredDatabase((text) => {
    const answer = answers[text];
    if (answer === undefined) return null;
    asked.push(text);
    if (answer instanceof Error) {
      const [, number, message] = /^(\d+) (.*)$/.exec(answer.message)!;
      return errorToken(Number(number), 14, message!);
    }
    return resultTokens(text === storeStateSql ? ['state'] : ['text', 'calls', 'mean_ms', 'row_count'], answer);
  }, babelfish);
  return { ...server, asked, read: async () => (await server.database.keptStatements!()).statements };
}

const ofStore: Answer = [
  ['(@P0 bigint,@P1 decimal(12,2))SELECT name FROM dbo.customers WHERE id = @P0 AND total > @P1', '10', '2', '1'],
  ["SELECT name FROM dbo.customers WHERE name = N'Ann Canary'", '4', '1', '1'],
  ["SELECT name FROM dbo.customers WHERE name = N'Bob''s'", '4', '3', '0'],
  ['(@1 tinyint)SELECT * FROM [customers] WHERE [id]=@1', '2', '1', '1'],
  ['INSERT INTO dyno.dyno_0a1b2c3d_4 VALUES (1)', '900', '9', '1'],
  ['CREATE TABLE t (a int)', '1', '900', '0'],
];

test('the Query Store is read where it is on: without declarations, values and Dyno’s own statements', async () => {
  for (const state of ['1', '2']) {
    await using server = await serverWith({ [storeStateSql]: [[state]], [storeSql()]: ofStore });
    expect(await server.read()).toEqual([
      { text: 'SELECT name FROM dbo.customers WHERE id = @P0 AND total > @P1', calls: 10, meanMs: 2, rowsPerCall: 1 },
      { text: 'SELECT name FROM dbo.customers WHERE name = ?', calls: 8, meanMs: 2, rowsPerCall: 0.5 },
      { text: 'SELECT * FROM [customers] WHERE [id]=@p1', calls: 2, meanMs: 1, rowsPerCall: 1 },
    ]);
    expect(server.asked).toEqual([storeStateSql, storeSql()]);
  }
});

const cached: Answer = [['SELECT TOP 10 a FROM t WHERE b = 7 ORDER BY 2 DESC, a OPTION (MAXDOP 1)', '5', '1', '3']];

test.each([
  ['off', [['0']]],
  ['in error', [['3']]],
  ['not known to the server', noView],
  ['not to be read', refused],
] as const)('the plan cache is read where the Query Store is %s', async (_, state) => {
  await using server = await serverWith({ [storeStateSql]: state, [storeSql()]: ofStore, [cacheSql()]: cached });
  expect(await server.read()).toEqual([
    {
      text: 'SELECT TOP (?) a FROM t WHERE b = ? ORDER BY 2 DESC, a OPTION (MAXDOP 1)',
      calls: 5,
      meanMs: 1,
      rowsPerCall: 3,
    },
  ]);
  expect(server.asked).toEqual([storeStateSql, cacheSql()]);
});

test('a login without the right is told which one is missing, and an emulator that it has no counts', async () => {
  await using server = await serverWith({ [storeStateSql]: [['2']], [storeSql()]: refused, [cacheSql()]: refused });
  expect(await failure(server.read())).toMatchObject({
    kind: 'permission',
    hint: expect.stringContaining('VIEW SERVER PERFORMANCE STATE'),
  });
  await using emulator = await serverWith({ [storeStateSql]: [['2']] }, '4.3.0');
  expect(await failure(emulator.read())).toMatchObject({ kind: 'unsupported', hint: expect.stringMatching(/\w/) });
  expect(emulator.asked).toEqual([]);
});

test.each([
  ['SELECT 1', 'SELECT 1'],
  ['(SELECT 1) UNION (SELECT 2)', '(SELECT 1) UNION (SELECT 2)'],
  ['( @a nvarchar(4000) , @b decimal(9, 2) )UPDATE t SET a = @a', 'UPDATE t SET a = @a'],
  ['(@1 int,@12 varchar(8000))DELETE t WHERE a=@1 AND b=@12', 'DELETE t WHERE a=@p1 AND b=@p12'],
])('%s', (text, statement) => {
  expect(withoutDeclarations(text)).toBe(statement);
});

test('since a time: intervals of the Query Store, or the last executions of cached plans', () => {
  expect(storeSql(new Date('2026-11-30T22:00:00Z'))).toContain(
    "i.end_time > CAST('2026-11-30T22:00:00.000Z' AS datetimeoffset)",
  );
  expect(cacheSql(7_200)).toContain('s.last_execution_time >= DATEADD(second, -7200, GETDATE())');
  expect(storeSql() + cacheSql()).not.toMatch(/interval|DATEADD/);
});
