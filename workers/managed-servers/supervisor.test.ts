import { getEventListeners } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { testHome } from '#integration/home.fixture.ts';
import type { DynoError } from '#model/error.ts';
import { isAlive } from '#platform/is-alive.ts';
import type { Home } from '#platform/paths.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { createConnectionInfo, secretFields } from './connection-info.ts';
import { makeSocketFolder, placeOf } from './places.ts';
import { publicFolder } from './process/account.ts';
import type { ServerKind } from './process/server-kind.ts';
import { usualKinds } from './servers/kinds.ts';
import { postgres } from './servers/postgres/postgres.ts';
import {
  type HeldServer,
  heldServerPids,
  holdServer,
  resetServer,
  stopOwnServer,
  stopServer,
  supervisorStatus,
} from './supervisor-client.ts';

// Real processes and servers, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await done()) return;
    await sleep(50);
  }
  expect.unreachable('it did not happen within 30 s');
}

async function pidsOf(home: Home, kind: ServerKind): Promise<{ readonly supervisor: number; readonly server: number }> {
  const found = await supervisorStatus(home, kind);
  if (!found?.serverPid) return expect.unreachable('no server');
  return { supervisor: found.supervisorPid, server: found.serverPid };
}

/** Command line and environment of the processes that name the kind's folders; empty where the system does not tell. */
function processesOf(home: Home, kind: ServerKind): readonly string[] {
  if (process.platform !== 'linux') return [];
  const { server } = placeOf(home, kind.id);
  const folders = existsSync(server) ? [server, publicFolder(server)] : [server];
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      const [command = '', environment] = ['cmdline', 'environ'].map((file) =>
        readFileSync(`/proc/${pid}/${file}`, 'utf8'),
      );
      if (!folders.some((folder) => cwd.startsWith(folder) || command.includes(`${folder}/`))) return [];
      return [`${command}\n${environment}`];
    } catch {
      return []; // Not a process, or gone, or not ours to look at.
    }
  });
}

describe.each(smokeOf(usualKinds.filter(({ id }) => !isSkipped(id))))('$id', (kind) => {
  const hold = (home: Home): Promise<HeldServer> => holdServer(home, kind);

  // One test, and one home: making the data of a new server and starting it are most of the time.
  it('is shared by all users of a home, comes back after what was killed, and leaves nothing', async () => {
    await using test = testHome();
    const [first, second] = await Promise.all([hold(test.home), hold(test.home)]);
    expect(second.raw).toEqual(first.raw);
    const { supervisor, server } = await pidsOf(test.home, kind);
    expect(heldServerPids()).toEqual([supervisor, server, supervisor, server]);
    if (process.platform === 'linux') {
      expect(processesOf(test.home, kind).length).toBeGreaterThan(0);
      const secrets = secretFields(first.raw).map(([, value]) => value);
      for (const text of processesOf(test.home, kind)) for (const secret of secrets) expect(text).not.toContain(secret);
    }
    const { passwordFile } = createConnectionInfo(test.home, kind, first);
    first.release();
    // Longer than the supervisor lingers, which is the same for all kinds.
    if (kind === postgres) await sleep(2_500);
    expect(isAlive(server)).toBe(true);
    expect(passwordFile !== null && existsSync(passwordFile)).toBe(true);

    // The server itself is killed: it is started again.
    process.kill(server, 'SIGKILL');
    await second.gone;
    const again = await hold(test.home);
    const next = await pidsOf(test.home, kind);
    expect(next.server).not.toBe(server);

    // Its supervisor is killed: the server stops by itself, and starts again with another password.
    let last = again;
    if (process.platform !== 'win32') {
      process.kill(next.supervisor, 'SIGKILL');
      await until(() => !isAlive(next.server));
      await until(() => processesOf(test.home, kind).length === 0);
      last = await hold(test.home);
      expect((await pidsOf(test.home, kind)).server).not.toBe(next.server);
      for (const [name, value] of secretFields(last.raw)) expect(value).not.toBe(again.raw[name]);
    }
    const refused = await resetServer(test.home, kind).catch((thrown: DynoError) => thrown);
    expect((refused as DynoError).data.hint).toContain(`dyno servers stop ${kind.id}`);

    // The last user goes.
    const left = createConnectionInfo(test.home, kind, last).passwordFile;
    const { server: lastServer } = await pidsOf(test.home, kind);
    last.release();
    await until(async () => (await supervisorStatus(test.home, kind)) === null);
    await until(() => processesOf(test.home, kind).length === 0);
    await until(() => !isAlive(lastServer));
    expect(heldServerPids()).toEqual([]);
    await until(() => left !== null && !existsSync(left));
    expect(await resetServer(test.home, kind)).toBe(true);
    expect(existsSync(last.dataFolder)).toBe(false);
  });
});

describe.skipIf(isSkipped('embedded-postgres'))('a server that one user wants to stop for itself', () => {
  const { signal } = new AbortController();

  it('stops when others who hold it let go within seconds', async () => {
    await using test = testHome();
    await using mine = await holdServer(test.home, postgres);
    const { server } = await pidsOf(test.home, postgres);
    const passing = await holdServer(test.home, postgres);
    const stopped = stopOwnServer(test.home, postgres, signal);
    await sleep(500);
    expect(isAlive(server)).toBe(true);
    passing.release();
    await stopped;
    await mine.gone;
    expect(isAlive(server)).toBe(false);
  });

  it('goes on under others who stay', async () => {
    await using test = testHome();
    await using _ = await holdServer(test.home, postgres);
    await using other = await holdServer(test.home, postgres);
    const error = await stopOwnServer(test.home, postgres, signal).catch((thrown: DynoError) => thrown);
    expect((error as DynoError).data).toMatchObject({
      kind: 'timeout',
      hint: expect.stringContaining('dyno servers stop'),
    });
    expect(await supervisorStatus(test.home, postgres)).toMatchObject({ state: 'ready', port: other.port, users: 2 });

    // Who comes while the supervisor is stopped learns soon which process stands still; once it goes on, it is joined.
    if (process.platform === 'win32') return;
    const { supervisor } = await pidsOf(test.home, postgres);
    process.kill(supervisor, 'SIGSTOP');
    const stopped = await holdServer(test.home, postgres, { firstAnswerWithinMs: 200 }).catch(
      (thrown: DynoError) => thrown,
    );
    process.kill(supervisor, 'SIGCONT');
    expect((stopped as DynoError).data).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining(`(process ${supervisor}) does not answer`),
      hint: expect.stringMatching(`kill -CONT ${supervisor}\\. .*kill -KILL ${supervisor}\\.`),
    });
    await using joined = await holdServer(test.home, postgres);
    expect(joined.port).toBe(other.port);
  });
});

describe.skipIf(process.platform === 'win32')('a supervisor without an answer', () => {
  /** Takes the supervisor's place. */
  async function supervisorThat(home: Home, answers: (socket: Socket) => void): Promise<AsyncDisposable> {
    const place = placeOf(home, postgres.id);
    makeSocketFolder(place);
    const sockets = new Set<Socket>();
    const listener = createServer((socket) => {
      sockets.add(socket);
      answers(socket);
    });
    await new Promise<void>((resolve) => listener.listen(place.socket, resolve));
    return {
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => listener.close(resolve));
      },
    };
  }

  it('is given up soon where it does not even say that it is at work', async () => {
    await using test = testHome();
    await using _ = await supervisorThat(test.home, () => {});
    const { signal } = new AbortController();
    const error = await holdServer(test.home, postgres, { firstAnswerWithinMs: 100, signal }).catch(
      (thrown: DynoError) => thrown,
    );
    expect((error as DynoError).data).toMatchObject({ kind: 'timeout', hint: expect.stringContaining('kill -CONT') });
    // Nothing of the attempt is kept by the signal of a run that goes on.
    await vi.waitFor(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
  });

  it('is not taken for one that has stopped its server', async () => {
    await using test = testHome();
    await using _ = await supervisorThat(test.home, (socket) => socket.end());
    const { signal } = new AbortController();
    const error = await stopOwnServer(test.home, postgres, signal).catch((thrown: DynoError) => thrown);
    expect((error as DynoError).message).toContain('does not answer');
  });

  it('is hung up on where what it says has no end', async () => {
    await using test = testHome();
    await using _ = await supervisorThat(test.home, (socket) => {
      const say = () => {
        while (socket.writable && socket.write('x'.repeat(65_536)));
      };
      socket.on('drain', say).on('error', () => {}); // It was hung up on.
      say();
    });
    const { signal } = new AbortController();
    const error = await stopOwnServer(test.home, postgres, signal).catch((thrown: DynoError) => thrown);
    expect((error as DynoError).message).toContain('does not answer');
  });

  it('does not keep who gives up', async () => {
    await using test = testHome();
    const cancel = new AbortController();
    await using _ = await supervisorThat(test.home, () => cancel.abort());
    await expect(stopOwnServer(test.home, postgres, cancel.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe.skipIf(isSkipped('embedded-postgres'))('damaged data', () => {
  it('is told with what to do, and a reset makes it new', async () => {
    await using test = testHome();
    const held = await holdServer(test.home, postgres);
    held.release();
    await stopServer(test.home, postgres);
    rmSync(join(held.dataFolder, 'global', 'pg_control'));
    const error = await holdServer(test.home, postgres).catch((thrown: DynoError) => thrown);
    expect((error as DynoError).data.hint).toContain('dyno servers reset');
    await stopServer(test.home, postgres);
    await resetServer(test.home, postgres);
    (await holdServer(test.home, postgres)).release();
  });
});
