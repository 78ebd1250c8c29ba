import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DynoError } from '#model/error.ts';
import { type InstalledServer, installedServers, newestOf } from '../install/installed-servers.ts';
import { executablesIn, findProgram } from '../install/tools.ts';
import type { Missing } from '../process/server-kind.ts';

const folders = [
  ...['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/usr/libexec', '/usr/local/libexec'],
  ...['/opt/homebrew/bin', '/opt/homebrew/opt/mariadb/bin', '/usr/local/mysql/bin'],
];
const installers = ['mariadb-install-db', 'mysql_install_db'];

/** An installed MariaDB or MySQL. */
export interface Product extends InstalledServer {
  readonly label: 'MariaDB' | 'MySQL';
}

async function allProducts(): Promise<readonly Product[]> {
  // The machine's own configuration is not read.
  const versionArgs = ['--no-defaults', '--version'];
  const found = await installedServers({ names: ['mariadbd', 'mysqld'], folders, versionArgs });
  return found.map((one) => ({ ...one, label: /MariaDB/i.test(one.said) ? 'MariaDB' : 'MySQL' }));
}

/** The newest release of a product's series such as '10.11'. Null: there is none. */
export const productOf = async (product: string, series: string): Promise<Product | null> =>
  newestOf(
    (await allProducts()).filter(({ label }) => label.toLowerCase() === product),
    series,
  );

/**
 * A server on the PATH, of the system or of the user. A server that Dyno has fetched only serves the target of its
 * version.
 */
export const usualProduct = async (): Promise<Product | null> =>
  (await allProducts()).find(({ fetched }) => fetched === null) ?? null;

/** Neither product is installed, and how to get one. */
export function missingProduct(): Missing {
  const what = 'MariaDB (or MySQL) is not installed: neither mariadbd nor mysqld was found.';
  const besides = {
    text: 'On Debian and Ubuntu the package also starts a MariaDB, now and at every boot. To stop that one:',
    command: 'sudo systemctl disable --now mariadb',
  };
  return { what, fix: installation(), ...(process.platform === 'linux' && { besides }) };
}

function installation(): string {
  switch (process.platform) {
    case 'darwin':
      return 'brew install mariadb';
    case 'win32':
      return 'winget install MariaDB.Server';
    default:
      return 'Debian, Ubuntu: sudo apt install mariadb-server (and, to keep the one it starts from running: sudo systemctl disable --now mariadb). Fedora: sudo dnf install mariadb-server.';
  }
}

export const seriesOf = ({ version }: Product): string => version.split('.').slice(0, 2).join('.');

/**
 * The argument with the folder of an installation that can lie anywhere: it has the server's messages in share/english.
 * The system's packages have them elsewhere, and their servers know where.
 */
export function baseOf(server: string): readonly string[] {
  const base = dirname(dirname(server));
  return existsSync(join(base, 'share', 'english', 'errmsg.sys')) ? [`--basedir=${base}`] : [];
}

/**
 * The command that makes the system tables. Everybody may log in at first: loginSql() changes that before the first
 * connection.
 */
export function installCommand(
  server: string,
  label: Product['label'],
  data: string,
): readonly [string, readonly string[]] {
  const places = ['--no-defaults', ...baseOf(server), `--datadir=${data}`];
  if (label === 'MySQL') return [server, [...places, '--initialize-insecure']];
  const base = dirname(dirname(server));
  const installer =
    executablesIn([dirname(server), join(base, 'bin'), join(base, 'scripts')], installers)[0] ??
    findProgram(installers, folders);
  if (!installer)
    throw new DynoError('unsupported', 'MariaDB is not complete: there is no mariadb-install-db.', {
      hint: installation(),
    });
  if (process.platform === 'win32') return [installer, [`--datadir=${data}`]];
  return [
    installer,
    [
      ...[...places, '--skip-test-db', '--skip-name-resolve'],
      // The other method makes root accounts for several hosts, all without a password.
      '--auth-root-authentication-method=socket',
    ],
  ];
}
