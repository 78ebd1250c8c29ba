import type oracledb from 'oracledb';
import { expect, test } from 'vitest';
import { table as rowsTable } from '../../conformance/rows.ts';
import { failureOf } from '../../shared/failure.fixture.ts';
import type { Dialect } from '../connection/dialect.ts';
import { toError } from '../errors.ts';
import { createTable } from './tables.ts';

const dialect: Dialect = { version: 19, unicode: true, characterSet: 'AL32UTF8', owner: 'BENCH', emulator: null };

/** A connection whose statements of one kind fail, and what it was sent. */
function connection(start: string, code: string) {
  const sent: string[] = [];
  const execute = async (sql: string) => {
    sent.push(sql);
    if (sql.startsWith(start)) throw Object.assign(new Error(`${code}: as the server says it`), { code });
    return { rows: [] };
  };
  return { sent, client: { execute } as unknown as oracledb.Connection };
}
const failure = failureOf({ toError });

test('a user without CREATE TABLE or without quota is told the statements that help', async () => {
  for (const code of ['ORA-01031', 'ORA-01950']) {
    const error = await failure(createTable(connection('CREATE TABLE', code).client, rowsTable('dyno_t1'), dialect));
    expect(error).toMatchObject({ kind: 'permission', code });
    expect(error?.hint).toContain('GRANT CREATE TABLE TO BENCH');
    expect(error?.hint).toContain('QUOTA');
  }
});

test('a table that cannot be marked does not stay', async () => {
  const { sent, client } = connection('COMMENT', 'ORA-00054');
  expect(await failure(createTable(client, rowsTable('dyno_t1'), dialect))).toMatchObject({ kind: 'lockTimeout' });
  expect(sent.at(-1)).toBe('DROP TABLE "DYNO_T1" PURGE');
});

test('characters that the database cannot store are refused before anything is made', async () => {
  const { sent, client } = connection('none', '');
  const latin = { ...dialect, unicode: false, characterSet: 'WE8MSWIN1252' };
  const error = await failure(createTable(client, rowsTable('dyno_t1'), latin));
  expect(error).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('WE8MSWIN1252') });
  expect(sent).toEqual([]);
});
