import { existsSync, mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { serverParameters } from '#engines/postgres/server-parameters.ts';
import { testHome } from '#integration/home.fixture.ts';
import { tryLock } from '#platform/file-lock.ts';
import { ensureHome } from '#platform/paths.ts';
import { deleteOwnServers, ownServer, ownServerId } from './own-server.ts';
import { placeOf } from './places.ts';
import type { RunningServer } from './process/server-kind.ts';
import { postgres } from './servers/postgres/postgres.ts';
import { holdServer, stopOwnServer, supervisorStatus } from './supervisor-client.ts';

vi.setConfig({ testTimeout: 120_000 });

const tag = '0123abcd';

it('the servers of runs that are gone are deleted, those of living runs and of everybody stay', async () => {
  await using test = testHome();
  ensureHome(test.home);
  const id = (own: string) => ownServerId(postgres, own, { work_mem: '1MB' });
  const names = [id(tag), id('89abcdef'), id('00000000'), postgres.id, 'postgres@18'];
  for (const name of names) mkdirSync(placeOf(test.home, name).server, { recursive: true });
  {
    // Its supervisor is at work.
    using _ = tryLock(placeOf(test.home, names[2]!).lock);
    await deleteOwnServers(test.home, (own) => own === '89abcdef');
  }
  expect(names.map((name) => existsSync(placeOf(test.home, name).folder))).toEqual([false, true, true, true, true]);
});

it('the same parameters in another order are the same server', () => {
  expect(ownServerId(postgres, tag, { a: '1', b: '2' })).toBe(ownServerId(postgres, tag, { b: '2', a: '1' }));
  expect(ownServerId(postgres, tag, { a: '1' })).not.toBe(ownServerId(postgres, tag, { a: '2' }));
});

it.skipIf(isSkipped(postgres.id) || process.platform === 'win32')(
  'a restart keeps parameters and data, the last user’s end deletes both, and kill -9 of the supervisor changes nothing for others',
  async () => {
    await using test = testHome();
    const parameters = { shared_buffers: '32MB', work_mem: '8MB' };
    const kind = ownServer(postgres, ownServerId(postgres, tag, parameters), parameters);
    const { folder } = placeOf(test.home, kind.id);
    const valueIn = async (raw: RunningServer['raw'], text: string): Promise<unknown> => {
      await using client = await connectedClient(raw);
      const { rows } = await client.query<{ value: unknown }>(`SELECT ${text} AS value`);
      return rows[0]?.value;
    };
    const gone = async (path: string) => {
      for (let tries = 0; existsSync(path) && tries < 600; tries++) await sleep(50);
      expect(existsSync(path)).toBe(false);
    };
    const first = await holdServer(test.home, kind);
    expect(await valueIn(first.raw, `current_setting('shared_buffers')`)).toBe('32MB');
    await stopOwnServer(test.home, kind, AbortSignal.timeout(60_000));
    expect(existsSync(first.dataFolder)).toBe(true);
    const again = await holdServer(test.home, kind);
    expect(again.dataFolder).toBe(first.dataFolder);
    expect(await valueIn(again.raw, `current_setting('work_mem')`)).toBe('8MB');
    again.release();
    await gone(folder);
    expect(existsSync(first.dataFolder)).toBe(false);

    const killed = await holdServer(test.home, kind);
    process.kill((await supervisorStatus(test.home, kind))!.supervisorPid, 'SIGKILL');
    await killed.gone;
    await deleteOwnServers(test.home, () => false);
    await gone(folder);
    await using shared = await holdServer(test.home, postgres);
    expect(await valueIn(shared.raw, `current_setting('shared_buffers') || current_setting('work_mem')`)).toBe(
      '128MB4MB',
    );
    // A parameter with free text could name a file or a program.
    const names = serverParameters.names.map((name) => `'${name}'`).join(', ');
    expect(
      await valueIn(
        shared.raw,
        `(SELECT string_agg(name, ' ') FROM pg_settings WHERE name IN (${names}) AND vartype NOT IN ('bool', 'integer', 'real', 'enum'))`,
      ),
    ).toBeNull();
  },
);
