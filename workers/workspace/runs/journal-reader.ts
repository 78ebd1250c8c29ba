import type { FileHandle } from 'node:fs/promises';
import { createJournalParser } from '#analysis/journal/journal-parser.ts';
import { DynoError } from '#model/error.ts';
import { cannotRead, openGiven } from '#platform/given-file.ts';
import type { JournalEntry, JournalRecord } from '#protocol/journal.ts';

/** Maximum length of a record in bytes, so that reading cannot fill the memory. */
const longestRecord = 16 * 1024 * 1024;
/** Maximum length of a header in bytes, which contains the whole plan. */
const longestHeader = 64 * 1024 * 1024;

/** Maximum length of the line with this number (from 1); 0 if a file does not begin like a run. */
export function longestLine(line: number, begin: Buffer): number {
  if (line > 1) return longestRecord;
  return /^\s*\{\s*"record"\s*:\s*"header"/.test(begin.toString('latin1', 0, 80)) ? longestHeader : 0;
}

/**
 * Reads a run file line by line in constant memory. An incomplete last line (after a crash, or of a running writer) is
 * skipped silently; an unusable line is reported, and reading continues. `wanted`: the kinds of records to read; lines
 * of other kinds are skipped without parsing, which is most of the work. Throws 'badInput' if the file is not a run,
 * has another version, or cannot be opened.
 */
export async function* readJournal(
  file: string,
  wanted: readonly JournalRecord['record'][] | null = null,
): AsyncGenerator<JournalEntry> {
  const parser = createJournalParser(file);
  let line = 0;
  for await (const bytes of linesOf(file)) {
    line++;
    if (line > 1 && wanted && !isOneOf(bytes, wanted)) continue;
    const entry = parser.parse(bytes.toString('utf8'), line);
    if (entry !== null) yield entry;
  }
  if (line === 0) throw emptyFile(file);
}

/** The first record of a run file. Throws 'badInput' where it is not one. */
export async function headerOf(file: string): Promise<Extract<JournalRecord, { record: 'header' }>> {
  for await (const record of readJournal(file)) if (record.record === 'header') return record;
  throw new DynoError('badInput', `${file} is not a Dyno run.`);
}

/** Only complete lines are read: the text behind the last line end is incomplete. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  let line = 1;
  try {
    const handle = await openRunFile(file);
    for await (const chunk of handle.createReadStream({ highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
        const rest = chunk.subarray(start, end);
        yield pieces.length > 0 ? Buffer.concat([...pieces, rest]) : rest;
        pieces = [];
        length = 0;
        line++;
        start = end + 1;
      }
      if (start < chunk.length) {
        pieces.push(chunk.subarray(start));
        length += chunk.length - start;
        if (length > longestLine(line, pieces[0]!)) throw endlessLine(file);
      }
    }
  } catch (thrown) {
    throw cannotRead(`The run file ${file}`, thrown);
  }
}

/** Opens a run file for reading. Throws 'badInput' where there is none. */
export async function openRunFile(file: string): Promise<FileHandle> {
  try {
    return await openGiven(file);
  } catch (thrown) {
    throw cannotRead(`The run file ${file}`, thrown);
  }
}

export const emptyFile = (file: string): DynoError =>
  new DynoError('badInput', `${file} is empty: not a Dyno run.`, {
    hint: 'It has no whole line: whatever wrote it ended before it had begun.',
  });

export const endlessLine = (file: string): DynoError =>
  new DynoError('badInput', `${file} is not a Dyno run: a line has no end.`, {
    hint: 'Choose a file that Dyno has written; its name ends in .dyno-run.',
  });

/** False for a line that begins as a record of another kind. Lines that do not begin with their kind are read. */
function isOneOf(line: Buffer, wanted: readonly string[]): boolean {
  const kind = /^\{"record":"(\w+)"/.exec(line.toString('latin1', 0, 40))?.[1];
  return kind === undefined || wanted.includes(kind);
}
