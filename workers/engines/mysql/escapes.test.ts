import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mysql2/promise';
import { test as anyTest, expect } from 'vitest';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { type Escapist, escapist, openFolder } from '../conformance/escapes.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';
import { adminOf } from './test-server.fixture.ts';

/** The tests of the engine on its server (integration/on-servers) have a smoke test of these. */
const test = anyTest.skipIf(isSkipped('mysql') || !whole);
const folder = openFolder();
const secret = join(folder.path, 'secret');
const written = join(folder.path, 'written');
let server: TestServer;
let admin: Connection;
const drivers = ['mysql2', 'mariadb'] as const;
const trials = new Map<string, Escapist>();

beforeTests(async (opened) => {
  opened.use(folder);
  writeFileSync(secret, 'a secret\n', { mode: 0o644 });
  server = opened.use(await startTestServer(mariadb));
  admin = await adminOf(server.admin);
  opened.defer(() => admin.end());
  await admin.query(
    'CREATE DATABASE IF NOT EXISTS dyno; CREATE TABLE dyno.secrets (line TEXT); CREATE DATABASE others',
  );
  for (const driver of drivers)
    trials.set(driver, opened.use(await escapist(engine, config, server.raw, { options: { driver } })));
});

const escapes: readonly (readonly [what: string, text: string])[] = [
  ['writes a file of the server', `SELECT 'x' INTO OUTFILE '${written}'`],
  ['dumps a file of the server', `SELECT 'x' INTO DUMPFILE '${written}'`],
  ['reads a file of the server', `LOAD DATA INFILE '${secret}' INTO TABLE dyno.secrets`],
  ['installs a library', "INSTALL SONAME 'ha_connect'"],
  ['installs a plugin', "INSTALL PLUGIN connect SONAME 'ha_connect'"],
  ['declares a function of a library', "CREATE FUNCTION sys_exec RETURNS INTEGER SONAME 'lib_mysqludf_sys.so'"],
  ['changes the server', "SET GLOBAL general_log_file = '/tmp/log'"],
  ['turns the log on', 'SET GLOBAL general_log = ON'],
  ['reads passwords', 'SELECT authentication_string FROM mysql.user'],
  ['changes the plugins by their table', "INSERT INTO mysql.plugin VALUES ('connect', 'ha_connect')"],
  ['makes a user', "CREATE USER other@'%'"],
  ['gives itself files', "GRANT FILE ON *.* TO dyno@'%'"],
  ['makes a database', 'CREATE DATABASE another'],
  ['makes a table among others’', 'CREATE TABLE others.mine (x INT)'],
  ['names another server', "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1')"],
  ['makes an event', 'CREATE EVENT dyno.later ON SCHEDULE EVERY 1 DAY DO SELECT 1'],
  ['stops the server', 'SHUTDOWN'],
];

test.each(drivers.flatMap((driver) => escapes.map((one) => [driver, ...one] as const)))(
  'over %s a statement that %s is refused',
  async (driver, _, text) => {
    expect(await trials.get(driver)!.attempt(text)).toMatchObject({
      // The server says of FILE that access is denied, as it does at login.
      kind: expect.stringMatching(/^(permission|authentication)$/),
      message: expect.stringMatching(/denied/),
    });
    expect(folder.entries()).toEqual(['secret']);
  },
);

test.each(drivers)('over %s a table is kept in the server’s own folder', async (driver) => {
  const trial = trials.get(driver)!;
  for (const engineName of ['InnoDB', 'MyISAM', 'Aria']) {
    const name = `dyno.in_${engineName}_${driver}`;
    await trial.attempt(`CREATE TABLE ${name} (x INT) ENGINE = ${engineName} DATA DIRECTORY = '${folder.path}'`);
    await trial.attempt(`INSERT INTO ${name} VALUES (1)`);
  }
  expect(folder.entries()).toEqual(['secret']);
});

test.each(drivers)('over %s no file of the server is read by a function', async (driver) => {
  const trial = trials.get(driver)!;
  await admin.query('TRUNCATE TABLE dyno.secrets');
  expect(await trial.attempt(`INSERT INTO dyno.secrets SELECT LOAD_FILE('${secret}')`)).toBeNull();
  expect((await admin.query('SELECT line FROM dyno.secrets'))[0]).toEqual([{ line: null }]);
});

test.each(
  drivers.flatMap((driver) => (['literal', 'bind', 'prepared'] as const).map((method) => [driver, method] as const)),
)('over %s, %s, the client sends no file of this machine', async (driver, method) => {
  await admin.query('TRUNCATE TABLE dyno.secrets');
  const load = `LOAD DATA LOCAL INFILE '${secret}' INTO TABLE dyno.secrets`;
  expect(await trials.get(driver)!.attempt(load, method)).toMatchObject({
    message: expect.stringMatching(/local|file/i),
  });
  expect((await admin.query('SELECT line FROM dyno.secrets'))[0]).toEqual([]);
  await using again = await escapist(engine, config, server.raw, { options: { driver } });
  expect(await again.attempt('SELECT 1')).toBeNull();
});
