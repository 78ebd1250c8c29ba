import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynoError } from '#contract/error.ts';
import type { Home } from '../paths.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureDataFolder, serverEnvironment, serverError, setPassword } from './data-folder.ts';
import { type ServerAccount, serverAccount, serverFolder, serverLog } from './places.ts';
import { readPostmasterFile, stopOrphan, stopServer } from './postmaster.ts';
import type { ServerAddress } from './protocol.ts';

/** A running embedded PostgreSQL. */
export interface Server {
  readonly address: ServerAddress;
  readonly pid: number;
  readonly dataFolder: string;
  /** Settles when the server is gone, for whatever reason. */
  readonly gone: Promise<void>;
  stop(): Promise<void>;
}

const startWithinMs = 60_000;
const attempts = 3;

/**
 * Starts PostgreSQL with its own defaults (fsync on), on 127.0.0.1 and a free port, with a fresh password. Creates the cluster
 * on first use and first stops a server left behind by a crash.
 */
export async function startServer(home: Home, say: (text: string) => void): Promise<Server> {
  const account = serverAccount();
  const folder = serverFolder(home, account);
  if (folder !== home.embedded)
    say(`PostgreSQL runs as “nobody” (it refuses to run as root); its data is in ${folder}.`);
  const binaries = findBinaries(folder, account, say);
  const data = await ensureDataFolder(folder, binaries, account, say);
  if (await stopOrphan(data)) say('Stopped an embedded PostgreSQL that a crash had left running.');
  const password = randomBytes(24).toString('base64url');
  await setPassword(data, binaries, account, password);
  say('Starting the embedded PostgreSQL.');
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(home, binaries, data, account, password);
    } catch (thrown) {
      const taken = thrown as DynoError;
      if (attempt === attempts || !taken.data?.retryable) throw thrown;
    }
  }
}

async function launch(
  home: Home,
  binaries: Binaries,
  data: string,
  account: ServerAccount | null,
  password: string,
): Promise<Server> {
  const port = await freePort();
  const log = openSync(serverLog(home), 'w', 0o600);
  const child = spawn(
    binaries.postgres,
    [
      '-D',
      data,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      '',
      '-c',
      'cluster_name=dyno',
      '-c',
      'max_connections=100',
    ],
    // A group of its own: Ctrl-C in the terminal must not reach the server before its users are done.
    { cwd: data, env: serverEnvironment(), stdio: ['ignore', log, log], detached: true, windowsHide: true, ...account },
  );
  closeSync(log);
  let running = true;
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      running = false;
      resolve();
    };
    child.on('error', end);
    child.on('exit', end);
  });
  for (let waited = 0; !isReady(data, child); waited += 20) {
    if (!running)
      throw serverError('The embedded PostgreSQL could not be started', readFileSync(serverLog(home), 'utf8'));
    if (waited > startWithinMs) {
      await stopServer(child.pid ?? 0, () => running);
      throw serverError(
        `The embedded PostgreSQL was not ready within ${startWithinMs / 1000} s`,
        readFileSync(serverLog(home), 'utf8'),
      );
    }
    await sleep(20);
  }
  const pid = child.pid ?? 0;
  const dismissGuard = guard(pid);
  void gone.then(dismissGuard);
  return {
    address: { host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' },
    pid,
    dataFolder: data,
    gone,
    stop: () => stopServer(pid, () => running),
  };
}

function isReady(data: string, child: ChildProcess): boolean {
  const file = readPostmasterFile(data);
  return file?.pid === child.pid && file?.ready === true;
}

/** Fast shutdown; after 20 s, if the server is still there, an immediate one. Looks often: a pid that is free may be given to a stranger. */
const guardScript = `read word && exit
kill -INT "$1"
for _ in $(seq 100); do
  sleep 0.2
  kill -0 "$1" || exit
done
kill -QUIT "$1"`;

/**
 * A shell that waits at the end of a pipe: when this process dies without a word (kill -9), it stops the server. Windows has no
 * shell for it; there the next start stops the orphan.
 */
function guard(pid: number): () => void {
  if (process.platform === 'win32') return () => {};
  const shell = spawn('/bin/sh', ['-c', guardScript, 'dyno-guard', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return () => shell.stdin.end('done\n');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
