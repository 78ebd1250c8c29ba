import { existsSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorData, toErrorData } from '#contract/error.ts';
import { type FileLock, tryLock } from '../file-lock.ts';
import { ensureHome, homeOf } from '../paths.ts';
import { removePasswordFile } from './connection-info.ts';
import { missingError, missingOf, requireKind } from './kinds.ts';
import { makeSocketFolder, type Place, placeOf, supervisorToken } from './places.ts';
import type { RunningServer, ServerKind } from './server-kind.ts';
import { type FromSupervisor, jsonLines, type ToSupervisor } from './supervisor-protocol.ts';

/**
 * The supervisor: a detached process that owns one kind of server of one home. Everybody who needs the server holds a connection to
 * the supervisor's socket; the operating system closes it however its holder ends. When the last one is gone, the supervisor stops
 * the server and leaves. Arguments: the home, the kind.
 */

/** Keeps two runs in a row from stopping and starting the server between them. */
const lingerMs = 1_500;
/** A supervisor that nobody has spoken to by then was started for somebody who died. */
const firstUserWithinMs = 20_000;

const home = homeOf({ DYNO_HOME: process.argv[2] });
const wanted = requireKind(process.argv[3] ?? '');
ensureHome(home);
const place = placeOf(home, wanted.id);
const mine = await becomeSupervisor(place);
if (mine) supervise(wanted, place, mine);

/** Waits while an earlier supervisor is leaving; gives up where one is at work (its clients find it). */
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

function supervise(kind: ServerKind, where: Place, held: FileLock): void {
  const token = supervisorToken(where);
  const holders = new Set<Socket>();
  const open = new Set<Socket>();
  /** What has been done since the start, for those who join while it goes on. */
  const said: string[] = [];
  let server: RunningServer | null = null;
  let failed: ErrorData | null = null;
  let stopping = false;
  let timer: NodeJS.Timeout | null = null;

  const send = (socket: Socket, message: FromSupervisor) => socket.write(`${JSON.stringify(message)}\n`);
  const sendReady = (socket: Socket, { raw, port, dataFolder }: RunningServer) =>
    send(socket, { tell: 'ready', raw, port, dataFolder });
  const leaveIn = (ms: number) => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => void leave(), ms);
  };

  const listener = createServer((socket) => {
    open.add(socket);
    socket.setEncoding('utf8').on(
      'data',
      jsonLines((value) => answer(socket, value as ToSupervisor)),
    );
    socket.on('error', () => {}); // 'close' follows.
    socket.on('close', () => {
      open.delete(socket);
      if (holders.delete(socket) && holders.size === 0) leaveIn(failed ? 0 : lingerMs);
    });
  });

  function answer(socket: Socket, message: ToSupervisor): void {
    if (message.token !== token) {
      socket.destroy();
      return;
    }
    switch (message.ask) {
      case 'hold':
        // It would get a server that is about to go; without an answer it tries again.
        if (stopping) return void socket.destroy();
        holders.add(socket);
        if (timer) clearTimeout(timer);
        if (failed) send(socket, { tell: 'failed', error: failed });
        else if (server) sendReady(socket, server);
        else for (const text of said) send(socket, { tell: 'activity', text });
        return;
      case 'status':
        return void send(socket, {
          tell: 'status',
          status: {
            state: stopping ? 'stopping' : failed ? 'failed' : server ? 'ready' : 'starting',
            supervisorPid: process.pid,
            serverPid: server?.pid ?? null,
            port: server?.port ?? null,
            dataFolder: server?.dataFolder ?? where.server,
            users: holders.size,
          },
        });
      case 'stopIfAlone':
        return void (holders.size > 1 ? send(socket, { tell: 'inUse' }) : leave(socket));
      case 'stop':
        void leave(socket);
    }
  }

  async function leave(asker: Socket | null = null): Promise<void> {
    if (stopping) return;
    stopping = true;
    listener.close();
    if (process.platform !== 'win32') rmSync(where.socket, { force: true });
    await started; // A server must not be left half-way through its start.
    await server?.stop();
    removePasswordFile(home, kind.id);
    if (asker) send(asker, { tell: 'stopped' });
    for (const socket of open) socket.end();
    held.release();
    setTimeout(() => process.exit(0), 50);
  }

  removePasswordFile(home, kind.id); // of a supervisor that was killed
  makeSocketFolder(where);
  if (process.platform !== 'win32' && existsSync(where.socket)) rmSync(where.socket); // We hold the lock: whoever listened there is dead.
  listener.listen(where.socket);
  leaveIn(firstUserWithinMs);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void leave());

  const started = startKind((text) => {
    said.push(text);
    for (const socket of holders) send(socket, { tell: 'activity', text });
  }).then(
    (ready) => {
      server = ready;
      for (const socket of holders) sendReady(socket, ready);
      // A server that dies under its users leaves nothing to keep: the next user gets a new supervisor.
      void ready.gone.then(() => leave());
    },
    (thrown: unknown) => {
      failed = toErrorData(thrown);
      for (const socket of holders) send(socket, { tell: 'failed', error: failed });
      leaveIn(lingerMs);
    },
  );

  async function startKind(onActivity: (text: string) => void): Promise<RunningServer> {
    const missing = await missingOf(kind);
    if (missing) throw missingError(kind, missing);
    return kind.start(where.server, onActivity);
  }
}
