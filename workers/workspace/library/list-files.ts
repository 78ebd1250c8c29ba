import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import * as v from 'valibot';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { listedParameters, weightsOf } from '#experiment/statements/statement-mix.ts';
import { allTables } from '#model/dataset/tables.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { cannotRead, headOfGiven, openGiven, readGiven } from '#platform/given-file.ts';
import { decodeText } from '#platform/given-text.ts';
import { isBelow } from '#platform/paths.ts';
import type { FoundFiles } from '#protocol/journal.ts';

const mostBytes = 64_000_000;

/**
 * The current files of the parameters of experiments, or of these statements and transactions in them. Throws
 * 'badInput' for a file that cannot be read, or is not below the experiment's own folder.
 */
export function findListFiles(
  folder: string,
  experiments: readonly Experiment[],
  items?: readonly string[],
): FoundFiles {
  const named = experiments
    .flatMap((one) => listedParameters(one, items ?? [...weightsOf(one).keys()]))
    .flatMap(({ spec }) => (spec.type === 'csv' ? [spec.file] : []));
  return {
    folder,
    files: [...new Set(named)].map((file) => ({ file, sha256: sha256(read(folder, file)) })),
  };
}

/**
 * The current files that fill tables of experiments. Throws 'badInput' as {@link findListFiles} does; these files may
 * be of any size.
 */
export async function findRowFiles(folder: string, experiments: readonly Experiment[]): Promise<FoundFiles['files']> {
  const named = experiments.flatMap((one) => Object.values(allTables(one)).flatMap(({ from }) => from?.file ?? []));
  const found: FoundFiles['files'][number][] = [];
  for (const file of new Set(named)) found.push({ file, sha256: await checksumOf(folder, file) });
  return found;
}

/** The files of parameters and of tables, each once. */
export const withRowFiles = ({ folder, files }: FoundFiles, rowFiles: FoundFiles['files']): FoundFiles => ({
  folder,
  files: [...files, ...rowFiles.filter(({ file }) => files.every((one) => one.file !== file))],
});

/** The path of a file that fills a table. Throws 'badInput' where it is not below the experiment's own folder. */
export const rowFilePath = (folder: string, file: string): string => named(folder, file, () => within(folder, file));

/** Throws 'badInput' as {@link findListFiles} does for a file that cannot be read. */
export function requireReadable(folder: string, file: string): void {
  named(folder, file, () => headOfGiven(within(folder, file), 1, file));
}

async function checksumOf(folder: string, file: string): Promise<string> {
  const path = rowFilePath(folder, file);
  try {
    await using handle = await openGiven(path);
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: 1_048_576 }))
      hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch (thrown) {
    throw cannotRead(file, thrown);
  }
}

/**
 * Reads a file that the experiment names. Throws 'badInput' if it differs from the file that the run found, because its
 * trials could not be compared. A stranger's run file cannot read another file of this machine, because its author
 * would have to know the checksum of the contents.
 */
export function readListFile({ folder, files }: FoundFiles, file: string): string {
  const bytes = read(folder, file);
  const found = files.find((one) => one.file === file);
  if (found?.sha256 !== sha256(bytes)) throw hasChanged(folder, file);
  return decodeText(bytes);
}

const hasChanged = (folder: string, file: string): DynoError =>
  new DynoError('badInput', `${file} has changed since the run began (it is in ${folder}).`, {
    hint: 'Trials with other values cannot be compared with those before: put the old file back, or run the experiment anew.',
  });

/** Number of bytes of a file that the advice reads. */
const headBytes = 256_000;

/** The whole lines at the beginning of a file that the experiment names. Throws 'badInput' as findListFiles() does. */
export function headOfListFile(folder: string, file: string): string {
  const bytes = headOfGiven(within(folder, file), headBytes, file);
  const text = decodeText(bytes);
  return bytes.length < headBytes ? text : text.slice(0, text.lastIndexOf('\n') + 1);
}

const foundFiles = v.object({
  folder: v.string(),
  files: v.array(v.object({ file: v.string(), sha256: v.string() })),
});

/** The list of files in a run file; undefined if it has none. Throws 'badInput' for an invalid list. */
export function readFound(said: unknown): FoundFiles {
  if (said === undefined) return { folder: '', files: [] };
  const parsed = v.safeParse(foundFiles, said);
  if (!parsed.success)
    throw new DynoError('badInput', 'What the run file says of the files that it needs makes no sense.');
  return parsed.output;
}

/** Throws 'badInput' where one of the files is gone or has changed. */
export async function requireListFiles({ folder, files }: FoundFiles): Promise<void> {
  for (const { file, sha256 } of files) if ((await checksumOf(folder, file)) !== sha256) throw hasChanged(folder, file);
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const read = (folder: string, file: string): Buffer =>
  named(folder, file, () => readGiven(within(folder, file), mostBytes, 'a list of values', file));

/** Runs `work`, with errors that name the file. */
function named<T>(folder: string, file: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const { code, message } = toErrorData(thrown);
    if (thrown instanceof DynoError && code === null) throw thrown;
    throw new DynoError('badInput', thrown instanceof DynoError ? message : `${file} cannot be read: ${message}`, {
      hint: `Paths in an experiment go from its own folder on, which is ${folder}.`,
    });
  }
}

/**
 * The path without links. The file must be below the experiment's folder, because values go to a server and a
 * stranger's experiment must not read other files of this machine.
 */
function within(folder: string, file: string): string {
  if (!isAbsolute(file) && isBelow(folder, resolve(folder, file))) {
    const real = realpathSync(resolve(folder, file));
    if (isBelow(realpathSync(folder), real)) return real;
  }
  throw new DynoError('badInput', `${file} is not in the experiment's own folder.`, { hint: `Copy it to ${folder}.` });
}
