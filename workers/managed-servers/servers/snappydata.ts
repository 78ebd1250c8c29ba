import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { type ServerProcess, serverEnvironment, startServerProcess } from '../process/server-process.ts';
import { briefJava } from './brief.ts';
import { javaProgram } from './java-program.ts';
import { prefixed, propertiesText } from './java-properties.ts';
import { sqlLines } from './sql-lines.ts';

/**
 * The row store that SQLFire became, with one member. Tables are in memory and, where they ask for it, in a disk store.
 * Its data are gone when it stops.
 */
export const snappydata: ServerKind = {
  id: 'local-snappydata',
  engine: 'drda',
  label: 'snappydata-store',
  missing: async () => missingJava(rowStoreServer),
  start: (folder, onActivity) => startRowStore(folder, onActivity),
};

/** The same with two members, each a process with a heap and a disk store of its own. Sessions are with the first. */
export const snappydataOfTwo: ServerKind = {
  ...snappydata,
  id: 'local-snappydata-two',
  label: 'snappydata-store, two members',
  byVersion: true,
  start: (folder, onActivity) => startRowStore(folder, onActivity, { members: 2 }),
};

/** Space for the logs and the catalog on disk; persistent tables need more. */
const leastFreeBytes = 200 * 1024 * 1024;
/** The size of a member’s heap, which holds all tables. */
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

/** A disk store otherwise reserves 2 GB of the disk at once. */
const growing = '-Dgemfire.preAllocateDisk=false';
/** Members are on one machine and know where to look, so they need not wait 5 s for the answers of others. */
const soonFound = ['-Dp2p.discoveryTimeout=500', '-Dp2p.joinTimeout=1500', '-Dp2p.gossipRefreshRate=500'];

/** Options; all but the members are for tests. */
export interface RowStoreWishes {
  /** The number of processes among which tables can be distributed. Default: 1. */
  readonly members?: 1 | 2;
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
  const [dataFolder, secondFolder] = [join(folder, 'snappydata'), join(folder, 'snappydata-2')];
  for (const each of [dataFolder, secondFolder]) {
    if (await stopOrphan(each)) onActivity('Stopped a snappydata-store that a crash had left running.');
    // Its users have other passwords at each start, and a member waits for one whose data were newer at its end.
    rmSync(each, { recursive: true, force: true });
  }
  onActivity('Starting snappydata-store.');
  // The product looks for modules here, and ignores those among its boot properties.
  const modules = join(folder, 'modules.properties');
  writeFileSync(modules, 'gemfirexd.module.dynoStatements=RowStoreStatements\n');
  chmodSync(modules, 0o644);
  const passwords = { owner: newPassword(), user: newPassword() };
  const boot = bootProperties(passwords, wishes);
  const startMember = (cwd: string, log: string, properties: Readonly<Record<string, string>>) =>
    startServerProcess({
      label: 'snappydata-store',
      file: java,
      args: [
        ...[heap, ...briefJava, '-Djava.awt.headless=true', growing, ...soonFound, ...opened],
        ...[`-Dgemfirexd.system.home=${cwd}`, `-Dgemfirexd.properties=${modules}`],
        ...['-cp', classPath, 'RowStoreServer'],
      ],
      cwd: accountFolder(cwd, account),
      env: serverEnvironment(),
      input: propertiesText({ ...boot, ...properties }),
      account,
      log,
      isReady: () => readFileSync(log, 'utf8').includes('ready to accept'),
      failed,
    });
  return onFreePort(async (port) => {
    const serves = { port: String(port), grants: grants().join('\n') };
    const process =
      wishes.members === 2
        ? await onFreePort(async (locator) => {
            const known = { 'bind-address': '127.0.0.1', locators: `127.0.0.1[${locator}]` };
            const first = await startMember(dataFolder, join(folder, 'server.log'), {
              ...{ ...serves, ...known },
              'start-locator': `127.0.0.1[${locator}]`,
            });
            onActivity('Starting its second member.');
            return together(first, () => startMember(secondFolder, join(folder, 'server-2.log'), known));
          })
        : await startMember(dataFolder, join(folder, 'server.log'), serves);
    const raw = { host: '127.0.0.1', port, database, user, password: passwords.user };
    const admin = { ...raw, user: owner, password: passwords.owner };
    return { ...process, raw, admin, port, dataFolder };
  });
}

/** Both members as one server: it is gone as soon as one of them is, and stopping it stops both. */
async function together(
  first: ServerProcess,
  startSecond: () => Promise<ServerProcess>,
): Promise<ServerProcess & Pick<RunningServer, 'memberPids'>> {
  try {
    const second = await startSecond();
    const stop = async () => void (await Promise.all([second.stop(), first.stop()]));
    const gone = Promise.race([first.gone, second.gone]);
    return { pid: first.pid, memberPids: [second.pid], gone, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await first.stop();
    throw error;
  }
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
  // Members are found at a locator; without one, the server neither looks for others nor listens for them.
  'mcast-port': '0',
  'log-level': 'warning',
  // A full heap is then an error (XCL54); by default the server collects garbage for ever.
  'critical-heap-percentage': '90',
  // Tables with LRUHEAPPERCENT evict nothing by default.
  'eviction-heap-percentage': '80',
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
