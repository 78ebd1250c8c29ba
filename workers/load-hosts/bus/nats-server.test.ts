import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findNatsServer } from '#managed-servers/install/nats-server-program.ts';
import { startNatsServer } from './nats-server.ts';

const cannot = process.platform !== 'linux' || process.getuid?.() !== 0 || findNatsServer() === null;

test.skipIf(cannot)('the bus of load hosts does not run as root', async () => {
  await using server = await startNatsServer(1);
  const [, ids = ''] = /^Uid:\s*(.*)$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
  expect(ids.split(/\s+/)).toHaveLength(4);
  expect(ids.split(/\s+/)).not.toContain('0');
});
