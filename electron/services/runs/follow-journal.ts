import { setTimeout as sleep } from 'node:timers/promises';
import { createJournalParser } from '#analysis/journal/journal-parser.ts';
import type { JournalEntry } from '#protocol/journal.ts';
import { emptyFile, endlessLine, longestLine, openRunFile } from '#workspace/runs/journal-reader.ts';

interface JournalPart {
  readonly records: readonly JournalEntry[];
  /** True if this part ends at the end of the file. */
  readonly upToDate: boolean;
  /** Offset in the file at which this part ends. */
  readonly readBytes: number;
}

const partBytes = 256 * 1024;
/** The page gets at most ten messages a second, which is enough for charts of seconds. */
const livePauseMs = 100;
/** Another process (the command line, a resume) may continue any run. */
const idlePauseMs = 500;

/**
 * Yields a run's records in parts, from the first one, until the signal aborts. It follows the file, so it works alike
 * for finished runs, runs of this process, runs that the command line writes, and runs that are resumed while the
 * window shows them. Throws 'badInput' if the file is no run or a line has no end. Damaged lines are reported as the
 * reader reports them.
 */
export async function* followJournal(
  file: string,
  isLive: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<JournalPart> {
  await using handle = await openRunFile(file);
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
      if (size >= longestLine(line + 1, buffer)) throw endlessLine(file);
      size *= 2; // a line is longer than the buffer
      continue;
    }
    if (whole === 0 && line === 0) throw emptyFile(file);
    position += whole;
    size = partBytes;
    const lines = whole === 0 ? [] : buffer.toString('utf8', 0, whole - 1).split('\n');
    const records = lines.map((text) => parser.parse(text, ++line)).filter((entry) => entry !== null);
    if (records.length > 0 || upToDate !== wasUpToDate) yield { records, upToDate, readBytes: position };
    wasUpToDate = upToDate;
    if (upToDate) await sleep(isLive() ? livePauseMs : idlePauseMs, undefined, { signal }).catch(() => undefined);
  }
}
