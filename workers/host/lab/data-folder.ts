import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynoError } from '#contract/error.ts';
import type { Binaries } from './binaries.ts';
import type { ServerAccount } from './places.ts';

const run = promisify(execFile);
const cluster = 'data';

/** Space that a fresh cluster and a starter experiment need. */
const leastFreeBytes = 300 * 1024 * 1024;

/** The cluster's folder; created by initdb on first use, in a folder of its own that is renamed when complete. */
export async function ensureDataFolder(
  folder: string,
  binaries: Binaries,
  account: ServerAccount | null,
  say: (text: string) => void,
): Promise<string> {
  const major = binaries.version.split('.')[0] ?? '';
  const home = join(folder, `postgres-${major}`);
  const data = join(home, cluster);
  if (existsSync(join(data, 'PG_VERSION'))) return data;
  if (existsSync(home) && readdirSync(home).length > 0) throw corrupt(home, 'its PG_VERSION is missing');
  say('Creating the embedded PostgreSQL (once, a few seconds).');
  checkSpace(folder);
  const half = mkdtempSync(join(folder, 'initdb-'));
  try {
    const passwordFile = join(half, 'password');
    writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
    if (account) for (const path of [half, passwordFile]) chownSync(path, account.uid, account.gid);
    await run(
      binaries.initdb,
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
    throw serverError('The embedded PostgreSQL could not be created', wordsOf(thrown));
  }
}

/** The clusters there are, of every major version. */
export const dataFolders = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => /^postgres-\d+$/.test(name))
    .map((name) => join(folder, name, cluster));

/** Deletes the cluster. Only Dyno's own test tables are in there. */
export function deleteDataFolder(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (/^(postgres-\d+|initdb-.*)$/.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * Gives the superuser a new password through single-user mode: on its standard input, so that it is never in an argument, a
 * variable or a file. Crash recovery, where needed, happens here, too.
 */
export async function setPassword(
  data: string,
  binaries: Binaries,
  account: ServerAccount | null,
  password: string,
): Promise<void> {
  const child = spawn(binaries.postgres, ['--single', '-D', data, '-c', 'log_min_error_statement=panic', 'postgres'], {
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
    throw serverError('The embedded PostgreSQL could not be started', said.replaceAll(password, '•••'));
}

/** What PostgreSQL needs of our environment: nothing that could redirect it (PGDATA, PGPORT, PGOPTIONS…). */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMP } = process.env;
  return {
    ...(PATH && { PATH }),
    ...(SystemRoot && { SystemRoot }),
    ...(TEMP && { TEMP }),
    ...(TMP && { TMP }),
    LC_ALL: 'C',
    TZ: 'UTC',
  };
}

/** What a PostgreSQL program said, as an error with advice. */
export function serverError(what: string, said: string): DynoError {
  const words = said.trim().split('\n').slice(-8).join('\n') || 'it said nothing';
  const message = `${what}: ${words}`;
  if (/No space left|disk full|ENOSPC/i.test(said))
    return new DynoError('diskFull', message, { hint: 'Free some space (a few hundred MB), then try again.' });
  if (/could not (?:bind|create listen)|Address already in use/i.test(said))
    return new DynoError('limit', message, { hint: 'Another program took the port; try again.', retryable: true });
  if (
    /is not a valid data directory|database files are incompatible|invalid (?:primary )?checkpoint|could not (?:locate|find|read) .*(?:checkpoint|pg_control|control file)|PANIC|pg_control|could not open file "(?:global|base|PG_VERSION)|incorrect checksum/i.test(
      said,
    )
  )
    return new DynoError('other', message, { hint: resetHint });
  if (/shared object|error while loading shared libraries|ENOENT|not found/i.test(said))
    return new DynoError('unsupported', message, {
      hint: 'Reinstall the packages (npm ci), or give your own PostgreSQL server as a target.',
    });
  return new DynoError('other', message, { hint: resetHint });
}

const resetHint =
  'If its data is damaged: `dyno lab reset` deletes it and makes a new one (only tables of Dyno are in there).';

const corrupt = (folder: string, why: string): DynoError =>
  new DynoError('other', `The data of the embedded PostgreSQL in ${folder} is damaged: ${why}.`, { hint: resetHint });

function checkSpace(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free < leastFreeBytes)
    throw new DynoError(
      'diskFull',
      `Only ${Math.round(free / 1e6)} MB are free in ${folder}; the embedded PostgreSQL needs 300 MB.`,
      {
        hint: 'Free some space, or set DYNO_HOME to a folder on another disk.',
      },
    );
}

function wordsOf(thrown: unknown): string {
  if (
    typeof thrown === 'object' &&
    thrown !== null &&
    'stderr' in thrown &&
    typeof thrown.stderr === 'string' &&
    thrown.stderr
  )
    return thrown.stderr;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
