import type oracledb from 'oracledb';
import { expect, test } from 'vitest';
import { failureOf } from '../../shared/failure.fixture.ts';
import { toError } from '../errors.ts';
import { emptyCache, emptyCacheSql, othersSql } from './empty-cache.ts';

/** A server that answers who else is there (or a code), and what it was sent. */
function server(answer: number | string) {
  const sent: string[] = [];
  const execute = async (sql: string) => {
    sent.push(sql);
    if (typeof answer === 'string')
      throw Object.assign(new Error(`${answer}: as the server says it`), { code: answer });
    return { rows: [[answer]] };
  };
  return { sent, connection: { execute } as unknown as oracledb.Connection };
}
const failure = failureOf({ toError });
const bench = { owner: 'BENCH', emulator: null };

test('the cache is emptied where the run is alone', async () => {
  const { sent, connection } = server(0);
  await emptyCache(connection, 'dyno-run', bench);
  expect(sent).toEqual([othersSql, ...emptyCacheSql]);
});

test('the cache that others use stays, and the cell says how many they are', async () => {
  const { sent, connection } = server(1);
  expect(await failure(emptyCache(connection, 'dyno-run', bench))).toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('a session'),
    hint: expect.stringContaining('End them'),
  });
  expect(sent).toEqual([othersSql]);
});

test('where others cannot be seen nothing is emptied', async () => {
  for (const code of ['ORA-00942', 'ORA-01031']) {
    const { sent, connection } = server(code);
    expect(await failure(emptyCache(connection, 'dyno-run', bench))).toMatchObject({
      kind: 'unsupported',
      hint: expect.stringContaining('GRANT SELECT ON SYS.V_$SESSION TO BENCH'),
    });
    expect(sent).toEqual([othersSql]);
  }
});
