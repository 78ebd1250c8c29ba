import { test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { derbyServer } from '#managed-servers/install/products/derby.ts';
import { requireJava } from '#managed-servers/install/products/java-server.ts';
import { derby } from '#managed-servers/servers/derby.ts';
import { sharedTestServer } from '#managed-servers/test-server.fixture.ts';
import {
  byJava,
  compareFiles,
  compareScripts,
  failScript,
  jdbcVariables,
  libpqVariables,
} from './scripts-on-servers.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

test('a script for SQLite writes the rows that Dyno writes', () =>
  compareFiles(['{ operation: insert, method: multiRow, rowsPerCall: 7, callsPerCommit: 3 }']));

test.skipIf(isSkipped('embedded-postgres'))('a script for PostgreSQL writes the rows that Dyno writes', async () => {
  await using server = await sharedTestServer();
  await compareScripts('postgres', server.raw, libpqVariables, [
    '{ operation: insert, method: multiRow, rowsPerCall: 7, callsPerCommit: 3, connections: 2 }',
  ]);
});

test.skipIf(isSkipped('embedded-postgres'))(
  'a script that fails in a transaction drops what it has created',
  async () => {
    await using server = await sharedTestServer();
    const workload = '{ operation: insert, method: multiRow, rowsPerCall: 7, callsPerCommit: 3, connections: 2 }';
    await failScript('postgres', server.raw, libpqVariables, workload);
  },
);

test.skipIf(isSkipped('local-derby'))('a script for Java writes the rows into Derby that Dyno writes', async () => {
  await using server = await sharedTestServer(derby);
  const { jdk, classPath } = requireJava(derbyServer);
  await compareScripts(
    'drda',
    server.raw,
    jdbcVariables('derby'),
    ['{ operation: insert, method: multiRow, rowsPerCall: 7, callsPerCommit: 3, connections: 2 }'],
    byJava(jdk.java, classPath),
  );
});

test.skipIf(isSkipped('local-derby'))(
  'a script for Java in which one connection fails stops the others and drops what it has created',
  async () => {
    await using server = await sharedTestServer(derby);
    const { jdk, classPath } = requireJava(derbyServer);
    await failScript(
      ...(['drda', server.raw, jdbcVariables('derby')] as const),
      '{ operation: insert, method: multiRow, rowsPerCall: 7, callsPerCommit: 3, connections: 2 }',
      byJava(jdk.java, classPath),
    );
  },
);
