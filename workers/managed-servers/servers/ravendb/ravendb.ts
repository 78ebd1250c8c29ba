import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rightsOf } from '#engines/ravendb/grants.ts';
import { DynoError } from '#model/error.ts';
import { findRavenDb, ravenDbFolder, ravenDbVersion } from '../../install/ravendb-program.ts';
import { findProgram } from '../../install/tools.ts';
import { accountFolder, giveTo, serverHome } from '../../process/account.ts';
import { onFreePort } from '../../process/free-port.ts';
import { newPassword } from '../../process/new-password.ts';
import { stopOrphan } from '../../process/orphan.ts';
import { programFor } from '../../process/programs.ts';
import { checkSpace, serverError, wordsOf } from '../../process/server-error.ts';
import type { Missing, RunningServer, ServerKind } from '../../process/server-kind.ts';
import { serverEnvironment, startServerProcess } from '../../process/server-process.ts';
import { briefDotnet } from '../brief.ts';
import { type Certificate, makeCertificate } from './ravendb-certificate.ts';
import { order, withoutArmour } from './ravendb-request.ts';

/** RavenDB 7.2 of 2026. */
export const ravendb: ServerKind = {
  id: 'local-ravendb',
  engine: 'ravendb',
  label: 'RavenDB 7.2',
  missing: async () => missing(),
  start: (folder, onActivity) => startRavenDb(folder, onActivity),
  client: (raw, password) => curlCommand(raw, password),
};

function missing(): Missing | null {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return {
      what: 'RavenDB is started on Linux on x64 only',
      fix: 'Give a RavenDB server of your own as a target.',
    };
  if (!findRavenDb()) return { what: `There is no RavenDB ${ravenDbVersion}`, fix: '`dyno servers install ravendb`' };
  if (!findOpenssl())
    return {
      what: 'There is no openssl, which makes the certificate that protects it',
      fix: 'Debian, Ubuntu: sudo apt install openssl. Fedora: sudo dnf install openssl.',
    };
  return null;
}

/** OpenSSL's program; null where there is none. */
export const findOpenssl = (): string | null => findProgram(['openssl']);

/** Journals are made in advance, for the server's own database and each other one. */
const leastFreeBytes = 1_500 * 1024 * 1024;

/** Options for tests. */
interface RavenDbWishes {
  /** False: plain HTTP, open to everybody on this machine. */
  readonly secured?: boolean;
  /** More of the server's settings, by their names: `Memory.LowMemoryLimitInMb`… */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Secured, as servers are by RavenDB's own set-up: with certificates made on each start, the server's (who shows it is
 * the cluster's administrator) and the user's. Only their PKCS #12 files and the passwords of these open the server.
 */
export async function startRavenDb(
  wished: string,
  onActivity: (text: string) => void,
  wishes: RavenDbWishes = {},
): Promise<RunningServer> {
  const [program, openssl] = [findRavenDb(), findOpenssl()];
  if (!program || !openssl)
    throw new DynoError('unsupported', `RavenDB ${ravenDbVersion} or openssl is not installed.`, {
      hint: '`dyno servers status` says which, and what to do.',
    });
  const label = `RavenDB ${ravenDbVersion}`;
  const { account, folder } = serverHome(wished, 'RavenDB', onActivity);
  checkSpace(folder, label, leastFreeBytes);
  // The folder is that of this major version; the data of other ones stay as they are.
  const dataFolder = accountFolder(join(folder, `ravendb-${Number.parseInt(ravenDbVersion, 10)}`), account);
  const runnable = (path: string) => programFor(path, ravenDbFolder(), account, onActivity);
  const programs = { dotnet: runnable(program.dotnet), server: runnable(program.server) };
  if (await stopOrphan(dataFolder)) onActivity('Stopped a RavenDB that a crash had left running.');
  onActivity(`Starting ${label}.`);
  const inside = (name: string) => join(dataFolder, name);
  const secured = wishes.secured ?? true;
  const password = newPassword();
  const certificate = secured
    ? await makeCertificate(openssl, join(folder, 'certificate'), 'dyno-admin', password)
    : null;
  if (certificate) giveTo(account, join(folder, 'certificate'), certificate.pfx, certificate.pem);
  // Sockets for its console, and a store of certificates: made anew, as it does not clear them away.
  for (const name of ['tmp', 'home']) {
    rmSync(inside(name), { recursive: true, force: true });
    accountFolder(inside(name), account);
  }
  const settingsFile = join(folder, 'settings.json');
  const log = join(folder, 'server.log');
  try {
    return await onFreePort(async (port) => {
      const url = `${secured ? 'https' : 'http'}://127.0.0.1:${port}`;
      const settings = {
        ...always,
        ServerUrl: url,
        'Logs.Path': inside('logs'),
        // Packages are by default beside its programs.
        'Logs.NuGet.PackagesPath': inside('packages'),
        'Indexing.NuGetPackagesPath': inside('packages'),
        ...securityOf(certificate, password),
        ...wishes.settings,
      };
      writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
      giveTo(account, settingsFile);
      const process = await startServerProcess({
        label,
        file: programs.dotnet,
        // Its working folder becomes that of its program: stopOrphan() knows it by the path of its data.
        args: [
          programs.server,
          '--non-interactive',
          '--config-path',
          settingsFile,
          `--DataDir=${join(realpathSync(dataFolder), 'data')}`,
        ],
        cwd: dataFolder,
        env: serverEnvironment({
          ...environment,
          ...briefDotnet,
          HOME: inside('home'),
          TMPDIR: inside('tmp'),
          // The server calls itself, too, and has to trust its own certificate.
          ...(certificate && { SSL_CERT_FILE: certificate.pem }),
        }),
        account,
        log,
        isReady: () => readFileSync(log, 'utf8').includes('Server started, listening to requests'),
        failed,
      });
      const gone = process.gone.then(() => rmSync(inside('tmp'), { recursive: true, force: true }));
      if (!certificate) return { ...process, gone, raw: { url }, admin: { url }, port, dataFolder };
      const admin = { url, certificate: certificate.pfx, certificatePassword: password, ca: certificate.pem };
      try {
        return { ...process, gone, raw: await makeUser(admin, openssl, folder), admin, port, dataFolder };
      } catch (thrown) {
        await process.stop();
        throw failed(`${label} could not be set up`, wordsOf(thrown));
      }
    });
  } finally {
    // Holds the password, which nobody needs to find once the server has read it.
    rmSync(settingsFile, { force: true });
  }
}

const securityOf = (certificate: Certificate | null, password: string): Readonly<Record<string, string>> =>
  certificate
    ? { 'Security.Certificate.Path': certificate.pfx, 'Security.Certificate.Password': password }
    : { 'Security.UnsecuredAccessAllowed': 'PublicNetwork' }; // PrivateNetwork leaves 127.0.0.1 out

const [userName, database] = ['dyno-user', 'dyno'];

/** Makes a certificate for the user and lets it in; resolves with what it connects by. */
async function makeUser(admin: RunningServer['raw'], openssl: string, folder: string): Promise<RunningServer['raw']> {
  const certificatePassword = newPassword();
  const user = await makeCertificate(openssl, join(folder, 'user'), userName, certificatePassword);
  await letIn(admin, user);
  return { ...admin, certificate: user.pfx, certificatePassword };
}

/**
 * Registers the user's certificate instead of that of the last start, with those rights that a server of one's own for
 * tests alone is advised to give. A new server has to be a cluster before that, of one: its first database makes it
 * one.
 */
async function letIn(admin: RunningServer['raw'], { pem }: Certificate): Promise<void> {
  const { Databases: databases } = await order(admin, 'GET', '/databases?namesOnly=true');
  if (!(databases as readonly string[]).includes(database))
    await order(admin, 'PUT', `/admin/databases?name=${database}&replicationFactor=1`, { DatabaseName: database });
  const { Results: known } = await order(admin, 'GET', '/admin/certificates');
  for (const { Name: name, Thumbprint: thumbprint } of known as readonly Readonly<Record<string, string>>[])
    if (name === userName) await order(admin, 'DELETE', `/admin/certificates?thumbprint=${thumbprint}`);
  const rights = rightsOf(userName, database, 'Operator');
  await order(admin, 'PUT', '/admin/certificates', { ...rights, Certificate: withoutArmour(pem) });
}

/** Who has installed it has accepted the licence. Durability, memory and indexes have the product's defaults. */
const always: Readonly<Record<string, string>> = {
  'License.Eula.Accepted': 'true',
  'Setup.Mode': 'None',
  'ServerUrl.Tcp': 'tcp://127.0.0.1:0',
  'Updates.BackgroundChecks.Disable': 'true',
  'License.DisableAutoUpdate': 'true',
  'License.DisableAutoUpdateFromApi': 'true',
  'License.DisableLicenseSupportCheck': 'true',
  'License.SkipLeasingErrorsLogging': 'true',
};

const nowhere = 'http://127.0.0.1:9';
const environment: Readonly<Record<string, string>> = {
  // Its ICU is not on every machine.
  DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
  // Pipes in /tmp that other users see.
  DOTNET_EnableDiagnostics: '0',
  // RavenDB asks its maker about updates and licences: where a setting should miss one, a proxy that is not there stops
  // it.
  http_proxy: nowhere,
  https_proxy: nowhere,
  no_proxy: '127.0.0.1,localhost',
};

/** RavenDB's own client is the browser. curl reads the password from its standard input. */
function curlCommand({ url, certificate, ca }: RunningServer['raw'], password: string): string {
  const options = `--config - --cacert '${ca}' --cert-type P12 --cert '${certificate}'`;
  return `printf 'pass = "%s"' "${password}" | curl -sS ${options} ${url}/databases`;
}

const damaged =
  /Voron database is corrupted|Failed to load system storage|Invalid (?:hash|checksum|journal)|corrupted journal|schema version/i;

/** RavenDB prints a greeting first, and then each reason behind the one it led to, with its stack trace. */
function failed(what: string, said: string): DynoError {
  const problems = said
    .split('\n')
    .filter((line) => /Exception|shared libraries/.test(line) && !/^ +at |^ +--- /.test(line));
  const reasons = problems
    .flatMap((line) => line.split('---> '))
    .map((line) => line.trim().replace(/^[\w.]+Exception: /, ''))
    .filter(Boolean);
  return serverError(what, [...new Set(reasons)].join('\n') || said, damaged);
}
