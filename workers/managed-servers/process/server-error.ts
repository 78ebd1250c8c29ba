import { mkdirSync, statfsSync } from 'node:fs';
import { DynoError } from '#model/error.ts';
import { formatBytes } from '#model/format/format.ts';

export const resetHint =
  'If its data is damaged: `dyno servers reset` deletes it and makes a new one (only tables of Dyno are in there).';

/**
 * Makes an error with advice from a server's output. `damaged` matches the output about data that the server cannot
 * use.
 */
export function serverError(what: string, said: string, damaged?: RegExp): DynoError {
  const words = said.trim().split('\n').slice(-8).join('\n') || 'it said nothing';
  const message = `${what}: ${words}`;
  if (/No space left|disk (?:is )?full|ENOSPC/i.test(said))
    return new DynoError('diskFull', message, { hint: 'Free some space (a few hundred MiB), then try again.' });
  if (/could not (?:bind|create listen|listen on)|address\b.* already in use|EADDRINUSE/i.test(said))
    return new DynoError('limit', message, { hint: 'Another program took the port; try again.', retryable: true });
  if (damaged?.test(said)) return new DynoError('other', message, { hint: resetHint });
  if (/shared object|error while loading shared libraries|ENOENT/i.test(said))
    return new DynoError('unsupported', message, {
      hint: 'Its programs or their libraries are not complete: `dyno servers status` says what belongs to it.',
    });
  return new DynoError('other', message, { hint: resetHint });
}

/** Refuses to start a server that would fill the disk. */
export function checkSpace(folder: string, label: string, leastFreeBytes: number): void {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free < leastFreeBytes)
    throw new DynoError(
      'diskFull',
      `Only ${formatBytes(free)} are free in ${folder}; ${label} needs ${formatBytes(leastFreeBytes)}.`,
      { hint: 'Free some space, or set DYNO_HOME to a folder on another disk.' },
    );
}

/** The output of a finished program (execFile's error), else the error's message. */
export function wordsOf(thrown: unknown): string {
  if (thrown instanceof Object && 'stderr' in thrown && typeof thrown.stderr === 'string' && thrown.stderr)
    return thrown.stderr;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
