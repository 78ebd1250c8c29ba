import oracledb from 'oracledb';
import { expect, test } from 'vitest';
import { failureOf } from '../../shared/failure.fixture.ts';
import { toError } from '../errors.ts';
import { bindsSql, keptSql, readKeptStatements } from './kept-statements.ts';

const failure = failureOf({ toError });
const app = { owner: 'APP', emulator: null };

/** A connection that answers with these rows, or with an error code, and the texts that it was sent. */
function server(answer: readonly (readonly unknown[])[] | string, binds: readonly (readonly unknown[])[] = []) {
  const sent: string[] = [];
  const execute = async (sql: string, _: unknown, { fetchTypeHandler }: oracledb.ExecuteOptions) => {
    sent.push(sql);
    expect(
      fetchTypeHandler?.({ name: 'SQL_FULLTEXT', dbType: oracledb.DB_TYPE_CLOB } as oracledb.Metadata<unknown>),
    ).toEqual({
      type: oracledb.STRING,
    });
    if (typeof answer === 'string')
      throw Object.assign(new Error(`${answer}: table or view does not exist`), { code: answer });
    return { rows: sql === bindsSql ? binds : answer };
  };
  return { sent, connection: { execute } as unknown as oracledb.Connection };
}

test('cursors of one statement add up, hints stay, and values become parameters', async () => {
  const { sent, connection } = server([
    ['SELECT /*+ INDEX(o orders_ix) */ total FROM orders o WHERE id = :1 -- Canary', 30, 2, 1],
    ['SELECT /*+ INDEX(o orders_ix) */ total FROM orders o WHERE id = :1 -- Canary', 10, 6, 1],
    ["SELECT total FROM orders WHERE day = DATE '2020-02-29' AND customer = 'Ann Canary'", 2, 1, 5],
    ["SELECT total FROM orders WHERE day > SYSDATE - INTERVAL '7' DAY AND CAST(a AS NUMBER(12, 2)) = 4711", 1, 1, 5],
    [
      'MERGE INTO orders o USING (SELECT :B1 AS id FROM DUAL) s ON (o.id = s.id) WHEN MATCHED THEN UPDATE SET total = 9',
      1,
      0.5,
      1,
    ],
    ['SELECT total FROM orders ORDER BY 1 FETCH FIRST 10 ROWS ONLY', 1, 0.4, 10],
    ['begin app.pay(:1); end;', 900, 9, 0],
  ]);
  const { statements: found } = await readKeptStatements(connection, app, null);
  expect(sent).toEqual([keptSql(), bindsSql]);
  expect(found).toEqual([
    {
      text: 'SELECT /*+ INDEX(o orders_ix) */ total FROM orders o WHERE id = :1',
      calls: 40,
      meanMs: 3,
      rowsPerCall: 1,
    },
    { text: 'SELECT total FROM orders WHERE day = ? AND customer = ?', calls: 2, meanMs: 1, rowsPerCall: 5 },
    {
      text: "SELECT total FROM orders WHERE day > SYSDATE - INTERVAL '7' DAY AND CAST(a AS NUMBER(12, 2)) = ?",
      calls: 1,
      meanMs: 1,
      rowsPerCall: 5,
    },
    {
      text: 'MERGE INTO orders o USING (SELECT :B1 AS id FROM DUAL) s ON (o.id = s.id) WHEN MATCHED THEN UPDATE SET total = ?',
      calls: 1,
      meanMs: 0.5,
      rowsPerCall: 1,
    },
    { text: 'SELECT total FROM orders ORDER BY 1 FETCH FIRST ? ROWS ONLY', calls: 1, meanMs: 0.4, rowsPerCall: 10 },
  ]);
});

test('a user who may not read the view is told the grant, and a server that is gone is no missing right', async () => {
  for (const code of ['ORA-00942', 'ORA-01031'])
    expect(await failure(readKeptStatements(server(code).connection, app, null))).toMatchObject({
      kind: expect.stringMatching(/^(unsupported|permission)$/),
      hint: expect.stringContaining('GRANT SELECT ON SYS.V_$SQL TO APP'),
    });
  await expect(readKeptStatements(server('NJS-500').connection, app, null)).rejects.toThrow('NJS-500');
});

test('an emulator is asked nothing', async () => {
  const { sent, connection } = server([]);
  expect(await failure(readKeptStatements(connection, { ...app, emulator: 'a stand-in' }, null))).toMatchObject({
    kind: 'unsupported',
  });
  expect(sent).toEqual([]);
});

test('bind variables have their captured types and no values, where the text has no literals', async () => {
  const { sent, connection } = server(
    [
      ['SELECT total FROM orders WHERE at > SYSDATE - :1 AND note = :2', 3, 1, 1, 'a1'],
      ['SELECT total FROM orders WHERE at > SYSDATE - :1 AND id = 4711', 2, 1, 1, 'b2'],
    ],
    [
      ['a1', 1, 'NUMBER'],
      ['a1', 2, 'VARCHAR2(32)'],
      ['b2', 1, 'NUMBER'],
    ],
  );
  const { statements, countsSince } = await readKeptStatements(connection, app, new Date(Date.now() - 7_200_000));
  expect(statements[0]!.values).toMatchObject([{ kind: 'integer' }, { kind: 'text', most: 32 }]);
  expect(statements[1]!.values).toBeUndefined();
  expect(sent[0]).toContain('last_active_time >= SYSDATE - 7200 / 86400');
  expect(sent[1]).not.toMatch(/value_string|value_anydata/i);
  expect(countsSince).toBe('texts');
});
