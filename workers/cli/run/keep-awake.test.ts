import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { keepAwake } from './keep-awake.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.skipIf(process.platform === 'win32')('the program that keeps the machine awake ends with the run', async () => {
  const folder = temporaryFolder();
  const started = join(folder, 'started');
  const script = join(folder, 'inhibit');
  writeFileSync(
    script,
    `#!/bin/sh\necho "$$ $1" > '${started}.part' && mv '${started}.part' '${started}'\nexec sleep 600\n`,
    {
      mode: 0o755,
    },
  );
  const read = () => readFileSync(started, 'utf8').trim().split(' ').map(Number);
  let keeper = 0;
  {
    using _ = keepAwake((pid) => [script, String(pid)]);
    const [pid = 0, ours] = await vi.waitFor(read, 10_000);
    expect(ours).toBe(process.pid);
    expect(isRunning(pid)).toBe(true);
    keeper = pid;
  }
  await vi.waitFor(() => expect(isRunning(keeper)).toBe(false), 10_000);
});

it('a machine without this program runs as usual', async () => {
  using awake = keepAwake(() => [join(temporaryFolder(), 'no-such-program')]);
  expect(awake).toBeDefined();
});
