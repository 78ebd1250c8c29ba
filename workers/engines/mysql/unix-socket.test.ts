import { join } from 'node:path';
import { describe } from 'vitest';
import { startMariadb } from '#managed-servers/servers/mariadb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { testUnixSocket } from '../shared/unix-socket.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

describe.skipIf(isSkipped('mysql') || process.platform === 'win32')('MariaDB’s Unix socket', () =>
  testUnixSocket(engine, {
    start: () => startInFolder((folder) => startMariadb(folder, () => {})),
    target: ({ raw, dataFolder }, which) =>
      config.parse({ ...raw, host: join(dataFolder, which === 'there' ? 'dyno.sock' : 'none.sock') }),
    missing: () => 'none.sock',
    ways: [{ driver: 'mysql2', path: 'lean' }, { driver: 'mysql2', path: 'driver' }, { driver: 'mariadb' }],
    inserts: ['literal', 'bind', 'prepared', 'multiRow', 'bulk'],
    onSocket: [
      "SELECT 1 FROM information_schema.processlist WHERE id = CONNECTION_ID() AND host LIKE 'localhost%'",
      'literal',
    ],
    slow: ['SELECT SLEEP(60)', 'literal'],
  }),
);
