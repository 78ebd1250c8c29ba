import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynoError, fromErrorData } from '#model/error.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { isLocked, tryLock } from '#platform/file-lock.ts';
import { nodeProgram } from '#platform/node-program.ts';
import { ensureHome, type Home } from '#platform/paths.ts';
import { deleteServerData } from './delete-data.ts';
import { checkSocketFolder, type Place, placeOf, supervisorToken } from './places.ts';
import type { RunningServer, ServerKind } from './process/server-kind.ts';
import { type FromSupervisor, jsonLines, type SupervisorStatus, type ToSupervisor } from './supervisor-protocol.ts';

/** A managed server, kept running until it is released (or this process ends). */
export interface HeldServer extends AsyncDisposable {
  /** A target's configuration that reaches it while it is held, perhaps with a password. */
  readonly raw: RunningServer['raw'];
  readonly port: number;
  readonly dataFolder: string;
  /** Settles when the server is gone or released. */
  readonly gone: Promise<void>;
  release(): void;
}

/** Process ids of the servers, each with its supervisor, that this process holds. */
const held = new Set<readonly number[]>();

/** The ids of processes that work for managed servers of this Dyno; so do their children. */
export const heldServerPids = (): readonly number[] => [...held].flat();

interface HoldOptions {
  readonly onActivity?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** The ms after which a supervisor without an answer counts as hung. Default: {@link firstAnswerWithinMs}. */
  readonly firstAnswerWithinMs?: number;
}

const supervisorFile = fileURLToPath(new URL('supervisor.ts', import.meta.url));
const connectWithinMs = 90_000;
/** A supervisor reports at once that it is at work, but a busy machine may delay the report. */
const firstAnswerWithinMs = 20_000;
/** The ms between two messages of a supervisor that starts its server: a new one writes hundreds of files. */
const startWithinMs = 300_000;
const answerWithinMs = { status: 5_000, stop: 60_000, stopIfAlone: 60_000 };
/** Time for other users that hold a server only for a moment. */
const othersLeaveWithinMs = 5_000;

/** Starts this kind of server for this home, or joins the running one. Throws with advice if it cannot start. */
export async function holdServer(home: Home, kind: ServerKind, options: HoldOptions = {}): Promise<HeldServer> {
  ensureHome(home);
  const place = placeOf(home, kind.id);
  const token = supervisorToken(place);
  const deadline = performance.now() + connectWithinMs;
  let startedAt = Number.NEGATIVE_INFINITY;
  while (performance.now() < deadline) {
    if (options.signal?.aborted) throw cancelled(kind);
    const socket = await dial(place);
    if (socket) {
      const server = await hold({ kind, place, socket, token }, options);
      if (server) return server;
    } else if (performance.now() - startedAt > 5_000 && !isLocked(place.lock)) {
      startedAt = performance.now();
      startSupervisor(home, kind, place);
    }
    await sleep(25);
  }
  throw noAnswer(kind, place);
}

const cancelled = ({ label }: ServerKind) => new DynoError('cancelled', `Cancelled while ${label} was starting.`);

/** The error if the supervisor is hung, or something has stopped its process. It says how to continue it, or end it. */
function noAnswer({ label }: ServerKind, place: Place): DynoError {
  const pid = supervisorPid(place);
  const which =
    pid === null ? `the process that has “supervisor” and ${place.kind} in its command line` : `process ${pid}`;
  const named = pid ?? '<its id>';
  return new DynoError('timeout', `The supervisor of ${label} (${which}) does not answer.`, {
    hint:
      process.platform === 'win32'
        ? `End it, and its server ends with it: taskkill /F /PID ${named}. Then try again. Its log: ${place.log}.`
        : `If it was stopped, let it go on: kill -CONT ${named}. Else end it, and its server ends with it: kill -KILL ${named}. Then try again. Its log: ${place.log}.`,
  });
}

/** Null: no supervisor has written the file. */
function supervisorPid(place: Place): string | null {
  try {
    return readFileSync(place.pid, 'utf8');
  } catch {
    return null;
  }
}

/** Asks the supervisor for its status. Null: none runs. */
export async function supervisorStatus(home: Home, kind: ServerKind): Promise<SupervisorStatus | null> {
  const answer = await ask(placeOf(home, kind.id), 'status');
  return answer?.tell === 'status' ? answer.status : null;
}

/** Stops the server even while others use it. Returns true if one was running. */
export async function stopServer(home: Home, kind: ServerKind): Promise<boolean> {
  const place = placeOf(home, kind.id);
  const answer = await ask(place, 'stop');
  await supervisorGone(kind, place);
  return answer !== null;
}

async function supervisorGone(kind: ServerKind, place: Place, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + connectWithinMs;
  while (isLocked(place.lock)) {
    if (performance.now() > deadline) throw noAnswer(kind, place);
    await sleep(25, undefined, { signal });
  }
}

/** Stops the server for a user who holds it alone. Throws if others hold it, too, and do not release it soon. */
export async function stopOwnServer(home: Home, kind: ServerKind, signal: AbortSignal): Promise<void> {
  const place = placeOf(home, kind.id);
  const deadline = performance.now() + othersLeaveWithinMs;
  let answer = await ask(place, 'stopIfAlone', signal);
  while (answer?.tell === 'inUse' && performance.now() < deadline) {
    await sleep(100, undefined, { signal });
    answer = await ask(place, 'stopIfAlone', signal);
  }
  signal.throwIfAborted();
  if (answer?.tell === 'inUse')
    throw new DynoError('timeout', `${kind.label} was not restarted: somebody else uses it, too.`, {
      hint: `End the other run, or what \`dyno servers start\` keeps running: dyno servers stop ${kind.id}`,
    });
  if (answer?.tell !== 'stopped') throw noAnswer(kind, place);
  await supervisorGone(kind, place, signal);
}

/**
 * Deletes the server's data; its next start makes new data. Refuses while the server runs. Returns true if there were
 * data.
 */
export async function resetServer(home: Home, kind: ServerKind): Promise<boolean> {
  const place = placeOf(home, kind.id);
  if (!existsSync(place.folder)) return false;
  // The lock keeps every supervisor from starting a server whose data are being deleted.
  using lock = tryLock(place.lock);
  if (!lock)
    throw new DynoError('badInput', `${kind.label} is running.`, {
      hint: `Stop it first: dyno servers stop ${kind.id}`,
    });
  await deleteServerData(place);
  return true;
}

function startSupervisor(home: Home, { id, ofRun }: ServerKind, place: Place): void {
  const kindArguments = ofRun ? [ofRun.kind, id, JSON.stringify(ofRun.parameters)] : [id];
  const log = openSync(place.log, 'w', 0o600);
  const supervisor = spawn(nodeProgram(), [supervisorFile, home.root, ...kindArguments], {
    detached: true,
    cwd: home.root,
    stdio: ['ignore', log, log],
    env: childEnvironment(),
  });
  supervisor.on('error', () => {}); // The error shows as a missing answer.
  supervisor.unref();
  closeSync(log);
}

async function dial(place: Place): Promise<Socket | null> {
  checkSocketFolder(place);
  return new Promise((resolve) => {
    const socket = connect(place.socket, () => resolve(socket.setEncoding('utf8')));
    socket.on('error', () => resolve(null));
  });
}

const write = (socket: Socket, message: ToSupervisor) => socket.write(`${JSON.stringify(message)}\n`);

/** Holds the server over this connection. Null: the supervisor was just leaving, so the caller tries again. */
function hold(
  { kind, place, socket, token }: { kind: ServerKind; place: Place; socket: Socket; token: string },
  options: HoldOptions,
): Promise<HeldServer | null> {
  return new Promise((resolve, reject) => {
    const giveUp = (error: DynoError) => {
      reject(error);
      socket.destroy();
    };
    const abort = () => giveUp(cancelled(kind));
    const heard = () => options.signal?.removeEventListener('abort', abort);
    // The system accepts connections even for a hung supervisor.
    socket.setTimeout(options.firstAnswerWithinMs ?? firstAnswerWithinMs, () => giveUp(noAnswer(kind, place)));
    options.signal?.addEventListener('abort', abort, { once: true });
    const receive = (message: FromSupervisor) => {
      if (message.tell === 'held') socket.setTimeout(startWithinMs);
      if (message.tell === 'activity') options.onActivity?.(message.text);
      if (message.tell === 'failed') {
        socket.destroy();
        reject(fromErrorData(message.error));
      }
      if (message.tell === 'ready') {
        heard();
        socket.setTimeout(0);
        // From now on the held server does not keep this process alive: a process that is done may simply end.
        socket.unref();
        const release = () => void socket.destroy();
        const { raw, port, dataFolder, pids } = message;
        held.add(pids);
        void closed.promise.then(() => held.delete(pids));
        resolve({
          raw,
          port,
          dataFolder,
          gone: closed.promise,
          release,
          [Symbol.asyncDispose]: async () => release(),
        });
      }
    };
    socket.on(
      'data',
      jsonLines(
        (value) => receive(value as FromSupervisor),
        () => socket.destroy(),
      ),
    );
    const closed = Promise.withResolvers<void>();
    socket.on('close', () => {
      heard();
      closed.resolve();
      resolve(null);
    });
    write(socket, { token, ask: 'hold' });
  });
}

/** Sends one question to the supervisor. Null: none runs, or it does not answer in time. */
async function ask(
  place: Place,
  what: keyof typeof answerWithinMs,
  signal?: AbortSignal,
): Promise<FromSupervisor | null> {
  const socket = await dial(place);
  if (!socket) return null;
  return new Promise((resolve) => {
    const abort = () => void socket.destroy();
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    socket.on(
      'data',
      jsonLines(
        (value) => {
          resolve(value as FromSupervisor);
          socket.destroy();
        },
        () => socket.destroy(),
      ),
    );
    socket.setTimeout(answerWithinMs[what], () => socket.destroy());
    socket.on('close', () => {
      signal?.removeEventListener('abort', abort);
      resolve(null);
    });
    write(socket, { token: supervisorToken(place), ask: what });
  });
}
