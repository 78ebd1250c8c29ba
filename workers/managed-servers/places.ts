import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Home, pathHash } from '#platform/paths.ts';
import { ownFolder, refuseForeign } from './process/account.ts';

/** The longest path of a Unix socket that every system accepts. */
const longestSocketPath = 100;

/** The files of one kind of server, its supervisor and its clients, all below the home. */
export interface Place {
  readonly kind: string;
  readonly folder: string;
  /** ServerKind.start's folder. */
  readonly server: string;
  readonly lock: string;
  readonly log: string;
  /** The file with the process id of the supervisor that listens at the socket, while there is one. */
  readonly pid: string;
  /** The path depends only on home and kind, so that all clients find the same socket. */
  readonly socket: string;
}

export function placeOf(home: Home, kind: string): Place {
  const folder = join(home.embedded, kind);
  return {
    kind,
    folder,
    server: join(folder, 'server'),
    lock: join(home.state, `supervisor-${kind}.lock`),
    log: join(folder, 'supervisor.log'),
    pid: join(folder, 'supervisor.pid'),
    socket: socketIn(folder),
  };
}

function socketIn(folder: string): string {
  const hash = pathHash(folder);
  if (process.platform === 'win32') return `\\\\.\\pipe\\dyno-${hash}`;
  const inside = join(folder, 'supervisor.sock');
  return inside.length <= longestSocketPath ? inside : join('/tmp', `dyno-${hash}`, 'supervisor.sock');
}

/** A secret that only this user can read; clients show it to the supervisor (a Windows pipe is open to others). */
export function supervisorToken({ folder }: Place): string {
  const file = join(folder, 'supervisor.token');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    // The token is linked when it is complete: two clients may be the first at the same moment, and neither may read
    // half of it.
    const mine = `${file}.${process.pid}`;
    writeFileSync(mine, randomBytes(24).toString('hex'), { mode: 0o600 });
    try {
      linkSync(mine, file);
    } catch (thrown) {
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
    } finally {
      rmSync(mine);
    }
  }
  return readFileSync(file, 'utf8');
}

/** Makes the folder of the socket. */
export function makeSocketFolder({ socket }: Place): void {
  if (isPublic(socket)) ownFolder(dirname(socket), 0o700);
}

/** Removes the folder of the socket, if it is outside of the server's folder. */
export function removeSocketFolder({ socket }: Place): void {
  if (!isPublic(socket)) return;
  refuseForeign(dirname(socket));
  rmSync(dirname(socket), { recursive: true, force: true });
}

/** Throws 'fileAccess' if another account made the socket's folder: it may be listening for the client's token. */
export function checkSocketFolder({ socket }: Place): void {
  if (isPublic(socket)) refuseForeign(dirname(socket));
}

const isPublic = (socket: string): boolean => process.platform !== 'win32' && socket.startsWith('/tmp/dyno-');
