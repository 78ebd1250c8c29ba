import { DynoError, toErrorData } from '#contract/error.ts';
import { type JournalRecord, journalVersion } from '#contract/journal.ts';
import { openGiven } from '../engines/given-file.ts';

/** Bytes. A line longer than this is not ours; reading on would only fill the memory. */
export const longestLine = 64 * 1024 * 1024;

export interface ReadProblem {
  readonly line: number;
  readonly message: string;
}

/**
 * Reads a run file record by record in constant memory. A torn last line (crash, or a live writer) is left out silently; an
 * unreadable line in the middle goes to `onProblem` and reading continues.
 * `wanted`: only records of these kinds; lines of other kinds are passed over without being understood, which is most of the work.
 * Throws 'badInput' where the file is not a run, was written by a newer version, or cannot be opened.
 */
export async function* readJournal(
  file: string,
  onProblem: (problem: ReadProblem) => void = () => {},
  wanted: readonly JournalRecord['record'][] | null = null,
): AsyncGenerator<JournalRecord> {
  let line = 0;
  for await (const bytes of linesOf(file)) {
    line++;
    if (line > 1 && wanted && !isOneOf(bytes, wanted)) continue;
    const text = bytes.toString('utf8');
    if (text.trim() === '') continue;
    const record = parseRecord(text);
    if (line === 1) {
      checkHeader(file, record);
      yield record as JournalRecord;
    } else if (record) yield record as JournalRecord;
    else onProblem({ line, message: `Line ${line} of ${file} is not a record and was left out.` });
  }
  if (line === 0) throw new DynoError('badInput', `${file} is empty: not a Dyno run.`);
}

/** The first record of a run file. Throws 'badInput' where it is not one. */
export async function headerOf(file: string): Promise<Extract<JournalRecord, { record: 'header' }>> {
  for await (const record of readJournal(file)) if (record.record === 'header') return record;
  throw new DynoError('badInput', `${file} is not a Dyno run.`);
}

/** Whole lines only: what follows the last line end is torn. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  try {
    const handle = await openGiven(file);
    for await (const chunk of handle.createReadStream({ highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
        const rest = chunk.subarray(start, end);
        yield pieces.length > 0 ? Buffer.concat([...pieces, rest]) : rest;
        pieces = [];
        length = 0;
        start = end + 1;
      }
      if (start < chunk.length) {
        pieces.push(chunk.subarray(start));
        length += chunk.length - start;
        if (length > longestLine) throw endlessLine(file);
      }
    }
  } catch (thrown) {
    if (thrown instanceof DynoError) throw thrown;
    const data = toErrorData(thrown);
    throw new DynoError(
      data.code === 'ENOENT' ? 'badInput' : data.kind,
      `The run file ${file} cannot be read: ${data.message}`,
      {
        code: data.code,
      },
    );
  }
}

export const endlessLine = (file: string): DynoError =>
  new DynoError('badInput', `${file} is not a Dyno run: a line has no end.`);

/** False for a line that begins as a record of another kind. A writer puts the kind first; where somebody else did not, it is read. */
function isOneOf(line: Buffer, wanted: readonly string[]): boolean {
  const kind = /^\{"record":"(\w+)"/.exec(line.toString('latin1', 0, 40))?.[1];
  return kind === undefined || wanted.includes(kind);
}

function parseRecord(text: string): { readonly record: string } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'record' in value && typeof value.record === 'string'
      ? (value as { record: string })
      : null;
  } catch {
    return null;
  }
}

function checkHeader(file: string, record: { readonly record: string } | null): void {
  if (record?.record !== 'header')
    throw new DynoError('badInput', `${file} is not a Dyno run: its first line is no header.`);
  const version = 'version' in record ? record.version : null;
  if (typeof version !== 'number' || version > journalVersion)
    throw new DynoError(
      'badInput',
      `${file} was written by a newer Dyno (run version ${String(version)}, this one reads ${journalVersion}).`,
      {
        hint: 'Open it with that version or update Dyno.',
      },
    );
}
