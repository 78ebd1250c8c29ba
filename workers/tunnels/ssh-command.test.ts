import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { requireKeyFile } from './ssh-command.ts';
import { openSshTunnel } from './ssh-tunnel.ts';

test.skipIf(process.platform === 'win32')('ssh is given no device, pipe or folder as a private key', async () => {
  const folder = temporaryFolder();
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [identityFile, says] of [
    ['/dev/zero', 'is a device'],
    [pipe, 'is a pipe'],
    [folder, 'is a folder'],
  ] as const)
    await expect(
      openSshTunnel({ host: 'h', identityFile }, [{ host: 'db', port: 1 }], AbortSignal.timeout(5_000)),
    ).rejects.toThrow(says);
  const key = join(folder, 'key');
  writeFileSync(key, 'x');
  for (const identityFile of [key, join(folder, 'nothing')]) requireKeyFile({ host: 'h', identityFile });
});
