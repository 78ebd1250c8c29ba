import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { DynoError } from '#model/error.ts';
import type { Home } from '#platform/paths.ts';

const keepMs = 30 * 24 * 3_600_000;
const undoPattern = /^[0-9a-f]{12}$/;

/** Moves a file, and its companion if there is one, to the trash. The returned value restores them, for a month. */
export function moveToTrash(home: Home, file: string, beside?: string): string {
  const undo = randomBytes(6).toString('hex');
  const folder = join(home.trash, undo);
  mkdirSync(folder, { recursive: true });
  renameSync(file, join(folder, basename(file)));
  if (beside !== undefined && existsSync(beside)) renameSync(beside, join(folder, basename(beside)));
  emptyOld(home);
  return undo;
}

/** Restores files to `folder`, beside newer files with their names if there are any. Returns the first path. */
export function restoreFromTrash(home: Home, undo: string, folder: string): string {
  const from = undoPattern.test(undo) ? join(home.trash, undo) : null;
  const names = from && existsSync(from) ? readdirSync(from).sort() : [];
  const to = freeNames(names.map((name) => join(folder, name)));
  names.forEach((name, at) => {
    renameSync(join(from!, name), to[at]!);
  });
  const [first] = to;
  if (!from || first === undefined) throw new DynoError('badInput', 'It is not in the trash any more.');
  rmSync(from, { recursive: true, force: true });
  return first;
}

/** The ending of a file's name: ".csv.gz" for a compressed one. */
const endingOf = (name: string): string => /\.\w+\.(gz|zst)$/i.exec(name)?.[0] ?? extname(name);

/** The path, or with -2, -3… before the ending if it is taken. An ending begins at the first dot. */
export const freeName = (file: string): string => freeNames([file])[0]!;

/** The paths, or all of them with the same number if one is taken, because the files belong together. */
function freeNames(files: readonly string[]): readonly string[] {
  for (let n = 1; ; n++) {
    const candidates = files.map((file) => numbered(file, n));
    if (!candidates.some((candidate) => existsSync(candidate))) return candidates;
  }
}

function numbered(file: string, n: number): string {
  const name = basename(file);
  const dot = name.includes('.dyno') ? name.indexOf('.dyno') : name.length - endingOf(name).length;
  return join(dirname(file), `${name.slice(0, dot)}${n > 1 ? `-${n}` : ''}${name.slice(dot)}`);
}

function emptyOld(home: Home): void {
  for (const name of readdirSync(home.trash)) {
    const folder = join(home.trash, name);
    if (undoPattern.test(name) && Date.now() - statSync(folder).mtimeMs > keepMs)
      rmSync(folder, { recursive: true, force: true });
  }
}
