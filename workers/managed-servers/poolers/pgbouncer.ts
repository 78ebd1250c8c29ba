import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { PostgresConfig } from '#engines/postgres/config.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import type { StopSignals } from '#platform/guard.ts';
import { isAlive } from '#platform/is-alive.ts';
import { type InstalledServer, installedServers } from '../install/installed-servers.ts';
import { giveTo, serverHome } from '../process/account.ts';
import { onFreePort } from '../process/free-port.ts';
import { newPassword } from '../process/new-password.ts';
import { stopOrphan } from '../process/orphan.ts';
import { answers } from '../process/port-answers.ts';
import { serverEnvironment, startServerProcess } from '../process/server-process.ts';
import type { PoolerKind, PoolerWishes, RunningPooler } from './pooler-kind.ts';

const label = 'PgBouncer';

/** Versions before 1.23 end at once; later ones wait for the clients, which have gone by then. */
const signals: StopSignals = [
  ['SIGTERM', 2_000],
  ['SIGKILL', 2_000],
];

/** PgBouncer, which Debian and Ubuntu have as a package. */
export const pgbouncer: PoolerKind = { engine: 'postgres', start };

async function start(
  config: Readonly<Record<string, unknown>>,
  wished: string,
  wishes: PoolerWishes,
): Promise<RunningPooler> {
  const [found] = await installedServers({ names: ['pgbouncer'], versionArgs: ['--version'] });
  if (!found)
    throw new DynoError('unsupported', `${label} is not installed.`, {
      hint: 'Debian, Ubuntu: sudo apt install pgbouncer. Fedora: sudo dnf install pgbouncer.',
    });
  checkOpenFiles(wishes);
  const { account, folder } = serverHome(wished, label, () => {});
  await removeLeft(folder);
  const place = mkdtempSync(join(folder, `${process.pid}-`));
  const [settings, users] = [join(place, 'pgbouncer.ini'), join(place, 'users.txt')];
  const password = newPassword();
  try {
    return await onFreePort(async (port) => {
      writeFileSync(settings, settingsText(found, config as PostgresConfig, port, users, wishes), { mode: 0o600 });
      writeFileSync(users, usersText(config as PostgresConfig, password), { mode: 0o600 });
      giveTo(account, place, settings, users);
      const running = await startServerProcess({
        label,
        file: found.program,
        args: [settings],
        cwd: place,
        env: serverEnvironment(),
        account,
        log: `${place}.log`,
        isReady: () => answers(port),
        readyWithinMs: 15_000,
        signals,
      });
      let isGone = false;
      void running.gone.then(() => {
        isGone = true;
      });
      return {
        label,
        endpoint: { host: '127.0.0.1', port },
        pid: running.pid,
        isGone: () => isGone,
        counters: () => countersOf(port, password),
        async [Symbol.asyncDispose]() {
          await running.stop();
          removeFiles(place);
        },
      };
    });
  } catch (thrown) {
    removeFiles(place);
    throw thrown;
  }
}

/** The files of a pooler: its folder, its log and the note of its process (orphan.ts). */
function removeFiles(place: string): void {
  for (const ending of ['', '.log', '.server.json']) rmSync(`${place}${ending}`, { recursive: true, force: true });
}

/** Stops and removes what processes have left that were killed together with their guards. */
async function removeLeft(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [, pid] = /^(\d+)-\w+$/.exec(entry.name) ?? [];
    if (!entry.isDirectory() || pid === undefined || isAlive(Number(pid))) continue;
    const place = join(folder, entry.name);
    await stopOrphan(place);
    removeFiles(place);
  }
}

/** Files that the pooler opens beside the sockets of its clients and servers. */
const otherFiles = 50;

/** The system refuses connections beyond its limit one by one, in the middle of a trial. */
function checkOpenFiles({ clients, servers }: PoolerWishes): void {
  const needed = clients + servers + otherFiles;
  const limit = openFilesLimit();
  if (limit !== null && needed > limit)
    throw new DynoError(
      'unsupported',
      `${formatCount(clients)} connections through a pooler need ${formatCount(needed)} open files, and the system allows ${formatCount(limit)}.`,
      { hint: 'Raise the limit before starting Dyno (ulimit -n), or take fewer connections.' },
    );
}

/** The number of files that a child process may open; null: no limit is known. */
function openFilesLimit(): number | null {
  if (process.platform !== 'linux') return null;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return soft === undefined ? null : Number(soft);
}

/** The first version that carries named statements through a pool of transactions. */
const keepsStatementsFrom = [1, 21] as const;

function keepsStatements({ version }: Pick<InstalledServer, 'version'>): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [firstMajor, firstMinor] = keepsStatementsFrom;
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

/** The user who reads the pooler's figures. */
const watcher = 'dyno_watcher';

function settingsText(
  found: Pick<InstalledServer, 'version'>,
  { host, port, via = { host, port }, database }: PostgresConfig,
  listens: number,
  users: string,
  { mode, clients, servers }: PoolerWishes,
): string {
  return [
    '[databases]',
    `${quoted(database)} = host=${via.host} port=${via.port} dbname=${quoted(database)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listens}`,
    'unix_socket_dir =',
    // Both logins are the server's own kind, so that a login costs the same with the pooler and without it.
    'auth_type = scram-sha-256',
    // Sessions without a pooler have no TLS by default. Since 1.21, the pooler would ask the server for it.
    'server_tls_sslmode = disable',
    // With a connection for each call, the log would grow by two lines a call.
    'log_connections = 0',
    'log_disconnections = 0',
    `auth_file = ${users}`,
    `stats_users = ${watcher}`,
    `pool_mode = ${mode}`,
    `default_pool_size = ${servers}`,
    `max_client_conn = ${clients + otherFiles}`,
    ...(keepsStatements(found) ? ['max_prepared_statements = 200'] : []),
    '',
  ].join('\n');
}

/** A name in PgBouncer's files; the names of managed servers are plain words. */
const quoted = (name: string): string => {
  if (!/^\w+$/.test(name)) throw new DynoError('unsupported', `${label}: ${name} is no plain name of a database.`);
  return name;
};

const usersText = ({ user, password }: PostgresConfig, own: string): string =>
  [
    [user, password ?? ''],
    [watcher, own],
  ]
    .map((pair) => pair.map((text) => `"${text.replaceAll('"', '""')}"`).join(' '))
    .join('\n');

/** Totals of SHOW STATS that are times, in µs; the others are counts. */
const times = ['total_xact_time', 'total_query_time', 'total_wait_time'];

/** The totals of SHOW STATS over all databases, without PgBouncer's own. */
async function countersOf(port: number, password: string): Promise<Readonly<Record<string, number>>> {
  const { default: pg } = await import('pg');
  const client: Client = new pg.Client({ host: '127.0.0.1', port, database: 'pgbouncer', user: watcher, password });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Readonly<Record<string, string>>>('SHOW STATS');
    const sums: Record<string, number> = {};
    for (const { database, ...row } of rows)
      if (database !== 'pgbouncer')
        for (const [name, value] of Object.entries(row))
          if (name.startsWith('total_')) {
            const key = `pgbouncer: ${name.slice('total_'.length)}${times.includes(name) ? ', µs' : ''}`;
            sums[key] = (sums[key] ?? 0) + Number(value);
          }
    return sums;
  } finally {
    await client.end();
  }
}
