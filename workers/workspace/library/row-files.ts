import { constants, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { DynoError } from '#model/error.ts';
import { formatBytes } from '#model/format/format.ts';
import { isBelow } from '#platform/paths.ts';
import type { ProposedTable } from '#protocol/proposed-table.ts';
import { sha256OfFile } from '#runner/rows/file-bytes.ts';
import type { RowFileRequest } from './row-file-thread.ts';
import { answeringThread } from './thread-answers.ts';
import { freeName } from './trash.ts';

/** Larger files are not copied without a word. */
const mostCopied = 2_000_000_000;

/** Reads the columns of files that the user chooses for tables. */
export interface RowFiles {
  /** A table with the rows of the file, which is copied into the folder of the experiments unless it is below it. */
  propose(path: string): Promise<ProposedTable>;
  close(): Promise<void>;
}

/** Reads files in a separate thread with a time limit, because they may be of any size. `folder`: the experiments’. */
export function createRowFiles(folder: string): RowFiles {
  const thread = answeringThread<RowFileRequest, ProposedTable>({
    file: new URL('./row-file-thread.ts', import.meta.url),
    what: 'The file',
    limitMs: 60_000,
    hint: 'Use a file with fewer or shorter rows, or run `dyno table FILE` in a terminal.',
  });
  return {
    async propose(path) {
      const made = await thread.ask({ path, file: basename(path) });
      const file = await placeOf(folder, path);
      return { ...made, table: { ...made.table, from: { ...made.table.from, file } } };
    },
    close: thread.close,
  };
}

/** The path of the file in experiments of this folder. A file of another folder is copied. */
async function placeOf(folder: string, path: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const [home, real] = [realpathSync(folder), realpathSync(path)];
  if (isBelow(home, real)) return relative(home, real).replaceAll(sep, '/');
  const { size } = statSync(path);
  if (size > mostCopied)
    throw new DynoError(
      'badInput',
      `${basename(path)} is larger than ${formatBytes(mostCopied)}, and was not copied.`,
      {
        hint: `Put it into ${folder}, and choose it there.`,
      },
    );
  const target = join(folder, basename(path).replaceAll(/[^\w. -]+/g, '-'));
  if (await isSame(target, path, size)) return basename(target);
  const free = freeName(target);
  const part = `${free}.part`;
  try {
    await copyFile(path, part, constants.COPYFILE_FICLONE);
    renameSync(part, free);
  } finally {
    rmSync(part, { force: true });
  }
  return basename(free);
}

const isSame = async (one: string, other: string, size: number): Promise<boolean> =>
  existsSync(one) && statSync(one).size === size && (await sha256OfFile(one)) === (await sha256OfFile(other));
