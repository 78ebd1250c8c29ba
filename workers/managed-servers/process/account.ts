import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DynoError } from '#model/error.ts';
import { pathHash } from '#platform/paths.ts';

/** The account under which servers run if Dyno is root. It is spread into spawn's options. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** “nobody” if this process is root, else null: its own account. `label` names the server in the error. */
export function serverAccount(label: string): ServerAccount | null {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new DynoError('unsupported', `${label} does not run as root, and there is no account “nobody” for it.`, {
      hint: `Run Dyno as an ordinary user, or give your own ${label} server as a target.`,
    });
  return { uid: Number(uid), gid: Number(gid) };
}

/** The folder of a server, and the account under which it runs. */
interface ServerHome {
  readonly account: ServerAccount | null;
  readonly folder: string;
}

/** Finds the folder and the account, and reports them if they are not the user's own. `label` names the server. */
export function serverHome(wished: string, label: string, onActivity: (text: string) => void): ServerHome {
  const account = serverAccount(label);
  const folder = serverFolder(wished, account);
  if (account) onActivity(`${label} runs as “nobody”, because no server runs as root; its data is in ${folder}.`);
  return { account, folder };
}

/** True if another account can reach a path: every folder above it lets others pass. */
export function reachableByOthers(path: string): boolean {
  const parts = path.split(sep);
  return parts.every((_, index) => {
    const folder = parts.slice(0, index).join(sep) || sep;
    return (lstatSync(folder).mode & 0o001) !== 0;
  });
}

/**
 * A folder for a server's files that its account can reach: `folder` if possible, else a folder under /var/tmp that is
 * named after it. A missing folder is made. Refuses a folder under /var/tmp that somebody else has made.
 */
export function serverFolder(folder: string, account: ServerAccount | null): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account === null) return folder;
  const reachable = publicFolder(folder);
  if (reachable === folder) chmodSync(folder, 0o711);
  else ownFolder(reachable, 0o711);
  return reachable;
}

/** The folder that serverFolder() may use besides `folder`: only root's servers run under another account. */
export function publicFolder(folder: string): string {
  return process.getuid?.() !== 0 || reachableByOthers(folder) ? folder : join('/var/tmp', `dyno-${pathHash(folder)}`);
}

/** Gives paths to the account; nothing has to be done for the process's own account. */
export function giveTo(account: ServerAccount | null, ...paths: readonly string[]): void {
  if (account) for (const path of paths) lchownSync(path, account.uid, account.gid);
}

/**
 * A folder that only the server's account may enter; it is made if it is missing. Throws 'fileAccess' for a folder that
 * another account has filled: nothing in it is deleted or given away without a question.
 */
export function accountFolder(folder: string, account: ServerAccount | null): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account === null) return folder;
  const { uid } = lstatSync(folder);
  if (uid === account.uid) return folder;
  if (uid !== process.getuid?.() || readdirSync(folder).length > 0)
    throw new DynoError(
      'fileAccess',
      `${folder} belongs to another account than “nobody”, as which this server runs.`,
      {
        hint: '`dyno servers reset` deletes it, and the next start makes a new one. Or give it to that account: chown -R nobody.',
      },
    );
  giveTo(account, folder);
  return folder;
}

/** Makes a folder in a place where everybody may write, and checks that it belongs to this account. */
export function ownFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
  }
  refuseForeign(folder);
  chmodSync(folder, mode);
}

/** Throws 'fileAccess' for a folder that another account has made in a place where every account may write. */
export function refuseForeign(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found && (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())))
    throw new DynoError('fileAccess', `${folder} belongs to somebody else; Dyno does not use it.`, {
      hint: 'Remove it, or set DYNO_HOME to another folder.',
    });
}
