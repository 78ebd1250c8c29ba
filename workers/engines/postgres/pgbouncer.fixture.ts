import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe } from 'vitest';
import { findProgram } from '#managed-servers/install/tools.ts';
import { giveTo, serverAccount, serverFolder } from '#managed-servers/process/account.ts';
import { onFreePort } from '#managed-servers/process/free-port.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';

const program = findProgram(['pgbouncer']);

/** The reason why no pooler can be started here; null if one can. */
const noPooler: string | null =
  program === null || isSkipped('pgbouncer')
    ? 'PgBouncer is not installed; Debian and Ubuntu: apt-get install pgbouncer'
    : isSkipped('embedded-postgres')
      ? 'the embedded PostgreSQL does not run here'
      : null;

/** Tests that need PgBouncer; where it is missing their name says which command adds it. */
export function describeWithPgbouncer(name: string, tests: () => void): void {
  describe.skipIf(noPooler !== null)(noPooler === null ? name : `${name} (${noPooler})`, tests);
}

export type PoolMode = 'session' | 'transaction' | 'statement';

type Login = Readonly<Record<'host' | 'database' | 'user' | 'password', string>> & { readonly port: number };

/** The state that the next user finds on one connection of the pool. */
interface Found {
  readonly settings: string;
  readonly statements: string;
  readonly locks: string;
  readonly temporary: string;
}

/** A pooler of a test's own before a server. */
export interface TestPooler extends AsyncDisposable {
  /** The configuration with which clients of the pooler reach the server. */
  readonly raw: Login;
  readonly poolSize: number;
  /** A client of the pool, as an application has it. */
  client(): Promise<pg.Client>;
  /**
   * The settings that an application finds on the connections of the pool, by the process of each. In a pool of
   * transactions these are all connections.
   */
  look(): Promise<ReadonlyMap<string, Found>>;
}

const lookSql = `
  SELECT pg_backend_pid()::text AS pid,
         (SELECT string_agg(name || '=' || coalesce(setting, '') || ' by ' || source, E'\\n' ORDER BY name) FROM pg_settings
           WHERE name NOT IN ('transaction_isolation', 'transaction_read_only', 'transaction_deferrable')) AS settings,
         (SELECT coalesce(string_agg(name || ': ' || statement, E'\\n'), '') FROM pg_prepared_statements) AS statements,
         (SELECT coalesce(string_agg(locktype || ' ' || mode, E'\\n'), '') FROM pg_locks
           WHERE pid = pg_backend_pid() AND locktype = 'advisory') AS locks,
         (SELECT coalesce(string_agg(proname, ' '), '') FROM pg_proc WHERE pronamespace = pg_my_temp_schema()) AS temporary`;

/** Starts it; `more`: lines of its configuration. */
export async function startPgbouncer(
  server: Readonly<Record<string, unknown>>,
  mode: PoolMode,
  { poolSize = 6, more = '' }: { readonly poolSize?: number; readonly more?: string } = {},
): Promise<TestPooler> {
  const { host, port, database, user, password } = server as unknown as Login;
  await using opened = new AsyncDisposableStack();
  const account = serverAccount('PgBouncer');
  const folder = serverFolder(temporaryFolder(opened), account);
  const file = (name: string) => join(folder, name);
  const { end, listens } = await onFreePort(async (listens) => {
    writeFileSync(file('users.txt'), `"${user}" "${password}"\n`, { mode: 0o600 });
    writeFileSync(
      file('pgbouncer.ini'),
      `[databases]
${database} = host=${host} port=${port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listens}
unix_socket_dir =
auth_type = plain
auth_file = ${file('users.txt')}
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 200
query_wait_timeout = 20
${more}
`,
      { mode: 0o600 },
    );
    giveTo(account, file('users.txt'), file('pgbouncer.ini'));
    const child = spawn(program!, [file('pgbouncer.ini')], { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (bytes) => {
      said += String(bytes);
    });
    opened.defer(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    });
    while (!/process up/.test(said)) {
      if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
      await sleep(20);
    }
    return { end: () => ((child.exitCode ?? child.signalCode) === null ? null : said.slice(-2_000)), listens };
  });
  const raw = { host: '127.0.0.1', port: listens, database, user, password };
  const client = async () => {
    const one = new pg.Client(raw);
    // PgBouncer closes what is left open when it ends.
    one.on('error', () => {});
    try {
      await one.connect();
    } catch (error) {
      const said = end();
      throw said === null ? error : new Error(`PgBouncer has ended: ${said}`, { cause: error });
    }
    return one;
  };
  const owned = opened.move();
  return {
    raw,
    poolSize,
    client,
    async look() {
      const clients = await Promise.all(Array.from({ length: poolSize }, client));
      try {
        // The first PL/pgSQL code on a connection loads the language, with its settings.
        for (const one of clients) await one.query('BEGIN; DO $$ BEGIN END $$');
        const found = new Map<string, Found>();
        for (const one of clients) {
          const { pid, ...rest } = (await one.query(lookSql)).rows[0] as Found & { readonly pid: string };
          found.set(pid, rest);
        }
        for (const one of clients) await one.query('COMMIT');
        return found;
      } finally {
        for (const one of clients) await one.end();
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
