import { test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { sharedTestServer } from '#managed-servers/test-server.fixture.ts';
import { compareFiles, compareScripts, libpqVariables } from './scripts-on-servers.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

test('a script for SQLite writes the rows that Dyno writes', () =>
  compareFiles(['{ operation: insert, method: multiRow, rowsPerCall: 7, callsPerCommit: 3 }']));

test.skipIf(isSkipped('embedded-postgres'))('a script for PostgreSQL writes the rows that Dyno writes', async () => {
  await using server = await sharedTestServer();
  await compareScripts('postgres', server.raw, libpqVariables, [
    '{ operation: insert, method: multiRow, rowsPerCall: 7, callsPerCommit: 3, connections: 2 }',
  ]);
});
