import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What postmaster.pid says (PostgreSQL documentation, "miscadmin.h": pid, data directory, start, port, …, status). */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

export function readPostmasterFile(dataFolder: string): PostmasterFile | null {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Math.abs(Number(lines[0]));
    return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : null;
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Whether that process really is a PostgreSQL server on that data folder, and not a stranger with a reused pid. */
async function isOurServer(pid: number, dataFolder: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') {
    try {
      // A postmaster changes into its data folder; the system tells it without symbolic links.
      return (
        readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataFolder) &&
        /postgres/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      );
    } catch {
      return false;
    }
  }
  // Unknown is as good as no: a stranger must not be stopped.
  const { stdout } = await commandLine(pid).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(dataFolder);
}

const commandLine = (pid: number) =>
  process.platform === 'win32'
    ? run(
        'powershell',
        ['-NoProfile', '-Command', `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`],
        { windowsHide: true },
      )
    : run('ps', ['-o', 'command=', '-p', String(pid)]);

/** Stops a server that a killed keeper has left behind. Returns whether there was one. */
export async function stopOrphan(dataFolder: string): Promise<boolean> {
  const found = readPostmasterFile(dataFolder);
  if (!found || !(await isOurServer(found.pid, dataFolder))) return false;
  await stopServer(found.pid, () => isAlive(found.pid));
  return true;
}

/** Fast shutdown (SIGINT), then immediate (SIGQUIT: recovery on the next start), then the last resort. */
export async function stopServer(pid: number, alive: () => boolean): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (let waited = 0; waited < patienceMs; waited += 25) {
      if (!alive()) return;
      await sleep(25);
    }
  }
}
