import { test as anyTest, expect } from 'vitest';
import { startMariadb } from '#managed-servers/servers/mariadb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { config } from '../config.ts';
import { engine } from '../engine.ts';
import { adminOf } from '../test-server.fixture.ts';
import { textOf } from './kept-statements.ts';

const test = anyTest.skipIf(isSkipped('mysql'));
const start = (args: readonly string[]) => startInFolder((folder) => startMariadb(folder, () => {}, args));
const open = (raw: Readonly<Record<string, unknown>>) =>
  engine.open(config.parse(raw), 'dyno-kept', new AbortController().signal);

anyTest('a digest becomes a text that the server takes, and a sample of it is better where the server has one', () => {
  const digest =
    'SELECT `state` , COUNT ( * ) , `t` . `a b` FROM `t` WHERE `id` IN (...) AND ( `a` = ? OR NOW ( ) > ? ) ';
  const text = 'SELECT `state`, COUNT(*), `t`.`a b` FROM `t` WHERE `id` IN (?) AND (`a` = ? OR NOW() > ?)';
  expect(textOf(digest, null)).toEqual([text, false]);
  expect(textOf(digest, 'SELECT a FROM t WHERE id IN (1, 2)')).toEqual(['SELECT a FROM t WHERE id IN (1, 2)', false]);
  expect(textOf('SELECT `a` , `b` ...', null)[1]).toBe(true);
  expect(textOf(digest, 'SELECT a FROM t WHERE id IN (1, ...')).toEqual([text, false]);
});

test('the counted statements have no values, and their figures', async () => {
  await using server = await start(['--performance-schema=ON']);
  const admin = await adminOf({ ...server.admin });
  try {
    await admin.query('CREATE DATABASE shop; USE shop');
    await admin.query('CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(40))');
    await admin.query("INSERT INTO customers VALUES (1, 'Ann Canary'), (2, 'Bob')");
    for (let id = 1; id < 6; id++)
      await admin.query(`SELECT name FROM customers WHERE id = ${id} OR name = 'Ann Canary'`);
    await using database = await open({ ...server.admin, database: 'shop' });
    const { statements: found } = await database.keptStatements!();
    const look = found.find(({ text }) => /^SELECT .*customers/i.test(text));
    expect(look!.text).toMatch(/^SELECT NAME FROM `customers` WHERE `?ID`? = \? OR NAME = \?$/i);
    expect(look!.calls).toBe(5);
    expect(look!.meanMs).toBeGreaterThan(0);
    expect(look!.rowsPerCall).toBeCloseTo(1.2, 0);
    expect(JSON.stringify(found)).not.toContain('Canary');
    const since = async (ms: number) => (await database.keptStatements!(new Date(Date.now() + ms))).statements;
    expect(await since(3_600_000)).toEqual([]);
    expect((await since(-3_600_000)).map(({ text }) => text)).toContain(look!.text);
  } finally {
    await admin.end();
  }
});

test('a server that counts nothing says which setting is missing', async () => {
  await using server = await start(['--performance-schema=OFF']);
  await using database = await open(server.admin);
  await expect(database.keptStatements!()).rejects.toMatchObject({
    data: { kind: 'unsupported', hint: expect.stringContaining('performance_schema=ON') },
  });
});
