import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { DynoError, toErrorData } from '#model/error.ts';
import { formatBytes } from '#model/format/format.ts';

/**
 * Opens files that a user or an experiment names. Opens only regular files: reading a pipe may never return, and a
 * device may never end. What the system refuses is an error of the input, which names the file.
 */

/** O_NONBLOCK keeps a pipe in the file's place from blocking the caller. Windows has neither pipe nor flag. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file for reading as a stream, record by record. System errors pass unchanged, because the caller reads on:
 * {@link cannotRead} converts them.
 */
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

/** Reads the first `bytes` bytes of a file, or all that it has. */
export function headOfGiven(file: string, bytes: number, shownAs = file): Buffer {
  return withGiven(file, shownAs, (handle) => {
    const head = Buffer.alloc(bytes);
    return head.subarray(0, readSync(handle, head, 0, bytes, 0));
  });
}

/** Reads a whole file. Throws 'badInput' above `mostBytes` bytes; `what` names it in the message: "an experiment". */
export function readGiven(file: string, mostBytes: number, what: string, shownAs = file): Buffer {
  return withGiven(file, shownAs, (handle, found) => {
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      if (length > mostBytes || found.size > mostBytes)
        throw new DynoError('badInput', `${shownAs} is larger than ${formatBytes(mostBytes)}: not ${what}.`);
      // One byte more than the reported size, so that the first read finds the end.
      const chunk = Buffer.allocUnsafe(Math.max(found.size - length + 1, 64 * 1024));
      const read = readSync(handle, chunk);
      if (read === 0) return Buffer.concat(chunks, length);
      chunks.push(chunk.subarray(0, read));
      length += read;
    }
  });
}

function withGiven(file: string, shownAs: string, read: (handle: number, found: Stats) => Buffer): Buffer {
  try {
    requireRegular(shownAs, statSync(file));
    const handle = openSync(file, flags);
    try {
      const found = fstatSync(handle);
      requireRegular(shownAs, found);
      return read(handle, found);
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    throw cannotRead(shownAs, thrown);
  }
}

/**
 * The error of a file that the system does not let Dyno read: 'badInput', or 'fileAccess' where the account lacks the
 * right. Errors that do not come from the system are returned unchanged.
 */
export function cannotRead(shownAs: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error && 'syscall' in thrown)) return thrown;
  const { kind, code, message } = toErrorData(thrown);
  return new DynoError(kind === 'internal' ? 'badInput' : kind, `${shownAs} cannot be read: ${message}`, { code });
}

function requireRegular(file: string, kind: Stats): void {
  if (kind.isFile()) return;
  const what = kind.isDirectory() ? 'a folder' : kind.isFIFO() ? 'a pipe' : kind.isSocket() ? 'a socket' : 'a device';
  throw new DynoError('badInput', `${file} is ${what}, not a file.`);
}
