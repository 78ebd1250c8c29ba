import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { connectBus } from './connect-bus.ts';

test.skipIf(process.platform === 'win32')(
  'certificates and credentials of a bus are files, and not devices or pipes',
  async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const url = 'nats://127.0.0.1:1';
    for (const file of ['/dev/zero', pipe, '/'])
      for (const named of [{ ca: file }, { credentials: file }])
        await expect(connectBus({ url, ...named }, 'test')).rejects.toThrow(
          /is (a device|a pipe|a folder), not a file/,
        );
  },
);
