import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { childEnvironment } from '#platform/child-environment.ts';
import { terminate } from '#platform/guard.ts';
import { isAlive } from '#platform/is-alive.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { noteServer, stopOrphan, stopOrphansBelow } from './orphan.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'home', 'data'), { recursive: true });
});

/** A process that looks like a server in a folder, and a note that says it serves the data folder. */
async function pretend(cwd: string, args: readonly string[] = [cwd]): Promise<number> {
  const script = 'process.stdout.write("up"); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script, 'ourserver', ...args], {
    cwd,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  noteServer(join(folder, 'home', 'data'), { pid, file: '/usr/bin/ourserver', signals: terminate });
  return pid;
}

const unix = it.skipIf(process.platform === 'win32');

unix('finds a server that was left behind, also through a symbolic link', async () => {
  const pid = await pretend(join(folder, 'home', 'data'));
  symlinkSync(join(folder, 'home'), join(folder, 'link'));
  expect(await stopOrphan(join(folder, 'link', 'data'))).toBe(true);
  expect(isAlive(pid)).toBe(false);
});

it.runIf(process.platform === 'linux')('finds one that works elsewhere by the data that it was told of', async () => {
  const data = join(folder, 'home', 'data');
  const pid = await pretend(tmpdir(), [`--data=${realpathSync(data)}/files`]);
  symlinkSync(join(folder, 'home'), join(folder, 'link'));
  expect(await stopOrphan(join(folder, 'link', 'data'))).toBe(true);
  expect(isAlive(pid)).toBe(false);
});

unix('finds the servers of all data folders below a folder', async () => {
  const pid = await pretend(join(folder, 'home', 'data'));
  await stopOrphansBelow(folder);
  expect(isAlive(pid)).toBe(false);
});

unix('leaves a process alone that only has the same pid', async () => {
  const pid = await pretend(tmpdir());
  expect(await stopOrphan(join(folder, 'home', 'data'))).toBe(false);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

it.skipIf(process.getuid?.() !== 0)('does not believe the note of another account', async () => {
  const data = join(folder, 'home', 'data');
  const pid = await pretend(data);
  chownSync(`${data}.server.json`, 65_534, 65_534);
  expect(await stopOrphan(data)).toBe(false);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

unix('does not write its note through a link', () => {
  const data = join(folder, 'home', 'data');
  const precious = join(folder, 'precious');
  writeFileSync(precious, 'as it was');
  symlinkSync(precious, `${data}.server.json`);
  noteServer(data, { pid: process.pid, file: 'x', signals: terminate });
  expect(readFileSync(precious, 'utf8')).toBe('as it was');
});
