import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { DynoError } from '#contract/error.ts';
import { type Home, pathHash } from '../paths.ts';

/** Longest path of a Unix socket that every system takes. */
const longestSocketPath = 100;

/** Where keeper and clients of one home meet: depends on the home alone, so that every user finds the same one. */
export function keeperSocket(home: Home): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\dyno-${pathHash(home.root)}`;
  const inside = join(home.embedded, 'keeper.sock');
  return inside.length <= longestSocketPath ? inside : join('/tmp', `dyno-${pathHash(home.root)}`, 'keeper.sock');
}

export const keeperLock = (home: Home): string => join(home.state, 'keeper.lock');
export const keeperLog = (home: Home): string => join(home.embedded, 'keeper.log');
export const serverLog = (home: Home): string => join(home.embedded, 'postgres.log');

/** A secret that only this user can read; clients show it to the keeper (a Windows pipe is open to others). */
export function keeperToken(home: Home): string {
  const file = join(home.embedded, 'keeper.token');
  mkdirSync(home.embedded, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
  }
  return readFileSync(file, 'utf8');
}

/** The account that PostgreSQL runs as where we are root, which it refuses; null: our own. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

export function serverAccount(): ServerAccount | null {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new DynoError(
      'unsupported',
      'PostgreSQL refuses to run as root, and there is no account “nobody” to run it as.',
      {
        hint: 'Run Dyno as an ordinary user, or give your own PostgreSQL server as a target.',
      },
    );
  return { uid: Number(uid), gid: Number(gid) };
}

/** Whether another account can reach a path: every folder above it lets others pass. */
export function reachableByOthers(path: string): boolean {
  const parts = path.split(sep);
  return parts.every((_, index) => {
    const folder = parts.slice(0, index).join(sep) || sep;
    return (lstatSync(folder).mode & 0o001) !== 0;
  });
}

/**
 * A folder for the server's files that its account can reach: inside the home where possible, else under /var/tmp, named after
 * the home. Refuses a folder there that somebody else has made.
 */
export function serverFolder(home: Home, account: ServerAccount | null): string {
  if (account === null) return home.embedded;
  if (reachableByOthers(join(home.embedded, 'x'))) return home.embedded;
  const folder = join('/var/tmp', `dyno-${pathHash(home.root)}`);
  ownFolder(folder, 0o711);
  return folder;
}

/** Makes a folder in a place that everybody may write to, and makes sure that it is ours. */
function ownFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
  }
  refuseForeign(folder);
  chmodSync(folder, mode);
}

function refuseForeign(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found && (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())))
    throw new DynoError('permission', `${folder} belongs to somebody else; Dyno does not use it.`, {
      hint: 'Remove it, or set DYNO_HOME to another folder.',
    });
}

/** Makes the folder of the socket. */
export function makeSocketFolder(socket: string): void {
  if (isPublic(socket)) ownFolder(dirname(socket), 0o700);
}

/** Before a client shows its token: whoever made the folder may be listening there. Throws 'permission'. */
export function checkSocketFolder(socket: string): void {
  if (isPublic(socket)) refuseForeign(dirname(socket));
}

const isPublic = (socket: string): boolean => process.platform !== 'win32' && socket.startsWith('/tmp/dyno-');
