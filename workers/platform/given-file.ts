import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { DynoError } from '#model/error.ts';

/**
 * Files that a user or an experiment names. Nothing but regular files is opened: a pipe may never say anything, a
 * device never end. What the system says of a file that is not there is thrown as it is: callers know what the file is
 * for.
 */

/** A pipe that takes the file's place must not block the caller. Windows knows neither the pipe nor the flag. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** For a file that is read as a stream, record by record. */
export async function openGiven(file: string): Promise<FileHandle> {
  requireRegular(file, await stat(file));
  const handle = await open(file, flags);
  try {
    requireRegular(file, await handle.stat());
    return handle;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/**
 * The whole file. Throws 'badInput' where it has more than so many bytes, whatever its size is said to be; `what` it
 * is, in words: "an experiment".
 */
export function readGiven(file: string, mostBytes: number, what: string, shownAs = file): Buffer {
  requireRegular(shownAs, statSync(file));
  const handle = openSync(file, flags);
  try {
    const found = fstatSync(handle);
    requireRegular(shownAs, found);
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      if (length > mostBytes || found.size > mostBytes)
        throw new DynoError('badInput', `${shownAs} is larger than ${mostBytes / 1e6} MB: not ${what}.`);
      // One byte more than it is said to have, so that its end is found at once.
      const chunk = Buffer.allocUnsafe(Math.max(found.size - length + 1, 64 * 1024));
      const read = readSync(handle, chunk);
      if (read === 0) return Buffer.concat(chunks, length);
      chunks.push(chunk.subarray(0, read));
      length += read;
    }
  } finally {
    closeSync(handle);
  }
}

function requireRegular(file: string, found: Stats): void {
  if (found.isFile()) return;
  const what = found.isDirectory()
    ? 'a folder'
    : found.isFIFO()
      ? 'a pipe'
      : found.isSocket()
        ? 'a socket'
        : 'a device';
  throw new DynoError('badInput', `${file} is ${what}, not a file.`);
}
