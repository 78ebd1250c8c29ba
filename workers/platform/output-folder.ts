import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { DynoError, toErrorData } from '#model/error.ts';

/**
 * Writes a folder that the user has named. `write` fills a folder beside it, which gets its name at the end, so that
 * there is never a half of it. The folder must be new or empty. `what` begins the message of an error ("The data").
 * Throws 'badInput', 'diskFull', 'fileAccess'… with the folder named.
 */
export async function writeOutputFolder(
  what: string,
  folder: string,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  const place = resolve(folder);
  const half = `${place}.${process.pid}.${randomBytes(3).toString('hex')}.part`;
  try {
    if ((entriesOf(place)?.length ?? 0) > 0)
      throw new DynoError('badInput', `${what} cannot be written: the folder ${folder} is not empty.`, {
        hint: 'Name a folder that does not exist yet.',
      });
    mkdirSync(half);
    await write(half);
    if (entriesOf(place) !== null) rmdirSync(place);
    renameSync(half, place);
  } catch (thrown) {
    rmSync(half, { recursive: true, force: true });
    const { kind, code, message, hint } = toErrorData(thrown);
    if (kind === 'badInput') throw thrown;
    throw new DynoError(kind === 'internal' ? 'other' : kind, `${what} ${folder} cannot be written: ${message}`, {
      code,
      hint: hint ?? 'Choose another folder, or make room.',
    });
  }
}

/** The names in a folder; null: there is no folder. */
function entriesOf(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw thrown;
  }
}
