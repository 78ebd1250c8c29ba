import { test as anyTest, expect } from 'vitest';
import { startMariadb } from '#managed-servers/servers/mariadb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { config } from '../config.ts';
import { engine } from '../engine.ts';
import { adminOf } from '../test-server.fixture.ts';

const test = anyTest.skipIf(isSkipped('mysql'));
const start = (args: readonly string[]) => startInFolder((folder) => startMariadb(folder, () => {}, args));
const open = (raw: Readonly<Record<string, unknown>>) =>
  engine.open(config.parse(raw), 'dyno-kept', new AbortController().signal);

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
    const found = await database.keptStatements!();
    const look = found.find(({ text }) => /^SELECT .*customers/i.test(text));
    expect(look!.text).toMatch(/^SELECT NAME FROM `customers` WHERE `?ID`? = \? OR NAME = \?$/i);
    expect(look!.calls).toBe(5);
    expect(look!.meanMs).toBeGreaterThan(0);
    expect(look!.rowsPerCall).toBeCloseTo(1.2, 0);
    expect(JSON.stringify(found)).not.toContain('Canary');
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
