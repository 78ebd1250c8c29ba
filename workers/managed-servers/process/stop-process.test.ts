import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isAlive } from '#platform/is-alive.ts';
import { zombie } from '#platform/processes.fixture.ts';
import { stopProcess } from './stop-process.ts';

it.skipIf(process.platform === 'win32')('a process that stands still hears the first signal', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const gone = once(child, 'exit');
  child.kill('SIGSTOP');
  await stopProcess(child.pid!, () => child.exitCode === null && child.signalCode === null, [
    ['SIGTERM', 5_000],
    ['SIGKILL', 5_000],
  ]);
  expect(await gone).toEqual([null, 'SIGTERM']);
});

it.skipIf(process.platform !== 'linux')(
  'a process that was killed is not alive, though nobody has looked for it',
  async () => {
    using dead = await zombie();
    expect(isAlive(dead.pid)).toBe(false);
    expect(isAlive(process.pid)).toBe(true);
  },
);
