import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynoError } from '#contract/error.ts';
import { giveTo, type ServerAccount } from '../account.ts';
import { checkSpace, resetHint, serverError, wordsOf } from '../server-error.ts';
import { serverEnvironment } from '../server-process.ts';

const run = promisify(execFile);
const cluster = 'data';

/** Space that a fresh cluster and a starter experiment need. */
const leastFreeBytes = 300 * 1024 * 1024;

export interface ClusterPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
}

/** The cluster's folder; created by initdb on first use, in a folder of its own that is renamed when complete. */
export async function ensureCluster(
  folder: string,
  programs: ClusterPrograms,
  account: ServerAccount | null,
  say: (text: string) => void,
): Promise<string> {
  const major = programs.version.split('.')[0] ?? '';
  const home = join(folder, `postgres-${major}`);
  const data = join(home, cluster);
  if (existsSync(join(data, 'PG_VERSION'))) return data;
  if (existsSync(home) && readdirSync(home).length > 0)
    throw new DynoError('other', `PostgreSQL's data in ${home} is damaged: its PG_VERSION is missing.`, {
      hint: resetHint,
    });
  say('Creating the embedded PostgreSQL (once, a few seconds).');
  checkSpace(folder, 'PostgreSQL', leastFreeBytes);
  const half = mkdtempSync(join(folder, 'initdb-'));
  try {
    const passwordFile = join(half, 'password');
    writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
    giveTo(account, half, passwordFile);
    await run(
      programs.initdb,
      [
        ...['-D', join(half, cluster), '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
        ...['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
      ],
      { cwd: half, env: serverEnvironment(), windowsHide: true, ...account },
    );
    rmSync(passwordFile);
    rmSync(home, { recursive: true, force: true });
    renameSync(half, home);
    return data;
  } catch (thrown) {
    rmSync(half, { recursive: true, force: true });
    throw clusterError('The embedded PostgreSQL could not be created', wordsOf(thrown));
  }
}

/**
 * Gives the superuser a new password through single-user mode: on its standard input, so that it is never in an argument, a
 * variable or a file. Crash recovery, where needed, happens here, too.
 */
export async function setPassword(
  data: string,
  programs: ClusterPrograms,
  account: ServerAccount | null,
  password: string,
): Promise<void> {
  const child = spawn(programs.postgres, ['--single', '-D', data, '-c', 'log_min_error_statement=panic', 'postgres'], {
    cwd: data,
    env: serverEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
    windowsHide: true,
    ...account,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  child.stdin.on('error', () => {}); // It died before reading: its exit code and words say why.
  child.stdin.end(`ALTER ROLE postgres PASSWORD '${password}';\n`);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      said += error.message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  if (code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(said))
    throw clusterError('The embedded PostgreSQL could not be started', said.replaceAll(password, '•••'));
}

/** Whether postmaster.pid says so (PostgreSQL's "miscadmin.h": pid, data directory, start, port, …, status). */
export function clusterIsReady(data: string, pid: number): boolean {
  const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

const damaged =
  /is not a valid data directory|database files are incompatible|invalid (?:primary )?checkpoint|could not (?:locate|find|read) .*(?:checkpoint|pg_control|control file)|PANIC|pg_control|could not open file "(?:global|base|PG_VERSION)|incorrect checksum/i;

/** What a PostgreSQL program said, as an error with advice. */
export const clusterError = (what: string, said: string): DynoError => serverError(what, said, damaged);
