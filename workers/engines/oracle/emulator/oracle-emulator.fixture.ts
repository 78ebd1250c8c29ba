import { chmodSync, copyFileSync, existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPostgresWith, findPython, pythonPackage } from '#managed-servers/install/tools.ts';
import { accountFolder, type ServerAccount, serverHome } from '#managed-servers/process/account.ts';
import { onFreePort } from '#managed-servers/process/free-port.ts';
import { newPassword } from '#managed-servers/process/new-password.ts';
import { stopOrphan } from '#managed-servers/process/orphan.ts';
import { answers } from '#managed-servers/process/port-answers.ts';
import { programFor } from '#managed-servers/process/programs.ts';
import { serverError } from '#managed-servers/process/server-error.ts';
import type { Missing, RunningServer, ServerKind } from '#managed-servers/process/server-kind.ts';
import { type ServerProcess, serverEnvironment, startServerProcess } from '#managed-servers/process/server-process.ts';
import {
  type ClusterPasswords,
  ensureCluster,
  setPasswords,
  startCluster,
} from '#managed-servers/servers/postgres/postgres-cluster.ts';
import { DynoError } from '#model/error.ts';

const label = 'The Oracle protocol emulator';
const mirrorRole = 'mirror';

const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const launcherFiles = [fileBeside('oracle-emulator.py'), fileBeside('oracle-emulator.sql')] as const;

/**
 * A server for tests in the place of Oracle: PyPI seerdb's mirror, which speaks Oracle's protocol over a PostgreSQL of
 * its own with orafce. It is two processes; either one ends the other.
 */
export const oracleEmulator: ServerKind = {
  id: 'oracle-emulator',
  engine: 'oracle',
  label: 'Oracle protocol emulator (not Oracle)',
  missing: async () => missing(),
  start,
};

function missing(): Missing | null {
  if (process.platform === 'win32')
    return {
      what: 'The Oracle protocol emulator runs on Linux and macOS only.',
      fix: 'Name an Oracle database in DYNO_TEST_ORACLE.',
    };
  if (!findPostgresWith('orafce'))
    return {
      what: 'No PostgreSQL with the extension orafce is installed, over which the Oracle protocol emulator works.',
      fix: 'Install postgresql-NN and postgresql-NN-orafce, from the distribution or apt.postgresql.org.',
    };
  if (!findPython())
    return { what: 'Python 3 is not installed.', fix: 'Debian, Ubuntu: sudo apt-get install python3 python3-pip' };
  if (!pythonPackage('seerdb'))
    return { what: 'seerdb 3.3.0 (the emulator’s program) is not installed.', fix: 'dyno servers install seerdb' };
  return null;
}

async function start(wished: string, onActivity: (text: string) => void): Promise<RunningServer> {
  const [found, python, packages] = [findPostgresWith('orafce'), findPython('seerdb'), pythonPackage('seerdb')];
  const lack = missing();
  if (lack || !found || !python || !packages)
    throw new DynoError('unsupported', lack?.what ?? label, { hint: lack?.fix ?? null });
  const { account, folder } = serverHome(wished, label, onActivity);
  const mirrorFolder = accountFolder(join(folder, 'mirror'), account);
  const cluster = {
    label: 'the emulator’s PostgreSQL',
    programs: {
      initdb: join(found.bin, 'initdb'),
      postgres: join(found.bin, 'postgres'),
      version: String(found.major),
    },
    locale: ['--locale=C'],
    account,
  };
  const data = await ensureCluster(folder, cluster, onActivity);
  for (const orphan of [mirrorFolder, data])
    if (await stopOrphan(orphan))
      onActivity('Stopped a part of the Oracle protocol emulator that a crash had left running.');
  onActivity('Starting the Oracle protocol emulator.');
  // Owns the mirror's database and nothing else: statements that the mirror passes on run as this role.
  const grants = `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${mirrorRole}') THEN CREATE ROLE ${mirrorRole} LOGIN; END IF;`;
  const login = { user: mirrorRole, database: 'postgres', grants };
  const passwords = await setPasswords(data, cluster, login, onActivity);
  const log = join(folder, 'postgres.log');
  const { backend, backendPort } = await onFreePort(async (port) => ({
    backendPort: port,
    backend: await startCluster(data, cluster, port, { name: 'dyno-oracle', log }),
  }));
  try {
    const programs = {
      python: pythonFor(python, account, onActivity),
      packages: programFor(packages, packages, account, onActivity),
      launcher: copyLauncher(folder),
    };
    return await startMirror({ ...programs, account, folder, mirrorFolder, backend, backendPort, passwords, data });
  } catch (thrown) {
    await backend.stop();
    throw thrown;
  }
}

/** An interpreter of the user's own is copied with its library where the mirror's account cannot reach it. */
function pythonFor(python: string, account: ServerAccount | null, onActivity: (text: string) => void): string {
  const real = realpathSync(python);
  const prefix = dirname(dirname(real));
  const library = join(prefix, 'lib', basename(real), 'os.py');
  return existsSync(library)
    ? programFor(real, prefix, account, onActivity, 'site-packages')
    : programFor(python, null, account, onActivity);
}

/** The mirror's account may not be able to enter the folder of Dyno's own files. */
function copyLauncher(folder: string): string {
  for (const file of launcherFiles) {
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    chmodSync(copy, 0o644);
  }
  return join(folder, basename(launcherFiles[0]));
}

interface Mirror {
  readonly python: string;
  readonly packages: string;
  readonly launcher: string;
  readonly account: ServerAccount | null;
  readonly folder: string;
  readonly mirrorFolder: string;
  readonly backend: ServerProcess;
  readonly backendPort: number;
  readonly passwords: ClusterPasswords;
  readonly data: string;
}

function startMirror(mirror: Mirror): Promise<RunningServer> {
  const { python, packages, launcher, account, folder, mirrorFolder, backend, backendPort, passwords, data } = mirror;
  const password = newPassword();
  return onFreePort(async (port) => {
    // An answer shows that it is up: an answer from before its start has another author.
    if (await answers(port)) throw serverError(`${label} could not be started`, 'Address already in use');
    const server = await startServerProcess({
      label,
      file: python,
      args: [launcher, String(backendPort), String(port), mirrorRole],
      cwd: mirrorFolder,
      env: serverEnvironment({
        PYTHONPATH: packages,
        // A copy would look for its own library at the old place.
        ...(account && { LD_LIBRARY_PATH: join(dirname(dirname(python)), 'lib') }),
      }),
      input: `${passwords.admin}\n${passwords.user}\nDYNO:${password}\n`,
      account,
      log: join(folder, 'mirror.log'),
      isReady: () => answers(port),
    });
    const stop = async () => {
      await server.stop();
      await backend.stop();
    };
    const gone = Promise.race([server.gone, backend.gone]);
    void gone.then(stop);
    const raw = { host: '127.0.0.1', port, serviceName: 'dyno', user: 'dyno', password };
    // It has one user.
    return { raw, admin: raw, port, dataFolder: data, pid: server.pid, gone, stop, [Symbol.asyncDispose]: stop };
  });
}
