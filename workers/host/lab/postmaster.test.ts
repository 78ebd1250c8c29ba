import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { childEnvironment } from '../child-environment.ts';
import { isAlive, stopOrphan } from './postmaster.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-postmaster-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A process that looks like a server on the folder, and its pid file there. */
async function pretend(cwd: string): Promise<number> {
  const script = 'process.stdout.write("up"); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script, 'postgres', '-D', cwd], {
    cwd,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  writeFileSync(join(folder, 'data', 'postmaster.pid'), `${child.pid}\n`);
  return child.pid ?? 0;
}

it.skipIf(process.platform === 'win32')(
  'finds a server that was left behind, also through a symbolic link',
  async () => {
    const pid = await pretend(join(folder, 'data'));
    symlinkSync(join(folder, 'data'), join(folder, 'link'));
    expect(await stopOrphan(join(folder, 'link'))).toBe(true);
    expect(isAlive(pid)).toBe(false);
  },
);

it.skipIf(process.platform === 'win32')('leaves a process alone that only has the same pid', async () => {
  const pid = await pretend(tmpdir());
  expect(await stopOrphan(join(folder, 'data'))).toBe(false);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});
