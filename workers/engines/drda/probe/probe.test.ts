import { expect, test } from 'vitest';
import { type DrdaConnection, DrdaError, type Value } from '#drda/index.ts';
import type { ProbeSample } from '#engine-api/probe.ts';
import { beginSql, createDerbyProbe, derbyProbeInfo, locksSql, transactionsSql } from './derby-probe.ts';
import { createSessionsProbe, sessionsProbeInfo, sessionsSql } from './sqlfire-probe.ts';

type Rows = readonly (readonly Value[])[];

/** A connection that answers queries by their text, and counts them. */
function fakeConnection(answers: Readonly<Record<string, Rows | DrdaError>>) {
  const asked: string[] = [];
  const connection = {
    isAlive: true,
    commit: async () => {},
    async prepare(sql: string) {
      asked.push(sql);
      const answer = answers[sql];
      if (answer === undefined) throw new Error(`No answer to ${sql}`);
      if (answer instanceof DrdaError) throw answer;
      let block: Rows | null = answer.length > 0 ? answer : null;
      return {
        close: async () => {},
        open: async () => ({
          close: async () => {},
          async fetch() {
            const rows = block;
            block = null;
            return rows;
          },
        }),
      };
    },
  };
  return { asked, connection: connection as unknown as DrdaConnection };
}

const refusal = (sqlState: string, tokens: readonly string[]) =>
  new DrdaError('sql', `SQLSTATE ${sqlState}`, { sqlState, sqlCode: -20_001, tokens });

test('Derby: transactions, sessions and lock waits are counted without the probe’s own', async () => {
  const { connection } = fakeConnection({
    [beginSql]: [],
    [transactionsSql]: [
      ['901', null, transactionsSql],
      ['870', '(2,4060)', 'INSERT INTO DYNO."DYNO_T1" VALUES (?)'],
      ['860', null, 'SELECT * FROM APP.OTHERS'],
      ['850', null, null],
    ],
    [locksSql]: [
      ['TABLE', 'GRANT', 2],
      ['ROW', 'GRANT', 40],
      ['ROW ', 'WAIT', 3],
    ],
  });
  expect(await createDerbyProbe(connection)()).toEqual({
    counters: { transactions: 901 },
    gauges: { sessions: 3, active: 1, writing: 1, locks: 42, 'wait:lock:ROW': 3, running: 0 },
    unavailable: [],
  } satisfies ProbeSample);
});

test('Derby: what only the owner may see is listed, with what is still seen, and asked for once', async () => {
  const { connection, asked } = fakeConnection({
    [beginSql]: [],
    [transactionsSql]: refusal('4251D', ['4251D']),
    [locksSql]: [],
  });
  const probe = createDerbyProbe(connection);
  const sample = await probe();
  expect(sample).toMatchObject({ counters: {}, gauges: { locks: 0 } });
  expect(sample.unavailable).toEqual([
    expect.stringMatching(/^SYSCS_DIAG\.TRANSACTION_TABLE: Only the owner .* a target can name as diagnosticsUser\.$/),
  ]);
  expect((await probe()).unavailable).toEqual(sample.unavailable);
  expect(asked).toEqual([beginSql, transactionsSql, locksSql, beginSql, locksSql]);
});

test('SQLFire’s family: the number of the probe’s own statement counts all of them', async () => {
  const { connection } = fakeConnection({
    [sessionsSql]: [
      ['60-62-1', `SYSLH0002\t${sessionsSql}`, 'EXECUTING PREPAREDSTATEMENT'],
      ['61-40-9', 'SYSLH0003\tINSERT INTO DYNO."DYNO_T1" VALUES (?)', 'EXECUTING PREPAREDSTATEMENT'],
      [null, null, null],
    ],
  });
  expect(await createSessionsProbe(connection)()).toEqual({
    counters: { statements: 62 },
    gauges: { sessions: 2, active: 1 },
    unavailable: [],
  } satisfies ProbeSample);
});

test('SQLFire’s family: who may not see sessions is told which GRANT is missing, once', async () => {
  const { connection, asked } = fakeConnection({
    [sessionsSql]: refusal('42502', ['APP', 'SELECT', 'ID', 'SYS', 'SESSIONS', '42502']),
  });
  const probe = createSessionsProbe(connection);
  const { unavailable } = await probe();
  expect(unavailable).toEqual([expect.stringContaining('GRANT SELECT ON SYS.SESSIONS')]);
  expect(await probe()).toEqual({ counters: {}, gauges: {}, unavailable });
  expect(asked).toHaveLength(1);
});

test('a lost connection is no missing right', async () => {
  const { connection } = fakeConnection({ [sessionsSql]: new DrdaError('closed', 'gone') });
  await expect(createSessionsProbe(connection)()).rejects.toThrow('gone');
});

test('every number has its words', () => {
  for (const info of [derbyProbeInfo, sessionsProbeInfo])
    for (const { label } of Object.values(info)) expect(label.length).toBeGreaterThan(8);
});
