import { expect, test } from 'vitest';
import { startPostgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { connectedClient } from '../client.fixture.ts';
import { config } from '../config.ts';
import { engine } from '../engine.ts';

const open = (raw: Readonly<Record<string, unknown>>) =>
  engine.open(config.parse(raw), 'dyno-kept', new AbortController().signal);

test('the counted statements have no values, and their figures', async () => {
  const more = ['-c', 'shared_preload_libraries=pg_stat_statements'];
  await using server = await startInFolder((folder) => startPostgres(folder, () => {}, more));
  await using client = await connectedClient(server.admin);
  await client.query('CREATE EXTENSION pg_stat_statements');
  await client.query('CREATE TABLE customers (id int PRIMARY KEY, name text)');
  await client.query("INSERT INTO customers VALUES (1, 'Ann Canary'), (2, 'Bob')");
  for (let id = 1; id < 6; id++) await client.query(`SELECT name FROM customers WHERE id = ${id} /* Ann Canary */`);
  await using database = await open(server.admin);
  await client.query('SELECT relname FROM pg_class WHERE oid = 1');
  const { statements: found, others, totalMs, totalCalls, since } = await database.keptStatements!();
  const look = found.find(({ text }) => text.startsWith('SELECT name FROM customers'));
  expect(look).toMatchObject({ text: 'SELECT name FROM customers WHERE id = $1', calls: 5, rowsPerCall: 0.4 });
  expect(look!.meanMs).toBeGreaterThan(0);
  expect(JSON.stringify(found)).not.toContain('Canary');
  expect(others.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['definition', 'catalog']));
  expect(since).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
  const told = [...found.map(({ calls, meanMs }) => ({ calls, totalMs: calls * (meanMs ?? 0) })), ...others];
  const sum = (of: 'calls' | 'totalMs') => told.reduce((all, one) => all + one[of], 0);
  const later = await database.keptStatements!(new Date(Date.now() + 60_000));
  expect(later).toMatchObject({ statements: [], countsSince: 'calls', others: [{ kind: 'older' }] });
  const earlier = await database.keptStatements!(new Date(Date.now() - 3_600_000));
  expect(earlier.statements.map(({ text }) => text)).toContain(look!.text);
  // Reading the counts is a statement, too.
  expect(totalCalls - sum('calls')).toBeGreaterThanOrEqual(0);
  expect(totalMs).toBeGreaterThanOrEqual(sum('totalMs') * 0.999);
});

test('a database without the extension, or a server without its library, says what to do', async () => {
  await using server = await startInFolder((folder) => startPostgres(folder, () => {}));
  await using database = await open(server.admin);
  const refusal = (message: string) => ({
    message: expect.stringContaining(message) as string,
    data: { kind: 'unsupported', hint: expect.stringContaining('CREATE EXTENSION') as string },
  });
  await expect(database.keptStatements!()).rejects.toMatchObject(refusal('does not have the extension'));
  await using client = await connectedClient(server.admin);
  await client.query('CREATE EXTENSION pg_stat_statements');
  await expect(database.keptStatements!()).rejects.toMatchObject(refusal('does not answer'));
});
