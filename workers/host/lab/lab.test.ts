import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { DynoError } from '#contract/error.ts';
import { isSkipped } from '../../engines/skipped.ts';
import { testHome } from '../home.fixture.ts';
import type { Home } from '../paths.ts';
import { holdEmbeddedPostgres, labStatus, resetLab, stopLab } from './lab.ts';
import { isAlive } from './postmaster.ts';

// Real processes and servers, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await done()) return;
    await sleep(50);
  }
  expect.unreachable('it did not happen within 20 s');
}

async function pidsOf(home: Home): Promise<{ readonly keeper: number; readonly server: number }> {
  const status = await labStatus(home);
  if (!status?.serverPid) return expect.unreachable('no server');
  return { keeper: status.keeperPid, server: status.serverPid };
}

describe.skipIf(isSkipped('postgres'))('embedded PostgreSQL', () => {
  it('is shared by all users of a home and stops when the last one has gone', async () => {
    await using test = testHome();
    const [first, second] = await Promise.all([holdEmbeddedPostgres(test.home), holdEmbeddedPostgres(test.home)]);
    expect(second.address).toEqual(first.address);
    const { server } = await pidsOf(test.home);
    first.release();
    await sleep(2_500); // Longer than the keeper lingers.
    expect(isAlive(server)).toBe(true);
    second.release();
    await until(() => !isAlive(server));
    await until(async () => (await labStatus(test.home)) === null);
  });

  it('has another password on each start, and shows it in no argument', async () => {
    await using test = testHome();
    const first = await holdEmbeddedPostgres(test.home);
    const { server } = await pidsOf(test.home);
    if (process.platform === 'linux')
      expect(readFileSync(`/proc/${server}/cmdline`, 'utf8')).not.toContain(first.address.password);
    first.release();
    await until(() => !isAlive(server));
    const again = await holdEmbeddedPostgres(test.home);
    expect(again.address.password).not.toBe(first.address.password);
    again.release();
  });

  it.skipIf(process.platform === 'win32')('stops by itself when its keeper is killed, and starts again', async () => {
    await using test = testHome();
    await holdEmbeddedPostgres(test.home);
    const { keeper, server } = await pidsOf(test.home);
    process.kill(keeper, 'SIGKILL');
    await until(() => !isAlive(server));
    const again = await holdEmbeddedPostgres(test.home);
    expect((await pidsOf(test.home)).server).not.toBe(server);
    again.release();
  });

  it('comes back after the server itself was killed', async () => {
    await using test = testHome();
    await holdEmbeddedPostgres(test.home);
    const { server } = await pidsOf(test.home);
    process.kill(server, 'SIGKILL');
    await until(async () => (await labStatus(test.home))?.serverPid !== server);
    const again = await holdEmbeddedPostgres(test.home);
    expect((await pidsOf(test.home)).server).not.toBe(server);
    again.release();
  });

  it('says what to do when its data is damaged, and starts anew after a reset', async () => {
    await using test = testHome();
    const held = await holdEmbeddedPostgres(test.home);
    const folder = (await labStatus(test.home))?.dataFolder ?? '';
    held.release();
    await stopLab(test.home);
    rmSync(join(folder, 'global', 'pg_control'));
    const error = await holdEmbeddedPostgres(test.home).catch((thrown: DynoError) => thrown);
    expect((error as DynoError).data.hint).toContain('dyno lab reset');
    await stopLab(test.home);
    await resetLab(test.home);
    (await holdEmbeddedPostgres(test.home)).release();
  });
});
