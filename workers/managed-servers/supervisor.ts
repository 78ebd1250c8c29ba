import { rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorData, toErrorData } from '#model/error.ts';
import { type FileLock, tryLock } from '#platform/file-lock.ts';
import { ensureHome, homeOf } from '#platform/paths.ts';
import { removePasswordFile } from './connection-info.ts';
import { deleteData } from './delete-data.ts';
import { ownServer } from './own-server.ts';
import { makeSocketFolder, type Place, placeOf, supervisorToken } from './places.ts';
import type { RunningServer, ServerKind } from './process/server-kind.ts';
import { missingError, missingOf, requireKind } from './servers/kinds.ts';
import { type FromSupervisor, jsonLines, type SupervisorStatus, type ToSupervisor } from './supervisor-protocol.ts';

/**
 * The supervisor: a detached process that owns one kind of server of one home. Everybody who needs the server holds a
 * connection to the supervisor's socket; the operating system closes it however its holder ends. When the last one is
 * gone, the supervisor stops the server and leaves. A server of a run's own then loses its data. Arguments: the home,
 * the kind, and for a server of a run's own its name and parameters.
 */

/** The ms without users after which the supervisor leaves, so that two runs in a row do not restart the server. */
const lingerMs = 1_500;
/** A supervisor without a client by then was started for a process that died. */
const firstUserWithinMs = 20_000;

/** Waits while an earlier supervisor is leaving; gives up if one is at work, because its clients find it. */
async function becomeSupervisor({ lock, socket }: Place): Promise<FileLock | null> {
  for (;;) {
    const taken = tryLock(lock);
    if (taken) return taken;
    if (await answers(socket)) return null;
    await sleep(50);
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

class Supervisor {
  readonly #kind: ServerKind;
  readonly #place: Place;
  readonly #lock: FileLock;
  readonly #token: string;
  /** Connections that keep the server running, which are among the open ones. */
  readonly #holders = new Set<Socket>();
  readonly #open = new Set<Socket>();
  readonly #listener = createServer((socket) => this.#accept(socket));
  /** The steps since the start, for clients that join while it goes on. */
  readonly #activities: string[] = [];
  #starting: Promise<void> = Promise.resolve();
  #server: RunningServer | null = null;
  #failed: ErrorData | null = null;
  #stopping = false;
  #leaveTimer: NodeJS.Timeout | undefined;

  constructor(kind: ServerKind, place: Place, lock: FileLock) {
    this.#kind = kind;
    this.#place = place;
    this.#lock = lock;
    this.#token = supervisorToken(place);
  }

  /** Listens for clients and starts the server. */
  supervise(): void {
    // A killed supervisor has left these files. This one holds the lock, so nobody listens on that socket.
    removePasswordFile(home, this.#kind.id);
    makeSocketFolder(this.#place);
    this.#removeSocket();
    writeFileSync(this.#place.pid, String(process.pid), { mode: 0o600 });
    this.#listener.listen(this.#place.socket);
    this.#leaveIn(firstUserWithinMs);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void this.#leave());
    this.#starting = this.#start();
  }

  async #start(): Promise<void> {
    try {
      const missing = await missingOf(this.#kind);
      if (missing) throw missingError(this.#kind, missing);
      const { ofRun } = this.#kind;
      const note = (text: string) => {
        this.#activities.push(text);
        this.#tellHolders({ tell: 'activity', text });
      };
      const server = await this.#kind.start(this.#place.server, note, ofRun?.parameters);
      this.#server = server;
      this.#tellHolders(readyMessage(server));
      // If the server dies while it is used, there is nothing left to supervise: the next user gets a new supervisor.
      void server.gone.then(() => this.#leave());
    } catch (thrown) {
      this.#failed = withParameters(toErrorData(thrown), this.#kind);
      this.#tellHolders({ tell: 'failed', error: this.#failed });
      this.#leaveIn(lingerMs);
    }
  }

  #accept(socket: Socket): void {
    this.#open.add(socket);
    const receive = jsonLines(
      (value) => this.#answer(socket, value as ToSupervisor),
      () => socket.destroy(),
    );
    socket.setEncoding('utf8').on('data', receive);
    socket.on('error', () => {}); // 'close' follows.
    socket.on('close', () => {
      this.#open.delete(socket);
      if (this.#holders.delete(socket) && this.#holders.size === 0) this.#leaveIn(this.#failed ? 0 : lingerMs);
    });
  }

  #answer(socket: Socket, { token, ask }: ToSupervisor): void {
    if (token !== this.#token) {
      socket.destroy();
      return;
    }
    switch (ask) {
      case 'hold':
        this.#hold(socket);
        break;
      case 'status':
        send(socket, { tell: 'status', status: this.#status() });
        break;
      case 'stopIfAlone':
        if (this.#holders.size > 1) send(socket, { tell: 'inUse' });
        // The server will start again on the same data.
        else void this.#leave(socket, true);
        break;
      case 'stop':
        void this.#leave(socket);
    }
  }

  #hold(socket: Socket): void {
    // The client would get a server that is about to stop; without an answer it tries again.
    if (this.#stopping) {
      socket.destroy();
      return;
    }
    this.#holders.add(socket);
    clearTimeout(this.#leaveTimer);
    send(socket, { tell: 'held' });
    if (this.#failed) send(socket, { tell: 'failed', error: this.#failed });
    else if (this.#server) send(socket, readyMessage(this.#server));
    else for (const text of this.#activities) send(socket, { tell: 'activity', text });
  }

  #status(): SupervisorStatus {
    const server = this.#server;
    return {
      state: this.#stopping ? 'stopping' : this.#failed ? 'failed' : server ? 'ready' : 'starting',
      supervisorPid: process.pid,
      serverPid: server?.pid ?? null,
      port: server?.port ?? null,
      dataFolder: server?.dataFolder ?? this.#place.server,
      users: this.#holders.size,
    };
  }

  #leaveIn(ms: number): void {
    clearTimeout(this.#leaveTimer);
    this.#leaveTimer = setTimeout(() => void this.#leave(), ms);
  }

  /** Stops the server and this process; answers `asker` when the server is gone. */
  async #leave(asker: Socket | null = null, keepsData = false): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#listener.close();
    this.#removeSocket();
    await this.#starting; // The start is awaited, because a server must not be left half-started.
    await this.#server?.stop();
    removePasswordFile(home, this.#kind.id);
    if (asker) send(asker, { tell: 'stopped' });
    for (const socket of this.#open) socket.end();
    if (this.#kind.ofRun && !keepsData) await deleteData(this.#place).catch(() => {}); // A later run does it.
    this.#lock.release();
    setTimeout(() => process.exit(0), 50);
  }

  #tellHolders(message: FromSupervisor): void {
    for (const socket of this.#holders) send(socket, message);
  }

  #removeSocket(): void {
    if (process.platform !== 'win32') rmSync(this.#place.socket, { force: true });
  }
}

/** The error of a server with parameters: its data are new, so nothing else is likely to be wrong. */
function withParameters(error: ErrorData, { ofRun }: ServerKind): ErrorData {
  const words = Object.entries(ofRun?.parameters ?? {}).map(([name, value]) => `${name} = ${value}`);
  if (words.length === 0) return error;
  return {
    ...error,
    kind: 'badInput',
    hint: `It was to start with ${words.join(', ')}: see \`server\` of the experiment.`,
  };
}

const send = (socket: Socket, message: FromSupervisor): void => void socket.write(`${JSON.stringify(message)}\n`);

const readyMessage = ({ raw, port, dataFolder, pid, memberPids = [] }: RunningServer): FromSupervisor => ({
  tell: 'ready',
  raw,
  port,
  dataFolder,
  pids: [process.pid, pid, ...memberPids],
});

const home = homeOf({ DYNO_HOME: process.argv[2] });
const [, , , kind = '', id, parameters = '{}'] = process.argv;
const wanted = id === undefined ? requireKind(kind) : ownServer(requireKind(kind), id, JSON.parse(parameters));
ensureHome(home);
const place = placeOf(home, wanted.id);
const mine = await becomeSupervisor(place);
if (mine) new Supervisor(wanted, place, mine).supervise();
