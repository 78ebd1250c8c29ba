import { test as anyTest, expect } from 'vitest';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { type Escapist, escapist, openFolder } from '../conformance/escapes.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { config } from './config.ts';
import { oracleEmulator } from './emulator/oracle-emulator.fixture.ts';
import { engine } from './engine.ts';

/** The emulator passes on what it does not know of Oracle to a PostgreSQL, which has doors that Oracle has not. */
/** The tests of the engine on its server (integration/on-servers) have a smoke test of these. */
const test = anyTest.skipIf(isSkipped('oracle') || !whole);
const folder = openFolder();
const written = `${folder.path}/written`;
let server: TestServer;
let trial: Escapist;

beforeTests(async (opened) => {
  opened.use(folder);
  server = opened.use(await startTestServer(oracleEmulator));
  trial = opened.use(await escapist(engine, config, server.raw));
});

test.each([
  ['writes by a program', `COPY (SELECT 1) TO PROGRAM 'touch ${written}'`],
  ['writes a file of the server', `COPY (SELECT 1) TO '${written}'`],
  ['reads a file of the server', "SELECT pg_read_file('/etc/passwd') FROM DUAL"],
  ['imports a large object', "SELECT lo_import('/etc/passwd') FROM DUAL"],
  ['exports a large object', `SELECT lo_export(lo_from_bytea(0, 'x'), '${written}') FROM DUAL`],
  ['writes by a package', `BEGIN UTL_FILE.FOPEN('${folder.path}', 'written', 'w'); END;`],
  ['reads a file as BFILEs are read', "SELECT pg_read_binary_file('/etc/passwd', 0, 9) FROM DUAL"],
  ['adds dblink', 'CREATE EXTENSION dblink'],
  ['changes the server', `ALTER SYSTEM SET archive_command = 'touch ${written}'`],
  ['reads passwords', 'SELECT rolpassword FROM pg_authid'],
  ['makes itself a superuser', 'ALTER ROLE mirror SUPERUSER'],
  ['becomes the superuser', 'SET ROLE postgres'],
])('a statement that %s is refused', async (_, text) => {
  expect(await trial.attempt(text)).not.toBeNull();
  expect(folder.entries()).toEqual([]);
});

test('statements of Dyno’s own tables go on to work', async () => {
  expect(await trial.attempt('CREATE TABLE "DYNO_MINE" ("ID" NUMBER)')).toBeNull();
  expect(await trial.attempt('INSERT INTO "DYNO_MINE" VALUES (1)')).toBeNull();
});
