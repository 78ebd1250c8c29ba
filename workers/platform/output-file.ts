import { realpathSync, statSync, writeFileSync } from 'node:fs';
import { DynoError, toErrorData } from '#model/error.ts';
import { writeAtomically } from './json-file.ts';

/**
 * Writes a file that the user has named. An older file stays unchanged if the new file cannot be written completely. A
 * device or pipe, such as /dev/stdout, is written to, and not replaced. `what` begins the message of an error ("The
 * report"). Throws 'diskFull', 'fileAccess'… with the file named.
 */
export function writeOutput(what: string, file: string, content: string | Uint8Array): void {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && !found.isFile()) writeFileSync(file, content);
    // A link stays a link, and the file that it leads to is replaced.
    else if (found) writeAtomically(realpathSync(file), content, found.mode & 0o777);
    else writeAtomically(file, content, 0o666);
  } catch (thrown) {
    const { kind, code, message } = toErrorData(thrown);
    throw new DynoError(kind === 'internal' ? 'other' : kind, `${what} ${file} cannot be written: ${message}`, {
      code,
      hint: 'Choose another file, or make room. What was there before is as it was.',
    });
  }
}
