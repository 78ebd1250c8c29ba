import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { zombie } from '#platform/processes.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { disownDeadServer } from './postgres-cluster.ts';

it.skipIf(process.platform !== 'linux')(
  'a killed server whose process id is still taken is disowned, a living one is not',
  async () => {
    const data = temporaryFolder();
    const file = join(data, 'postmaster.pid');
    disownDeadServer(data);
    using dead = await zombie();
    const rest = `\n${data}\n1790000000\n54320\n`;
    writeFileSync(file, `${dead.pid}${rest}`);
    disownDeadServer(data);
    expect(readFileSync(file, 'utf8')).toBe(`${process.pid}${rest}`);
    writeFileSync(file, `${process.ppid}${rest}`);
    disownDeadServer(data);
    expect(readFileSync(file, 'utf8')).toBe(`${process.ppid}${rest}`);
  },
);
