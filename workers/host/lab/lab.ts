import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynoError, fromErrorData } from '#contract/error.ts';
import { childEnvironment } from '../child-environment.ts';
import { isLocked, tryLock } from '../file-lock.ts';
import { ensureHome, type Home } from '../paths.ts';
import { dataFolders, deleteDataFolder } from './data-folder.ts';
import {
  checkSocketFolder,
  keeperLock,
  keeperLog,
  keeperSocket,
  keeperToken,
  serverAccount,
  serverFolder,
} from './places.ts';
import { stopOrphan } from './postmaster.ts';
import { type FromKeeper, jsonLines, type LabStatus, type ServerAddress, type ToKeeper } from './protocol.ts';

/** The embedded PostgreSQL, kept running until it is released (or this process ends). */
export interface HeldServer extends AsyncDisposable {
  readonly address: ServerAddress;
  release(): void;
}

export interface HoldOptions {
  readonly onActivity?: (text: string) => void;
  readonly signal?: AbortSignal;
}

const cancelled = () => new DynoError('cancelled', 'Cancelled while the embedded PostgreSQL was starting.');

const keeperFile = fileURLToPath(new URL('keeper.ts', import.meta.url));
const connectWithinMs = 90_000;
const answerWithinMs = { status: 5_000, stop: 60_000 };

/** Starts the embedded PostgreSQL of this home, or joins the one that runs. Throws with advice where it cannot start. */
export async function holdEmbeddedPostgres(home: Home, options: HoldOptions = {}): Promise<HeldServer> {
  ensureHome(home);
  const token = keeperToken(home);
  const deadline = performance.now() + connectWithinMs;
  let startedAt = Number.NEGATIVE_INFINITY;
  while (performance.now() < deadline) {
    if (options.signal?.aborted) throw cancelled();
    const socket = await dial(home);
    if (socket) {
      const held = await hold(home, socket, token, options);
      if (held) return held;
    } else if (performance.now() - startedAt > 5_000 && !isLocked(keeperLock(home))) {
      startedAt = performance.now();
      startKeeper(home);
    }
    await sleep(25);
  }
  throw noAnswer(home);
}

const noAnswer = (home: Home): DynoError =>
  new DynoError('timeout', 'The keeper of the embedded PostgreSQL does not answer.', {
    hint: `End the process that has keeper.ts in its command line, then try again. Its log: ${keeperLog(home)}.`,
  });

/** Null where no keeper runs. */
export async function labStatus(home: Home): Promise<LabStatus | null> {
  const answer = await ask(home, 'status');
  return answer?.tell === 'status' ? answer.status : null;
}

/** Stops the server under all its users. Returns whether one was running. */
export async function stopLab(home: Home): Promise<boolean> {
  const answer = await ask(home, 'stop');
  const deadline = performance.now() + connectWithinMs;
  while (isLocked(keeperLock(home))) {
    if (performance.now() > deadline) throw noAnswer(home);
    await sleep(25);
  }
  return answer !== null;
}

/** Deletes the embedded PostgreSQL's data; the next use makes a new one. Refuses while it runs. */
export async function resetLab(home: Home): Promise<void> {
  // While it is held no keeper can start a server on what is being deleted.
  using lock = tryLock(keeperLock(home));
  if (!lock)
    throw new DynoError('badInput', 'The embedded PostgreSQL is running.', { hint: 'Stop it first: `dyno lab stop`.' });
  const folder = serverFolder(home, serverAccount());
  for (const data of dataFolders(folder)) await stopOrphan(data);
  if (folder === home.embedded) deleteDataFolder(folder);
  else rmSync(folder, { recursive: true, force: true });
}

function startKeeper(home: Home): void {
  const log = openSync(keeperLog(home), 'w', 0o600);
  const keeper = spawn(process.execPath, [keeperFile, home.root], {
    detached: true,
    cwd: home.root,
    stdio: ['ignore', log, log],
    env: childEnvironment(),
  });
  keeper.on('error', () => {}); // Shows as no answer.
  keeper.unref();
  closeSync(log);
}

async function dial(home: Home): Promise<Socket | null> {
  const path = keeperSocket(home);
  checkSocketFolder(path);
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket.setEncoding('utf8')));
    socket.on('error', () => resolve(null));
  });
}

const write = (socket: Socket, message: ToKeeper) => socket.write(`${JSON.stringify(message)}\n`);

/** Null where the keeper was just leaving: try again. */
function hold(home: Home, socket: Socket, token: string, options: HoldOptions): Promise<HeldServer | null> {
  return new Promise((resolve, reject) => {
    const giveUp = (error: DynoError) => {
      reject(error);
      socket.destroy();
    };
    const abort = () => giveUp(cancelled());
    // A keeper that hangs still has its connections accepted, by the system.
    socket.setTimeout(connectWithinMs, () => giveUp(noAnswer(home)));
    options.signal?.addEventListener('abort', abort, { once: true });
    const receive = (message: FromKeeper) => {
      if (message.tell === 'activity') options.onActivity?.(message.text);
      if (message.tell === 'failed') {
        socket.destroy();
        reject(fromErrorData(message.error));
      }
      if (message.tell === 'ready') {
        options.signal?.removeEventListener('abort', abort);
        socket.setTimeout(0);
        // From here on, holding the server must not hold this process: whoever is done may simply end.
        socket.unref();
        const release = () => void socket.destroy();
        resolve({
          address: message.address,
          release,
          [Symbol.asyncDispose]: async () => release(),
        });
      }
    };
    socket.on(
      'data',
      jsonLines((value) => receive(value as FromKeeper)),
    );
    socket.on('close', () => resolve(null));
    write(socket, { token, ask: 'hold' });
  });
}

async function ask(home: Home, what: 'status' | 'stop'): Promise<FromKeeper | null> {
  const socket = await dial(home);
  if (!socket) return null;
  return new Promise((resolve) => {
    socket.on(
      'data',
      jsonLines((value) => {
        resolve(value as FromKeeper);
        socket.destroy();
      }),
    );
    socket.setTimeout(answerWithinMs[what], () => socket.destroy());
    socket.on('close', () => resolve(null));
    write(socket, { token: keeperToken(home), ask: what });
  });
}
