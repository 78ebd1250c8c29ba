import { type ChildProcess, spawn } from 'node:child_process';
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatBytes, formatMs } from '#model/format/format.ts';
import { currentInstallation, throwIfEnded } from './installation.ts';

/** Files that grow on the disk while something is fetched or unpacked. */
interface Growth {
  /** The files and folders that are written; they need not exist yet. */
  readonly paths: readonly string[];
  /** The total bytes that will be written. Absent: unknown. */
  readonly bytes?: number | undefined;
}

interface ProgramOptions {
  readonly onActivity: (text: string) => void;
  /** Absent: only the time is shown. */
  readonly growth?: Growth | undefined;
  /** Added to the user's whole environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly tellEveryMs?: number;
}

/**
 * Runs a program of the user's and reports its progress. If the program is missing, code is null. It ends with the
 * installation that calls, whose end also keeps further programs from starting ('cancelled'); it rejects for nothing
 * else.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { onActivity, growth, env = {}, tellEveryMs }: ProgramOptions,
): Promise<{ readonly code: number | null; readonly output: string }> {
  throwIfEnded();
  const installation = currentInstallation();
  const run = () =>
    new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
      const child = spawn(program, [...args], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        // The program gets a group of its own, because pip starts programs, too.
        detached: installation !== undefined && process.platform !== 'win32',
      });
      const stop = () => stopGroup(child);
      installation?.signal.addEventListener('abort', stop, { once: true });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-20_000);
        });
      child.on('error', (error) => resolve({ code: null, output: output + error.message }));
      child.on('close', (code) => {
        installation?.signal.removeEventListener('abort', stop);
        resolve({ code, output });
      });
    });
  return withProgress(run, onActivity, growth, tellEveryMs);
}

/** Stops a program with those that it has started. Their half-done files are in folders that the caller deletes. */
function stopGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The program has just ended by itself.
  }
}

/** The end of a program's output, for an error. */
export const lastLines = (output: string): string =>
  output.trim().split('\n').slice(-5).join('\n') || 'it said nothing';

/** A window shows a bar that moves; a command line prints lines. */
const tellEvery = { installation: 1_000, commandLine: 10_000 };

/** Starts `work`, waits for it, and reports every few seconds the time, the bytes written, and the time left. */
export async function withProgress<T>(
  work: () => Promise<T>,
  onActivity: (text: string) => void,
  { paths, bytes }: Growth = { paths: [] },
  tellEveryMs = currentInstallation() ? tellEvery.installation : tellEvery.commandLine,
): Promise<T> {
  const installation = currentInstallation();
  const startedAt = performance.now();
  const before = sizeOf(paths);
  const tell = () => {
    const written = sizeOf(paths) - before;
    installation?.onProgress(bytes === undefined || written > bytes ? null : Math.max(0, written / bytes));
    onActivity(`  ${progressText(performance.now() - startedAt, written, bytes)}`);
  };
  const timer = setInterval(tell, tellEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** "20.0 s: 48.0 MiB of 124 MiB, about 32.0 s left", without the unknown parts. */
export function progressText(ms: number, written: number, total: number | undefined): string {
  const time = `${formatMs(Math.round(ms / 1_000) * 1_000)}:`;
  if (written <= 0) return `${time} nothing on the disk yet`;
  if (total === undefined || written >= total) return `${time} ${formatBytes(written)} so far`;
  const leftMs = Math.ceil(((total - written) / written) * (ms / 1_000)) * 1_000;
  return `${time} ${formatBytes(written)} of ${formatBytes(total)}, about ${formatMs(leftMs)} left`;
}

/** Bytes of all files below these paths; missing files count as nothing. */
const sizeOf = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + sizeAt(path), 0);

function sizeAt(path: string): number {
  try {
    const found = statSync(path);
    if (!found.isDirectory()) return found.size;
    return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => sum + sizeOfEntry(path, entry), 0);
  } catch {
    return 0;
  }
}

const sizeOfEntry = (folder: string, entry: Dirent): number =>
  entry.isDirectory() || entry.isFile() ? sizeAt(join(folder, entry.name)) : 0;
