import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { DynoError } from '#model/error.ts';
import { pathHash } from '#platform/paths.ts';
import { ownFolder, reachableByOthers, type ServerAccount } from './account.ts';

/**
 * The path of a program where the server's account can run it: `path` itself, or its copy in a copy of `root`, the
 * folder with everything that the program needs. The copy is root's own, below /var/tmp, and serves all homes. If
 * `root` is null, the program belongs to the system or the user, and Dyno copies nothing. Files and folders named
 * `leftOut` are not copied.
 * @throws DynoError 'unsupported' if the account cannot reach a program of the user's own.
 */
export function programFor(
  path: string,
  root: string | null,
  account: ServerAccount | null,
  onActivity: (text: string) => void,
  leftOut?: string,
): string {
  if (account === null || (reachableByOthers(path) && isOpen(root ?? path))) return path;
  if (root === null || !isWithin(path, root))
    throw new DynoError(
      'unsupported',
      `The account “nobody”, as which servers run where Dyno is root, cannot reach ${path}.`,
      {
        hint: 'Put it where every account can run it, such as /usr/local, or run Dyno as an ordinary user.',
      },
    );
  const parent = join('/var/tmp', `dyno-${pathHash(root)}`);
  ownFolder(parent, 0o755);
  const copy = join(parent, basename(root));
  if (!isComplete(root, copy, leftOut)) {
    onActivity(`Copying ${root} to ${copy}, where it can run as “nobody”, because no server runs as root.`);
    replaceCopy(root, parent, copy, leftOut);
  }
  return join(copy, relative(root, path));
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);

const isOpen = (path: string): boolean => (lstatSync(path).mode & 0o005) === 0o005;

function replaceCopy(root: string, parent: string, copy: string, leftOut?: string): void {
  const half = mkdtempSync(join(parent, 'part-'));
  try {
    copyOpenly(root, join(half, 'copy'), leftOut);
    // Another process of Dyno may have made the same copy meanwhile, and may run programs in it.
    if (isComplete(root, copy, leftOut)) return;
    rmSync(copy, { recursive: true, force: true });
    renameSync(join(half, 'copy'), copy);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

const namesIn = (folder: string, leftOut: string | undefined): readonly string[] =>
  readdirSync(folder).filter((name) => name !== leftOut);

/** Copies a tree so that every account can read it; files on the same disk that are already readable become links. */
function copyOpenly(from: string, to: string, leftOut?: string): void {
  const found = lstatSync(from);
  if (found.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (found.isDirectory()) {
    mkdirSync(to);
    chmodSync(to, 0o755);
    for (const name of namesIn(from, leftOut)) copyOpenly(join(from, name), join(to, name), leftOut);
  } else if (found.isFile()) {
    if ((found.mode & 0o044) === 0o044 && isLinked(from, to)) return;
    copyFileSync(from, to);
    chmodSync(to, 0o444 | (found.mode & 0o111 ? 0o111 : 0));
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false; // It is another disk, or one without links.
  }
}

/** True if a copy has every file with its size: the system deletes old files below /var/tmp. */
function isComplete(from: string, to: string, leftOut?: string): boolean {
  if (!existsSync(to)) return false;
  const [original, copied] = [lstatSync(from), lstatSync(to)];
  if (original.isDirectory())
    return (
      copied.isDirectory() && namesIn(from, leftOut).every((name) => isThere(join(from, name), join(to, name), leftOut))
    );
  return original.size === copied.size;
}

const isThere = (from: string, to: string, leftOut: string | undefined): boolean =>
  lstatSync(to, { throwIfNoEntry: false }) !== undefined &&
  (lstatSync(from).isSymbolicLink() || isComplete(from, to, leftOut));
