import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DynoError } from '#contract/error.ts';
import { giveTo, type ServerAccount, serverAccount, serverFolder } from '../account.ts';
import { onFreePort } from '../free-port.ts';
import { stopOrphan } from '../orphan.ts';
import { checkSpace, serverError, wordsOf } from '../server-error.ts';
import type { Missing, RunningServer, ServerKind } from '../server-kind.ts';
import { type ServerProcess, serverEnvironment, startServerProcess } from '../server-process.ts';
import { findPostgresWith, findPython, pythonPackage } from '../tools.ts';
import { postgresSignals } from './postgres.ts';
import { clusterIsReady, setPassword } from './postgres-cluster.ts';

const run = promisify(execFile);
const label = 'The Oracle stand-in';

/** Space that a fresh cluster and a starter experiment need. */
const leastFreeBytes = 300 * 1024 * 1024;

const launcher = fileURLToPath(new URL('oracle-stand-in.py', import.meta.url));

/**
 * Not Oracle: PyPI seerdb's mirror, which speaks Oracle's protocol over a PostgreSQL of its own with orafce. Two processes; either takes the
 * other along.
 */
export const oracleStandIn: ServerKind = {
  id: 'oracle-stand-in',
  engine: 'oracle',
  label: 'Oracle stand-in (seerdb over PostgreSQL)',
  missing: async () => missing(),
  start,
};

function missing(): Missing | null {
  if (process.platform === 'win32')
    return { what: 'The Oracle stand-in runs on Linux and macOS only.', fix: 'Give an Oracle database as a target.' };
  if (!findPostgresWith('orafce'))
    return {
      what: 'No PostgreSQL with the extension orafce is installed, over which the Oracle stand-in works.',
      fix: 'Debian 12: sudo apt-get install postgresql-15 postgresql-15-orafce. Elsewhere: postgresql-NN and postgresql-NN-orafce, from apt.postgresql.org or yum.postgresql.org.',
    };
  if (!findPython())
    return { what: 'Python 3 is not installed.', fix: 'Debian, Ubuntu: sudo apt-get install python3 python3-pip' };
  if (!pythonPackage('seerdb'))
    return { what: 'seerdb 3.3.0 (the stand-in’s program) is not installed.', fix: 'dyno lab install seerdb' };
  return null;
}

async function start(wished: string, say: (text: string) => void): Promise<RunningServer> {
  const [found, python, packages] = [findPostgresWith('orafce'), findPython('seerdb'), pythonPackage('seerdb')];
  const lack = missing();
  if (lack || !found || !python || !packages)
    throw new DynoError('unsupported', lack?.what ?? label, { hint: lack?.fix ?? null });
  // PostgreSQL refuses root; the mirror runs as we do: its packages are in our own cache folder.
  const account = serverAccount('PostgreSQL');
  const folder = serverFolder(wished, account);
  if (folder !== wished) say(`The stand-in’s PostgreSQL runs as “nobody” (it refuses root); its data is in ${folder}.`);
  const mirrorFolder = join(wished, 'mirror');
  mkdirSync(mirrorFolder, { recursive: true, mode: 0o700 });
  const data = await ensureCluster(folder, found, account, say);
  for (const orphan of [mirrorFolder, data])
    if (await stopOrphan(orphan)) say('Stopped a part of the Oracle stand-in that a crash had left running.');
  say('Starting the Oracle stand-in.');
  const password = randomBytes(24).toString('base64url');
  const programs = {
    initdb: join(found.bin, 'initdb'),
    postgres: join(found.bin, 'postgres'),
    version: String(found.major),
  };
  await setPassword(data, programs, account, password);
  const { server: backend, port: backendPort } = await startPostgres(programs.postgres, data, folder, account);
  try {
    return await startMirror({ python, packages, mirrorFolder, backend, backendPort, password, data });
  } catch (thrown) {
    await backend.stop();
    throw thrown;
  }
}

/** Created by initdb on first use, in a folder of its own that is renamed when complete. */
async function ensureCluster(
  folder: string,
  { bin, major }: { readonly bin: string; readonly major: number },
  account: ServerAccount | null,
  say: (text: string) => void,
): Promise<string> {
  const home = join(folder, `postgres-${major}`);
  const data = join(home, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return data;
  say('Creating the stand-in’s PostgreSQL (once, a few seconds).');
  checkSpace(folder, 'PostgreSQL', leastFreeBytes);
  const half = mkdtempSync(join(folder, 'initdb-'));
  try {
    const passwordFile = join(half, 'password');
    writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
    giveTo(account, half, passwordFile);
    await run(
      join(bin, 'initdb'),
      [
        ...['-D', join(half, 'data'), '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
        ...['-E', 'UTF8', '--locale=C', '--no-instructions'],
      ],
      { cwd: half, env: serverEnvironment(), ...account },
    );
    rmSync(passwordFile);
    rmSync(home, { recursive: true, force: true });
    renameSync(half, home);
    return data;
  } catch (thrown) {
    rmSync(half, { recursive: true, force: true });
    throw serverError('The stand-in’s PostgreSQL could not be created', wordsOf(thrown));
  }
}

const startPostgres = (file: string, data: string, folder: string, account: ServerAccount | null) =>
  onFreePort(async (port) => ({
    port,
    server: await startServerProcess({
      label: 'The stand-in’s PostgreSQL',
      file,
      args: [
        ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''],
        ...['-c', 'cluster_name=dyno-oracle', '-c', 'max_connections=100'],
      ],
      cwd: data,
      env: serverEnvironment(),
      account,
      log: join(folder, 'postgres.log'),
      isReady: (pid) => clusterIsReady(data, pid),
      signals: postgresSignals,
    }),
  }));

interface Mirror {
  readonly python: string;
  readonly packages: string;
  readonly mirrorFolder: string;
  readonly backend: ServerProcess;
  readonly backendPort: number;
  readonly password: string;
  readonly data: string;
}

function startMirror(mirror: Mirror): Promise<RunningServer> {
  const { python, packages, mirrorFolder, backend, backendPort, data } = mirror;
  const password = randomBytes(24).toString('base64url');
  return onFreePort(async (port) => {
    const server = await startServerProcess({
      label,
      file: python,
      args: [launcher, String(backendPort), String(port)],
      cwd: mirrorFolder,
      env: serverEnvironment({ PYTHONPATH: packages }),
      input: `${mirror.password}\nDYNO:${password}\n`,
      account: null,
      log: join(mirrorFolder, 'mirror.log'),
      isReady: () => accepts(port),
    });
    const stop = async () => {
      await server.stop();
      await backend.stop();
    };
    const gone = Promise.race([server.gone, backend.gone]);
    void gone.then(stop);
    return {
      raw: { host: '127.0.0.1', port, serviceName: 'dyno', user: 'dyno', password },
      port,
      pid: server.pid,
      dataFolder: data,
      gone,
      stop,
    };
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.on('error', () => end(false));
    socket.on('connect', () => end(true));
  });
}
