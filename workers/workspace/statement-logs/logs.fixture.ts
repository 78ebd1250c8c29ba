import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { readLogs } from './read-logs.ts';

type Options = Parameters<typeof readLogs>[1];

/** Reads log files as the command does. */
export const read = (files: readonly string[], options: Partial<Options> = {}) =>
  readLogs(files, {
    ...{ since: null, database: null, keepValues: false, format: null, prefix: null },
    signal: new AbortController().signal,
    onProgress() {},
    ...options,
  });

/** Reads a log of this content. */
export function readText(content: string | Uint8Array, options: Partial<Options> = {}, name = 'server.log') {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return read([file], options);
}

/** The sum of all parts of a balance is the number of its entries. */
export const partsOf = ({ entries: _, untimed: __, ...parts }: Awaited<ReturnType<typeof readLogs>>['balance']) =>
  Object.values(parts).reduce((sum, one) => sum + one, 0);
