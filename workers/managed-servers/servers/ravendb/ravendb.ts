import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rightsOf } from '#engines/ravendb/grants.ts';
import { DynoError } from '#model/error.ts';
import { findRavenDb, ravenDbFolder, ravenDbVersion } from '../../install/ravendb-program.ts';
import { accountFolder, giveTo, serverHome } from '../../process/account.ts';
import { onFreePort } from '../../process/free-port.ts';
import { newPassword } from '../../process/new-password.ts';
import { stopOrphan } from '../../process/orphan.ts';
import { programFor } from '../../process/programs.ts';
import { checkSpace, serverError, wordsOf } from '../../process/server-error.ts';
import type { Missing, RunningServer, ServerKind } from '../../process/server-kind.ts';
import { serverEnvironment, startServerProcess } from '../../process/server-process.ts';
import { briefDotnet } from '../brief.ts';
import { findOpenssl } from '../server-certificate.ts';
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

/** OpenSSL's program. Null: there is none. */

/** Space for journals, which are made in advance for the server's own database and for each other one. */
const leastFreeBytes = 1_500 * 1024 * 1024;

/** Options for tests. */
interface RavenDbWishes {
  /** False: plain HTTP, open to everybody on this machine. */
  readonly secured?: boolean;
  /** More of the server's settings by name: `Memory.LowMemoryLimitInMb`… */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * The server is secured as RavenDB's own set-up does it, with certificates that are new on each start: the server's
 * (whoever shows it is the cluster's administrator) and the user's. Only their PKCS #12 files and passwords open the
 * server.
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
  // The folder belongs to this major version; data of other versions stay as they are.
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
  // Sockets for its console, and a store of certificates, are removed here, because the server does not clear them
  // away.
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
        // Its working folder becomes that of its program, so stopOrphan() recognises it by the path of its data.
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
          // The server also calls itself, and has to trust its own certificate.
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
    // The file holds the password, which nobody needs after the server has read it.
    rmSync(settingsFile, { force: true });
  }
}

const securityOf = (certificate: Certificate | null, password: string): Readonly<Record<string, string>> =>
  certificate
    ? { 'Security.Certificate.Path': certificate.pfx, 'Security.Certificate.Password': password }
    : { 'Security.UnsecuredAccessAllowed': 'PublicNetwork' }; // PrivateNetwork does not include 127.0.0.1

const [userName, database] = ['dyno-user', 'dyno'];

/** Makes a certificate for the user and registers it; resolves with the user's configuration. */
async function makeUser(admin: RunningServer['raw'], openssl: string, folder: string): Promise<RunningServer['raw']> {
  const certificatePassword = newPassword();
  const user = await makeCertificate(openssl, join(folder, 'user'), userName, certificatePassword);
  await letIn(admin, user);
  return { ...admin, certificate: user.pfx, certificatePassword };
}

/**
 * Registers the user's certificate in place of the previous one, with the rights that dyno grants advises for a server
 * that is used for tests alone. A new server first has to become a cluster of one, which its first database does.
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

/** Whoever installed it has accepted the licence. Durability, memory and indexes have the product's defaults. */
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
  // Not every machine has the ICU that .NET needs.
  DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
  // Diagnostics use pipes in /tmp that other users see.
  DOTNET_EnableDiagnostics: '0',
  // RavenDB asks its maker about updates and licences. If a setting fails to stop a request, a proxy that does not
  // exist does.
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

/** RavenDB prints a greeting first, then each error behind the one that it caused, with its stack trace. */
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
