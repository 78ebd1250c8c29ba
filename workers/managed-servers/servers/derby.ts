import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { config } from '#engines/drda/config.ts';
import { descriptor } from '#engines/drda/descriptor.ts';
import { findJdk, type Jdk } from '../install/jdk.ts';
import { derbyOfSeries, derbyServer } from '../install/products/derby.ts';
import {
  classPathOf,
  installedJava,
  type JavaServer,
  missingJava,
  requireJava,
} from '../install/products/java-server.ts';
import { accountFolder, giveTo, serverHome } from '../process/account.ts';
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

const run = promisify(execFile);

/** Apache Derby's network server, which speaks DRDA. */
export const derby: ServerKind = { ...kindOf(derbyServer), id: 'local-derby', label: 'Apache Derby' };

/** Derby by its series, so that an experiment compares versions side by side; each has data of its own. */
export const derbyByVersion: readonly ServerKind[] = descriptor.builtIn.flatMap(({ target, label, version }) =>
  version === undefined || !target.startsWith('derby@')
    ? []
    : [{ ...kindOf(derbyOfSeries(version)), id: target, label, byVersion: true }],
);

function kindOf(server: JavaServer): Pick<ServerKind, 'engine' | 'missing' | 'installed' | 'start' | 'client'> {
  return {
    engine: 'drda',
    missing: async () => missingJava(server),
    installed: async () => installedJava(server),
    start: (folder, onActivity) => startDerby(folder, onActivity, {}, server),
    client: ({ port }, password) => ijCommand(server, Number(port), password),
  };
}

/** Space for system tables, the log and a starter experiment. */
const leastFreeBytes = 200 * 1024 * 1024;
const database = 'dyno';
const [owner, user] = ['owner', 'dyno'];
/** The page cache is 4 MiB by default; the rest is the server's own. */
const heap = '-Xmx512m';

/** Options for tests. */
export interface DerbyWishes {
  /** Users besides the database's owner and Dyno's, with their passwords. Their rights have to be granted. */
  readonly users?: Readonly<Record<string, string>>;
  /** The server's own properties: `derby.drda.maxThreads`… */
  readonly properties?: Readonly<Record<string, string>>;
  /** Accepts TLS connections only, with a certificate of its own (RunningDerby.certificate). */
  readonly tls?: boolean;
}

export interface RunningDerby extends RunningServer {
  /** PEM file of the server's certificate, for 127.0.0.1 and localhost. Null: there is no TLS. */
  readonly certificate: string | null;
}

export async function startDerby(
  wished: string,
  onActivity: (text: string) => void,
  wishes: DerbyWishes = {},
  server: JavaServer = derbyServer,
): Promise<RunningDerby> {
  const { jdk } = requireJava(server);
  const { account, folder } = serverHome(wished, 'Derby', onActivity);
  const { java, classPath } = javaProgram(server, account, onActivity);
  checkSpace(folder, 'Derby', leastFreeBytes);
  const dataFolder = accountFolder(join(folder, 'derby-data'), account);
  if (await stopOrphan(dataFolder)) onActivity('Stopped a Derby that a crash had left running.');
  // A database whose creation was interrupted is not complete.
  rmSync(join(dataFolder, `${database}.part`), { recursive: true, force: true });
  const isThere = existsSync(join(dataFolder, database));
  onActivity(isThere ? 'Starting Derby.' : 'Creating Derby’s database, and starting it.');
  const passwords = { owner: newPassword(), user: newPassword() };
  // Derby looks for modules here, and ignores those in a property of the process. The folder belongs to the server's
  // account, which must not choose what this process writes.
  const modules = join(dataFolder, 'derby.properties');
  rmSync(modules, { force: true });
  writeFileSync(modules, 'derby.module.dynoRoutines=DerbyRoutines\n', { mode: 0o600, flag: 'wx' });
  giveTo(account, modules);
  const tls = wishes.tls ? await makeCertificate(jdk, folder) : null;
  if (tls) giveTo(account, tls.store);
  const log = join(folder, 'server.log');
  return onFreePort(async (port) => {
    const process = await startServerProcess({
      label: 'Derby',
      file: java,
      args: [
        heap,
        ...briefJava,
        '-Djava.awt.headless=true',
        `-Dderby.system.home=${dataFolder}`,
        '-cp',
        classPath,
        'DerbyServer',
      ],
      cwd: dataFolder,
      env: serverEnvironment(),
      input: propertiesText({
        ...{ port: String(port), database, owner, password: passwords.owner, grants: grants().join('\n') },
        ...properties(passwords, wishes, tls),
      }),
      account,
      log,
      isReady: () => readFileSync(log, 'utf8').includes('ready to accept'),
      failed,
    });
    const own = { host: '127.0.0.1', port, database };
    const diagnostics = { diagnosticsUser: owner, diagnosticsPassword: passwords.owner };
    const raw = { ...own, user, password: passwords.user, ...diagnostics };
    const admin = { ...own, user: owner, password: passwords.owner };
    return { ...process, raw, admin, port, dataFolder, certificate: tls?.certificate ?? null };
  });
}

/** Everything except the login is Derby's default: durable commits, plain or substituted passwords. */
const properties = (
  passwords: { readonly owner: string; readonly user: string },
  wishes: DerbyWishes,
  tls: Tls | null,
): Readonly<Record<string, string>> => ({
  'derby.stream.error.field': 'java.lang.System.err',
  'derby.storage.useDefaultFilePermissions': 'false', // nobody else can read its files
  'derby.connection.requireAuthentication': 'true',
  'derby.authentication.provider': 'BUILTIN',
  'derby.database.sqlAuthorization': 'true', // without it every user may do everything
  ...prefixed('derby.user.', { ...wishes.users, [owner]: passwords.owner, [user]: passwords.user }),
  ...(tls && {
    'derby.drda.sslMode': 'basic',
    'javax.net.ssl.keyStore': tls.store,
    'javax.net.ssl.keyStorePassword': tls.password,
  }),
  ...wishes.properties,
});

/** Statements of experiments run as a user with the rights that dyno grants advises for a server of the user's own. */
const grants = (): readonly string[] =>
  sqlLines(config.grants(config.parse({ user, database, dialect: 'derby' })) ?? '');

interface Tls {
  readonly store: string;
  readonly password: string;
  readonly certificate: string;
}

async function makeCertificate(jdk: Jdk, folder: string): Promise<Tls> {
  const [store, certificate] = [join(folder, 'derby.p12'), join(folder, 'derby.pem')];
  for (const file of [store, certificate]) rmSync(file, { force: true });
  const password = newPassword();
  const keytool = (...args: readonly string[]) =>
    run(jdk.keytool, [...args, '-alias', 'dyno', '-keystore', store, '-storepass:env', 'STORE_PASSWORD'], {
      env: serverEnvironment({ STORE_PASSWORD: password }),
      windowsHide: true,
    });
  await keytool(
    ...['-genkeypair', '-keyalg', 'RSA', '-keysize', '2048', '-validity', '30', '-storetype', 'PKCS12'],
    ...['-dname', 'CN=localhost', '-ext', 'san=ip:127.0.0.1,dns:localhost'],
  );
  await keytool('-exportcert', '-rfc', '-file', certificate);
  return { store, password, certificate };
}

/** `ij` asks on the terminal, so the password comes to it by a pipe of its own. */
function ijCommand(server: JavaServer, port: number, password: string): string {
  const [java, classPath] = [findJdk(server.jdk)?.java ?? 'java', classPathOf(server) ?? 'derbyrun.jar'];
  const url = `jdbc:derby://127.0.0.1:${port}/${database}`;
  return `printf 'ij.user=${user}\\nij.password=%s\\n' "${password}" | '${java}' -cp '${classPath}' -Dderby.stream.error.file=/dev/null -Dij.database='${url}' org.apache.derby.tools.ij -p /dev/fd/3 3<&0 0</dev/tty`;
}

/**
 * SQLSTATEs of unreadable data (XSD…, XSLA…), of a database that does not start, and of a folder that is no database.
 */
const damaged = /ERROR (?:XS[DL]\w+|XJ040|XJ001|XBM0\w|XJ004|XBCX\w)/;

function failed(what: string, said: string): ReturnType<typeof serverError> {
  // Its log has stack traces and greetings; the launcher's own lines, if there are any, have the reason.
  const problems = said.split('\n').filter((line) => /^(?:ERROR |java\.|Error|Exception)|Could not listen/.test(line));
  return serverError(what, problems.join('\n') || said, damaged);
}
