import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import type { MysqlConfig } from '#engines/mysql/config.ts';
import { config as mysqlConfig } from '#engines/mysql/config.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { type PostgresConfig, config as postgresConfig } from '#engines/postgres/config.ts';
import { peerEnvironment } from '#engines/postgres/peers.fixture.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';

/** The input of a run on a benchmark's server. */
export interface BenchRun {
  readonly home: Home;
  readonly yaml: string;
  readonly variables: NodeJS.ProcessEnv;
}

/** A server, and a home for runs on it. Disposal removes both. */
interface BenchServer extends AsyncDisposable {
  /** Product and version. */
  readonly product: string;
  /** An experiment's text with these changes, on this server. */
  run(yaml: string, changes?: readonly string[]): BenchRun;
}

/** A file of the gallery. */
export const galleryFile = (name: string): string =>
  readFileSync(new URL(`../../../experiments/${name}.dyno.yaml`, import.meta.url), 'utf8');

const passwordVariable = 'DYNO_BENCH_PASSWORD';

function benchHome(password: string | null) {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
  const home = homeOf({ DYNO_HOME: join(folder, 'home') });
  ensureHome(home);
  return {
    run: (target: string, yaml: string, changes: readonly string[]): BenchRun => ({
      home,
      variables: { ...process.env, [passwordVariable]: password ?? '' },
      yaml: applyOverrides(readYaml(yaml), [
        'baseline=',
        `targets=[{ name: server, password: '\${env:${passwordVariable}}', ${target} }]`,
        'workload.generation=inline',
        // Peers are compiled before they start; our runtime compiles hot code while it runs.
        'measure.warmupSeconds=3',
        ...changes,
      ]).text,
    }),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The setting that determines if commits wait for the log. */
type Commit = 'on' | 'off';

/** A PostgreSQL with a schema for the peer's tables. */
export async function postgresServer() {
  const server = await givenOrTestServer();
  const target = postgresConfig.parse(server.raw) as PostgresConfig;
  const schema = `dyno_bench_${process.pid}`;
  const { host, port, user, password, database } = target;
  const client = await connectedClient({ host, port, user, database, password: password ?? undefined });
  // The user of a managed server may not create schemas.
  const owner = postgresConfig.parse(server.admin) as PostgresConfig;
  const admin = await connectedClient({
    host,
    port,
    user: owner.user,
    database,
    password: owner.password ?? undefined,
  });
  await admin.query(`CREATE SCHEMA ${schema} AUTHORIZATION "${user}"`);
  await admin.end();
  await client.query(`SET search_path = ${schema}`);
  const home = benchHome(password);
  const address = `host: ${host}, port: ${port}, user: ${user}, database: ${database}`;
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version");
  return {
    product: `PostgreSQL ${rows[0]?.version}`,
    target,
    client,
    run: (yaml: string, changes: readonly string[] = [], commit: Commit = 'off') =>
      home.run(`engine: postgres, ${address}, sessionSettings: { synchronous_commit: '${commit}' }`, yaml, changes),
    /** The peer's settings, so that it finds its tables in the schema. */
    environment: (commit: Commit = 'off') => ({
      ...peerEnvironment(target),
      PGOPTIONS: `-c search_path=${schema} -c synchronous_commit=${commit}`,
    }),
    async [Symbol.asyncDispose]() {
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
      await server[Symbol.asyncDispose]();
      home.remove();
    },
  } satisfies BenchServer & Record<string, unknown>;
}

/** A MariaDB with a database for the peer's tables. */
export async function mariadbServer() {
  const server = await givenOrTestServer(mariadb);
  const target = mysqlConfig.parse(server.admin) as MysqlConfig;
  const peerDatabase = `dyno_bench_${process.pid}`;
  const { host, port, user, password } = target;
  const client = await mysql.createConnection({ host, port, user, ...(password !== null && { password }) });
  await client.query(`CREATE DATABASE ${peerDatabase}`);
  const home = benchHome(password);
  const [[row]] = await client.query<mysql.RowDataPacket[]>('SELECT VERSION() AS version');
  return {
    product: String(row?.version).includes('MariaDB') ? `MariaDB ${row?.version}` : `MySQL ${row?.version}`,
    target,
    client,
    peerDatabase,
    run: (yaml: string, changes: readonly string[] = []) =>
      home.run(`engine: mysql, host: ${host}, port: ${port}, user: ${user}`, yaml, changes),
    async [Symbol.asyncDispose]() {
      await client.query(`DROP DATABASE IF EXISTS ${peerDatabase}`);
      await client.end();
      await server[Symbol.asyncDispose]();
      home.remove();
    },
  } satisfies BenchServer & Record<string, unknown>;
}

/** A server of another kind, of which a benchmark asks only whole trials. */
export async function serverOf(kind: ServerKind) {
  const server = await givenOrTestServer(kind);
  const { password = null, ...address } = server.raw;
  const home = benchHome(password === null ? null : String(password));
  const fields = Object.entries(address).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return {
    product: kind.label,
    run: (yaml: string, changes: readonly string[] = []) =>
      home.run([`engine: ${kind.engine}`, ...fields].join(', '), yaml, changes),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      home.remove();
    },
  } satisfies BenchServer;
}
