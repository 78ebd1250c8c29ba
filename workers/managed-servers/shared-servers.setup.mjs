import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Vitest runs this before and after all test files, once for each project. DYNO_TEST_SERVERS names the folder in which
 * test files find the servers that they share (shared-server.fixture.ts).
 */
export default function shareServers() {
  if (process.env.DYNO_TEST_SERVERS) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'dyno-shared-'));
  process.env.DYNO_TEST_SERVERS = folder;
  return async () => {
    const pids = readdirSync(folder)
      .filter((name) => name.endsWith('.pid'))
      .map((name) => Number(readFileSync(join(folder, name), 'utf8')));
    for (const pid of pids) end(pid);
    for (let tries = 0; tries < 1_200 && pids.some(isAlive); tries++) await sleep(50);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    delete process.env.DYNO_TEST_SERVERS;
  };
}

const isAlive = (pid) => signal(pid, 0);
const end = (pid) => signal(pid, 'SIGTERM');

function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
