import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createJournalParser } from '#analysis/journal-parser.ts';
import { endlessLine, longestLine, readJournal } from '#host/journal-reader.ts';
import type { JournalEntry } from '#protocol/journal.ts';

interface JournalPart {
  readonly records: readonly JournalEntry[];
  /** Nothing more was in the file when this part was read. */
  readonly upToDate: boolean;
  /** Where in the file this part ends. */
  readonly readBytes: number;
}

const partBytes = 256 * 1024;
/** The page gets at most ten messages a second; that is as live as a chart of seconds can be. */
const livePauseMs = 100;
/** Somebody else (the command line, a resume) may go on with any run. */
const idlePauseMs = 500;

/**
 * A run from its first record, in parts, and on until the signal. Following the file rather than the run makes one road for finished
 * runs, runs of this process, runs that the command line writes meanwhile, and runs that are resumed while they are looked at.
 * Throws 'badInput' where the file is no run or a line has no end. Of a line that cannot be used it says so, as the reader does.
 */
export async function* followJournal(
  file: string,
  isLive: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<JournalPart> {
  for await (const _header of readJournal(file)) break; // checks that it is a run of a version we know
  await using handle = await open(file, 'r');
  const parser = createJournalParser(file);
  let line = 0;
  let position = 0;
  let size = partBytes;
  let wasUpToDate = false;
  while (!signal.aborted) {
    const buffer = Buffer.allocUnsafe(size);
    const { bytesRead } = await handle.read(buffer, 0, size, position);
    const whole = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
    const upToDate = bytesRead < size;
    if (whole === 0 && !upToDate) {
      if (size >= longestLine) throw endlessLine(file);
      size *= 2; // one line longer than the buffer
      continue;
    }
    position += whole;
    size = partBytes;
    const lines = whole === 0 ? [] : buffer.toString('utf8', 0, whole - 1).split('\n');
    const records = lines.map((text) => parser.parse(text, ++line)).filter((entry) => entry !== null);
    if (records.length > 0 || upToDate !== wasUpToDate) yield { records, upToDate, readBytes: position };
    wasUpToDate = upToDate;
    const pauseMs = !upToDate ? 0 : isLive() ? livePauseMs : idlePauseMs;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
