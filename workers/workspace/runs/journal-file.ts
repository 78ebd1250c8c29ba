import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Home, pathHash } from '#platform/paths.ts';

/** Ending of run files. */
export const runFileEnding = '.dyno-run';

/** True if a text is a run id as run.ts makes them. Part of an id becomes part of table names. */
export const isRunId = (text: unknown): boolean => typeof text === 'string' && /^\d{8}-\d{6}-[0-9a-f]{8}$/.test(text);

export const runFile = (home: Home, runId: string): string => join(home.runs, `${runId}${runFileEnding}`);

/**
 * The lock of the only writer of a run file. It is in a separate folder, so that a folder of runs contains only runs.
 */
export const runLockFile = (home: Home, file: string): string => join(home.state, `run-${pathHash(file)}.lock`);

/** The lock of the only process that resumes a run, wherever the run's file is. */
export const runIdLockFile = (home: Home, runId: string): string => join(home.state, `writer-${runId}.lock`);

/** Length of the file up to and including its last line end: the part that survived a crash. */
export function wholeLength(file: string): number {
  const handle = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(64 * 1024);
    let end = fstatSync(handle).size;
    while (end > 0) {
      const start = Math.max(0, end - chunk.length);
      const read = readSync(handle, chunk, 0, end - start, start);
      const newline = chunk.subarray(0, read).lastIndexOf(0x0a);
      if (newline >= 0) return start + newline + 1;
      end = start;
    }
    return 0;
  } finally {
    closeSync(handle);
  }
}
