import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynoError } from '#model/error.ts';
import { sentence } from '#model/format/sentence.ts';
import { oneLine } from '#model/text/printable.ts';
import type { StopSignals } from '#platform/guard.ts';
import { isAlive } from '#platform/is-alive.ts';
import { giveTo, type ServerAccount } from '../../process/account.ts';
import { newPassword } from '../../process/new-password.ts';
import { checkSpace, resetHint, serverError, wordsOf } from '../../process/server-error.ts';
import { type ServerProcess, serverEnvironment, startServerProcess } from '../../process/server-process.ts';
import { putBackSql } from './put-back.ts';

const run = promisify(execFile);
const cluster = 'data';

/** Space for a new cluster and a starter experiment. */
const leastFreeBytes = 300 * 1024 * 1024;

interface ClusterPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
}

/** One managed PostgreSQL server. */
interface Cluster {
  /** The server's name in messages: "the embedded PostgreSQL". */
  readonly label: string;
  readonly programs: ClusterPrograms;
  /** The locale of its databases, as options of initdb. */
  readonly locale: readonly string[];
  readonly account: ServerAccount | null;
}

/** The cluster's folder, which initdb makes on first use in a folder of its own that is renamed when it is complete. */
export async function ensureCluster(
  folder: string,
  { label, programs, locale, account }: Cluster,
  onActivity: (text: string) => void,
): Promise<string> {
  const major = programs.version.split('.')[0] ?? '';
  const home = join(folder, `postgresql-${major}`);
  const data = join(home, cluster);
  if (existsSync(join(data, 'PG_VERSION'))) return data;
  if (existsSync(home) && readdirSync(home).length > 0)
    throw new DynoError('other', `PostgreSQL's data in ${home} is damaged: its PG_VERSION is missing.`, {
      hint: resetHint,
    });
  onActivity(`Creating ${label} (once, a few seconds).`);
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
        ...['-E', 'UTF8', ...locale, '--no-instructions'],
      ],
      { cwd: half, env: serverEnvironment(), windowsHide: true, ...account },
    );
    rmSync(passwordFile);
    rmSync(home, { recursive: true, force: true });
    renameSync(half, home);
    return data;
  } catch (thrown) {
    rmSync(half, { recursive: true, force: true });
    throw clusterError(`${sentence(label)} could not be created`, wordsOf(thrown));
  }
}

/** A database of the cluster, and its user. */
interface ClusterUser {
  readonly user: string;
  readonly database: string;
  /** SQL that makes the user if it is missing, and gives it its rights. It runs at each start. */
  readonly grants: string;
}

export interface ClusterPasswords {
  /** The password of the superuser, `postgres`. */
  readonly admin: string;
  readonly user: string;
}

/**
 * Makes the user if it is missing, gives it and the superuser new passwords, and reverts changes that a statement may
 * have made for later sessions (putBackSql). It uses single-user mode and its standard input, so that passwords are in
 * no argument, variable or file. Crash recovery happens here, too.
 */
export async function setPasswords(
  data: string,
  { label, programs, account }: Cluster,
  { user, database, grants }: ClusterUser,
  onActivity: (text: string) => void = () => {},
): Promise<ClusterPasswords> {
  disownDeadServer(data);
  const passwords = { admin: newPassword(), user: newPassword() };
  // With -j a statement ends with a semicolon before an empty line, so it may have several lines.
  const args = ['--single', '-j', '-D', data, '-c', 'log_min_error_statement=panic', database];
  const child = spawn(programs.postgres, args, {
    cwd: data,
    env: serverEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
    windowsHide: true,
    ...account,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-20_000);
  });
  child.stdin.on('error', () => {}); // The server died before reading; its exit code and output have the reason.
  const statements = [
    `DO $dyno$ BEGIN\n${grants.trim()}\nEND $dyno$`,
    putBackSql,
    `ALTER ROLE "${user}" PASSWORD '${passwords.user}'`,
    `ALTER ROLE postgres PASSWORD '${passwords.admin}'`,
  ];
  child.stdin.end(statements.map((one) => `${one};\n\n`).join(''));
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      said += error.message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  if (code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(said)) {
    const told = said.replaceAll(passwords.user, '•••').replaceAll(passwords.admin, '•••');
    throw clusterError(`${sentence(label)} could not be started`, told);
  }
  for (const [, what = ''] of said.matchAll(/dyno put back: (.*)/g))
    onActivity(`Put back what a statement had changed: ${oneLine(what)}.`);
  return passwords;
}

/**
 * Lets a server start if the process id of a killed one is in use again: PostgreSQL would take that process for the old
 * server. With the id of its own parent in postmaster.pid it goes on, and only checks whether processes of the old
 * server still have its shared memory.
 */
export function disownDeadServer(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  // The folder belongs to the server's account, which must not choose what this process writes.
  const open = openSync(file, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    const [pid, ...lines] = readFileSync(open, 'utf8').split('\n');
    if (isAlive(Number(pid))) return;
    ftruncateSync(open);
    writeSync(open, [process.pid, ...lines].join('\n'), 0);
  } finally {
    closeSync(open);
  }
}

/** True if postmaster.pid says so (PostgreSQL's "miscadmin.h": pid, data directory, start, port, …, status). */
function isReady(data: string, pid: number): boolean {
  const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/**
 * Starts it on 127.0.0.1 and the port, with its own defaults. `name`: cluster_name; `log`: the file for its output;
 * `more`: arguments that come last.
 */
export const startCluster = (
  data: string,
  { label, programs, account }: Cluster,
  port: number,
  { name, log, more = [] }: { readonly name: string; readonly log: string; readonly more?: readonly string[] },
): Promise<ServerProcess> =>
  startServerProcess({
    label: sentence(label),
    file: programs.postgres,
    args: [
      ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''],
      ...['-c', `cluster_name=${name}`, '-c', 'max_connections=100'],
      ...more,
    ],
    cwd: data,
    env: serverEnvironment(),
    account,
    log,
    isReady: (pid) => isReady(data, pid),
    signals,
    failed: clusterError,
  });

/**
 * Tries a fast shutdown, then an immediate one (with recovery on the next start), then a kill. After five seconds an
 * immediate shutdown kills the processes of sessions that remain; without their parent nobody would.
 */
const signals: StopSignals = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
];

const damaged =
  /is not a valid data directory|database files are incompatible|invalid (?:primary )?checkpoint|could not (?:locate|find|read) .*(?:checkpoint|pg_control|control file)|PANIC|pg_control|could not open file "(?:global|base|PG_VERSION)|incorrect checksum/i;

/** Makes an error with advice from a PostgreSQL program's output. */
const clusterError = (what: string, said: string): DynoError => serverError(what, said, damaged);
