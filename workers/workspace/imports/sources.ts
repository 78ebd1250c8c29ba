import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readGiven } from '#platform/given-file.ts';
import { decodeText } from '#platform/given-text.ts';
import { azureConnections } from './azure-data-studio.ts';
import { beekeeperConnections } from './beekeeper.ts';
import { credentialsFile, dbeaverConnections } from './dbeaver.ts';
import type { Found } from './found.ts';
import { readLoginPath } from './mysql-login-path.ts';
import { mysqlOptions } from './mysql-options.ts';
import { odbcSources } from './odbc-ini.ts';
import { pgServices } from './pg-service.ts';
import { pgpassConnections, readPgpass } from './pgpass.ts';
import { tnsNames } from './tnsnames.ts';
import { urlConnections } from './urls.ts';

/** A format of connection files of other programs. */
interface Source {
  /** Its name on the command line. */
  readonly id: string;
  /** The name of the file in lists. */
  readonly label: string;
  /** File names by which a chosen file is recognised. */
  readonly names: RegExp;
  /** The places where the programs look for the file, the first place first. */
  places(): readonly string[];
  /** The connections of a file. Throws 'badInput' if it is another file. */
  read(bytes: Buffer, file: string): readonly Found[];
}

/** No program's own file is larger: the settings of an editor have some hundred kilobytes. */
const mostBytes = 4_000_000;

const variable = (name: string, ...below: string[]): readonly string[] => {
  const folder = process.env[name];
  return folder === undefined || folder === '' ? [] : [join(folder, ...below)];
};
const inHome = (...parts: string[]): string => join(homedir(), ...parts);
/** The path in the folder where programs of this system keep settings. */
const inSettings = (...parts: string[]): readonly string[] =>
  process.platform === 'win32'
    ? variable('APPDATA', ...parts)
    : [process.platform === 'darwin' ? inHome('Library/Application Support', ...parts) : inHome('.config', ...parts)];
const onWindows = process.platform === 'win32';

const passwordFiles = (): readonly string[] => [
  ...variable('PGPASSFILE'),
  ...(onWindows ? variable('APPDATA', 'postgresql/pgpass.conf') : [inHome('.pgpass')]),
];
const serviceFiles = (): readonly string[] => [
  ...variable('PGSERVICEFILE'),
  ...(onWindows ? variable('APPDATA', 'postgresql/.pg_service.conf') : [inHome('.pg_service.conf')]),
  ...variable('PGSYSCONFDIR', 'pg_service.conf'),
  ...(onWindows ? [] : ['/etc/postgresql-common/pg_service.conf']),
];

/** The formats, in the order in which a chosen file is tried. */
export const sources: readonly Source[] = [
  {
    id: 'pg_service',
    label: 'PostgreSQL services',
    names: /pg_service.*\.conf$/i,
    places: serviceFiles,
    // A file from elsewhere must not use the user's own password file, because its host may belong to anybody.
    read: (bytes, file) => pgServices(decodeText(bytes), serviceFiles().includes(file) ? ownPasswords() : []),
  },
  {
    id: 'pgpass',
    label: 'PostgreSQL passwords',
    names: /pgpass(\.conf)?$/i,
    places: passwordFiles,
    read: (bytes) => pgpassConnections(decodeText(bytes)),
  },
  {
    id: 'mysql',
    label: 'MySQL and MariaDB options',
    names: /(^|[./\\])(my|mylogin)[\w-]*\.(cnf|ini)$|\.cnf$/i,
    places: () => [inHome('.my.cnf'), ...variable('MYSQL_TEST_LOGIN_FILE'), inHome('.mylogin.cnf')],
    read: (bytes) => mysqlOptions(readLoginPath(bytes) ?? decodeText(bytes)),
  },
  {
    id: 'tnsnames',
    label: 'Oracle net service names',
    names: /tnsnames.*\.ora$/i,
    places: () => [
      ...variable('TNS_ADMIN', 'tnsnames.ora'),
      ...variable('ORACLE_HOME', 'network/admin/tnsnames.ora'),
      ...(onWindows ? [] : ['/etc/tnsnames.ora']),
    ],
    read: (bytes) => tnsNames(decodeText(bytes)),
  },
  {
    id: 'odbc',
    label: 'ODBC data sources',
    names: /odbc.*\.ini$/i,
    places: () => (onWindows ? [] : [...variable('ODBCINI'), inHome('.odbc.ini'), '/etc/odbc.ini']),
    read: (bytes) => odbcSources(decodeText(bytes)),
  },
  {
    id: 'dbeaver',
    label: 'DBeaver',
    names: /data-sources.*\.json$/i,
    places: () =>
      (onWindows
        ? variable('APPDATA', 'DBeaverData')
        : [inHome(process.platform === 'darwin' ? 'Library/DBeaverData' : '.local/share/DBeaverData')]
      ).map((folder) => join(folder, 'workspace6/General/.dbeaver/data-sources.json')),
    read: (bytes, file) => {
      const beside = join(dirname(file), credentialsFile);
      const credentials = existsSync(beside) ? readGiven(beside, mostBytes, 'a file of credentials') : null;
      return dbeaverConnections(decodeText(bytes), credentials);
    },
  },
  {
    id: 'azure-data-studio',
    label: 'Azure Data Studio, Visual Studio Code',
    names: /settings\.json$/i,
    places: () => ['azuredatastudio', 'Code'].flatMap((program) => inSettings(program, 'User/settings.json')),
    read: (bytes) => azureConnections(decodeText(bytes)),
  },
  {
    id: 'beekeeper',
    label: 'Beekeeper Studio export',
    names: /\.json$/i,
    places: () => [],
    read: (bytes) => beekeeperConnections(decodeText(bytes)),
  },
  {
    id: 'urls',
    label: 'Connection URLs',
    names: /\.env$|\.txt$|\.urls?$/i,
    places: () => [],
    read: (bytes) => urlConnections(decodeText(bytes)),
  },
];

const ownPasswords = () => {
  const file = passwordFiles().find((one) => existsSync(one));
  return file === undefined ? [] : readPgpass(decodeText(readGiven(file, mostBytes, 'a password file')));
};

/** Reads a file. Throws 'badInput' if it is too large, or not a regular file. */
export const readSource = (file: string): Buffer => readGiven(file, mostBytes, 'a file of connections', basename(file));
