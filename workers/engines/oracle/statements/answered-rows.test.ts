import oracledb from 'oracledb';
import { expect, test } from 'vitest';
import type { StatementPlan } from '#engine-api/statement.ts';
import { batchWith, numberColumn } from '../../shared/test-table.fixture.ts';
import type { SessionState } from '../connection/session-state.ts';
import { prepareCustomStatement } from './custom-statement.ts';

/** A session whose database answers each statement so, and what was bound. */
function session(answer: object) {
  const bound: oracledb.BindParameter[][] = [];
  const connection = {
    async execute(_: string, binds: oracledb.BindParameter[]) {
      bound.push(binds);
      return answer;
    },
  };
  const dialect = { version: '19.0', emulator: null };
  return {
    bound,
    state: { connection, dialect, thin: true, inTransaction: true, running: 0 } as unknown as SessionState,
  };
}
const plan: StatementPlan = {
  text: 'SELECT * FROM visit WHERE day = :day',
  parameters: [{ name: 'day', type: { kind: 'timestamp' }, nullable: true }],
  method: 'bind',
  tables: {},
  options: {},
  isRead: true,
};
const batch = batchWith(1, numberColumn([1_709_210_096_000_000]));

test('a value captured from a DATE is bound as one: beside a TIMESTAMP the column would be converted', async () => {
  const metaData = [
    { name: 'DAY', dbType: oracledb.DB_TYPE_DATE },
    { name: 'AT', dbType: oracledb.DB_TYPE_TIMESTAMP },
  ];
  const { bound, state } = session({ metaData, rows: [] });
  const own = prepareCustomStatement(state, plan);
  const { declared } = (await own.answer(own.encode(batch), 1)).read();
  expect(declared).toEqual(['DATE', null]);
  for (const one of declared!) await own.run(own.encode(batch, [one]));
  const types = [oracledb.DB_TYPE_TIMESTAMP, oracledb.DB_TYPE_DATE, oracledb.DB_TYPE_TIMESTAMP];
  expect(bound).toMatchObject(types.map((type) => [{ type }]));
  const literal = prepareCustomStatement(state, { ...plan, method: 'literal' }).encode(batch, ['DATE']);
  expect(literal.text).toBe("SELECT * FROM visit WHERE day = CAST(TIMESTAMP '2024-02-29 12:34:56.000000' AS DATE)");
});

test('a block of PL/SQL tells no rows, which are unknown and not none', async () => {
  const own = prepareCustomStatement(session({}).state, { ...plan, text: 'BEGIN pay(:day); END;' });
  expect(await own.run(own.encode(batch))).toBeNull();
  expect(await own.show(own.encode(batch), 1)).toMatchObject({ rows: [], count: null });
  const changing = prepareCustomStatement(session({ rowsAffected: 0 }).state, {
    ...plan,
    text: 'DELETE FROM visit WHERE day = :day',
  });
  expect(await changing.run(changing.encode(batch))).toBe(0);
});
