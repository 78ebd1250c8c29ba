import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '#engines/drda/config.ts';
import { missingJava } from '../install/products/java-server.ts';
import { rowStoreServer } from '../install/products/snappydata.ts';
import { accountFolder, serverHome } from '../process/account.ts';
import { onFreePort } from '../process/free-port.ts';
import { newPassword } from '../process/new-password.ts';
import { stopOrphan } from '../process/orphan.ts';
import { checkSpace, serverError } from '../process/server-error.ts';
import type { RunningServer, ServerKind } from '../process/server-kind.ts';
import { serverEnvironment, startServerProcess } from '../process/server-process.ts';
import { briefJava } from './brief.ts';
import { javaProgram } from './java-program.ts';
import { prefixed, propertiesText } from './java-properties.ts';
import { sqlLines } from './sql-lines.ts';

/** The row store that SQLFire became, with one member and its tables in memory. Its data are gone when it stops. */
export const snappydata: ServerKind = {
  id: 'local-snappydata',
  engine: 'drda',
  label: 'snappydata-store',
  missing: async () => missingJava(rowStoreServer),
  start: (folder, onActivity) => startRowStore(folder, onActivity),
};

/** Space for the logs. */
const leastFreeBytes = 50 * 1024 * 1024;
/** The size of the heap, which holds all tables. */
const heap = '-Xmx1g';
/** The server has one database, and accepts every name for it. */
const database = 'sqlfire';
const [owner, user] = ['owner', 'dyno'];

/** The packages of the JDK that it uses, which Java has closed since version 8. */
const opened = [
  ...['java.io', 'java.lang', 'java.lang.ref', 'java.net', 'java.nio', 'jdk.internal.access', 'jdk.internal.ref'],
  'sun.nio.ch',
]
  .map((name) => `java.base/${name}`)
  .concat('java.management/com.sun.jmx.mbeanserver')
  .map((name) => `--add-opens=${name}=ALL-UNNAMED`);

/** Options for tests. */
export interface RowStoreWishes {
  /** Users besides the owner and Dyno's, with their passwords. Their rights have to be granted. */
  readonly users?: Readonly<Record<string, string>>;
  /** The product's own boot properties. */
  readonly properties?: Readonly<Record<string, string>>;
}

export async function startRowStore(
  wished: string,
  onActivity: (text: string) => void,
  wishes: RowStoreWishes = {},
): Promise<RunningServer> {
  const { account, folder } = serverHome(wished, 'snappydata-store', onActivity);
  const { java, classPath } = javaProgram(rowStoreServer, account, onActivity);
  checkSpace(folder, 'snappydata-store', leastFreeBytes);
  const dataFolder = accountFolder(join(folder, 'snappydata'), account);
  if (await stopOrphan(dataFolder)) onActivity('Stopped a snappydata-store that a crash had left running.');
  onActivity('Starting snappydata-store.');
  // The product looks for modules here, and ignores those among its boot properties.
  const modules = join(folder, 'modules.properties');
  writeFileSync(modules, 'gemfirexd.module.dynoStatements=RowStoreStatements\n');
  chmodSync(modules, 0o644);
  const passwords = { owner: newPassword(), user: newPassword() };
  const log = join(folder, 'server.log');
  return onFreePort(async (port) => {
    const process = await startServerProcess({
      label: 'snappydata-store',
      file: java,
      args: [
        ...[heap, ...briefJava, '-Djava.awt.headless=true', ...opened],
        ...[`-Dgemfirexd.system.home=${dataFolder}`, `-Dgemfirexd.properties=${modules}`],
        ...['-cp', classPath, 'RowStoreServer'],
      ],
      cwd: dataFolder,
      env: serverEnvironment(),
      input: propertiesText({
        ...{ port: String(port), grants: grants().join('\n') },
        ...bootProperties(passwords, wishes),
      }),
      account,
      log,
      isReady: () => readFileSync(log, 'utf8').includes('ready to accept'),
      failed,
    });
    const raw = { host: '127.0.0.1', port, database, user, password: passwords.user };
    const admin = { ...raw, user: owner, password: passwords.owner };
    return { ...process, raw, admin, port, dataFolder };
  });
}

/** Statements of experiments run as a user with the rights that dyno grants advises; a property names the user. */
const grants = (): readonly string[] =>
  sqlLines(config.grants(config.parse({ user, database, dialect: 'sqlfire' })) ?? '').filter(
    (line) => !line.startsWith('CALL SYS.CREATE_USER'),
  );

const bootProperties = (
  passwords: { readonly owner: string; readonly user: string },
  wishes: RowStoreWishes,
): Readonly<Record<string, string>> => ({
  // The server neither looks for other members nor listens for them.
  'mcast-port': '0',
  'persist-dd': 'false',
  'log-level': 'warning',
  // A full heap is then an error (XCL54); by default the server collects garbage for ever.
  'critical-heap-percentage': '90',
  'auth-provider': 'BUILTIN',
  'gemfirexd.sql-authorization': 'true', // without it every user may do everything
  user: owner,
  password: passwords.owner,
  ...prefixed('gemfirexd.user.', { ...wishes.users, [owner]: passwords.owner, [user]: passwords.user }),
  ...wishes.properties,
});

function failed(what: string, said: string): ReturnType<typeof serverError> {
  const problems = said.split('\n').filter((line) => /^(?:ERROR |Error)|Could not listen/.test(line));
  return serverError(what, problems.join('\n') || said);
}
