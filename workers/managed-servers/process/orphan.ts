import { execFile } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#platform/child-environment.ts';
import type { StopSignals } from '#platform/guard.ts';
import { isAlive } from '#platform/is-alive.ts';
import { stopProcess } from './stop-process.ts';

const run = promisify(execFile);

interface Note {
  readonly pid: number;
  readonly file: string;
  readonly signals: StopSignals;
}

const ending = '.server.json';
/** The note is beside the data folder, because some servers refuse a folder with a file that they do not know. */
const noteOf = (dataFolder: string): string => `${dataFolder}${ending}`;

/** Notes which process serves a data folder. It follows no link that the folder's own account may have put there. */
export function noteServer(dataFolder: string, note: Note): void {
  const file = noteOf(dataFolder);
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(note), { mode: 0o600, flag: 'wx' });
}

/** Stops a server that a crash has left behind on this data folder. Returns whether there was one. */
export async function stopOrphan(dataFolder: string): Promise<boolean> {
  const note = readNote(dataFolder);
  if (!note || !(await isOurServer(note, dataFolder))) return false;
  await stopProcess(note.pid, () => isAlive(note.pid), note.signals);
  rmSync(noteOf(dataFolder), { force: true });
  return true;
}

/** Stops the orphans of every data folder below this one, as far down as kinds put them. */
export async function stopOrphansBelow(folder: string, levels = 3): Promise<void> {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  for (const entry of entries)
    if (entry.name.endsWith(ending)) await stopOrphan(join(folder, entry.name.slice(0, -ending.length)));
    else if (entry.isDirectory() && levels > 1) await stopOrphansBelow(join(folder, entry.name), levels - 1);
}

function readNote(dataFolder: string): Note | null {
  try {
    const written = noteOf(dataFolder);
    // A note of somebody else could name any process of this account.
    if (process.getuid && lstatSync(written).uid !== process.getuid()) return null;
    const note = JSON.parse(readFileSync(written, 'utf8')) as Partial<Note>;
    const { pid, file, signals } = note;
    return typeof pid === 'number' && pid > 1 && file && signals ? { pid, file, signals } : null;
  } catch {
    return null;
  }
}

/** True if that process really is the server of that data folder, and not a stranger with a reused pid. */
async function isOurServer({ pid, file }: Note, dataFolder: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const name = basename(file);
  if (process.platform === 'linux') {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      // The system reports the working folder without links. Some servers leave it; their arguments name the data
      // folder.
      const real = realpathSync(dataFolder);
      const isThere = readlinkSync(`/proc/${pid}/cwd`) === real || command.includes(`${real}/`);
      return isThere && command.includes(name);
    } catch {
      return false;
    }
  }
  // An unclear answer counts as no, because a stranger must not be stopped.
  const { stdout } = await commandLine(pid).catch(() => ({ stdout: '' }));
  return stdout.includes(name) && stdout.includes(dirname(dataFolder));
}

const commandLine = (pid: number) =>
  process.platform === 'win32'
    ? run(
        'powershell',
        ['-NoProfile', '-Command', `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`],
        { windowsHide: true, env: childEnvironment() },
      )
    : run('ps', ['-o', 'command=', '-p', String(pid)], { env: childEnvironment() });
