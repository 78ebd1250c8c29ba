import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import type { LogReader, StatementLogFormat } from '#engine-api/statement-log.ts';
import { type CatalogEntry, catalog } from '#engines/catalog.ts';
import { DynoError } from '#model/error.ts';
import { createCountedLog, type LogBalance, type LogChoice } from './counted-log.ts';
import { readLines } from './log-lines.ts';

/** A log file that was read. */
export interface ReadFile {
  /** Its name without its folder. */
  readonly name: string;
  readonly bytes: number;
  readonly lines: number;
  /** The first lines, counted from 1, at which an entry begins that cannot be read, and the number of such entries. */
  readonly unreadable: { readonly first: readonly number[]; readonly count: number };
  /** Lines of which only the beginning was read. */
  readonly cut: number;
  /** True if a compressed file is damaged: what is in front of the damage was read. */
  readonly isDamaged: boolean;
}

/** The statements of log files. */
export interface ReadLogs {
  readonly engine: string;
  /** The format, for people. */
  readonly format: string;
  readonly kept: KeptStatements;
  readonly files: readonly ReadFile[];
  readonly balance: LogBalance;
  /** The databases with their numbers of calls, the most frequent first. Empty: the logs do not name them. */
  readonly databases: readonly (readonly [name: string, calls: number])[];
}

interface ReadOptions extends LogChoice {
  /** The id of the format. Null: it is recognised. */
  readonly format: string | null;
  /** PostgreSQL's log_line_prefix. Null: it is recognised. */
  readonly prefix: string | null;
  readonly signal: AbortSignal;
  /** The bytes that have been read, of all files together. */
  onProgress(bytes: number, of: number): void;
}

/** The formats of log files that Dyno reads, with their engines. */
export const logFormats: readonly { readonly engine: CatalogEntry; readonly format: StatementLogFormat }[] =
  catalog.flatMap((engine) => (engine.logs ?? []).map((format) => ({ engine, format })));

/** The lines by which a format is recognised, and their most characters. */
const headLines = 300;
const headCharacters = 2 * 1_024 * 1_024;
const mostNamed = 5;

/** Reads the statements of log files of one format. */
export async function readLogs(files: readonly string[], options: ReadOptions): Promise<ReadLogs> {
  const sizes = files.map(sizeOf);
  const all = sizes.reduce((sum, one) => sum + one, 0);
  let chosen: (typeof logFormats)[number] | null =
    options.format === null ? null : (logFormats.find(({ format }) => format.id === options.format) ?? null);
  let counted: ReturnType<typeof createCountedLog> | null = null;
  const read: ReadFile[] = [];
  let before = 0;
  for (const [i, file] of files.entries()) {
    const name = basename(file);
    const bad: { first: number[]; count: number } = { first: [], count: 0 };
    let head: [text: string, number: number, isCut: boolean][] | null = [];
    let size = 0;
    let reader: LogReader | null = null;
    const begin = () => {
      const lines = head!.map(([text]) => text);
      const found = options.format === null ? recognised(lines) : chosen;
      if (found === null) throw notRecognised(name, lines);
      if (chosen !== null && found.format !== chosen.format)
        throw new DynoError(
          'badInput',
          `${name} is a ${found.format.label}, and the files before it are ${chosen.format.label}.`,
          { hint: 'Read files of one format at a time.' },
        );
      chosen = found;
      const language = found.engine.descriptor.statements!;
      counted ??= createCountedLog(language, options);
      const unreadable = (line: number) => {
        bad.count++;
        if (bad.first.length < mostNamed) bad.first.push(line);
      };
      reader = found.format.open({ ...counted.sink, unreadable }, { prefix: options.prefix, head: lines });
      for (const one of head!) reader.line(...one);
      head = null;
    };
    const end = await readLines(file, {
      signal: options.signal,
      onProgress: (bytes) => options.onProgress(before + bytes, all),
      onLine(text, number, isCut) {
        if (head === null) return reader!.line(text, number, isCut);
        head.push([text, number, isCut]);
        size += text.length;
        if (head.length >= headLines || size >= headCharacters) begin();
      },
    });
    if (head !== null) begin();
    reader!.end();
    before += sizes[i]!;
    read.push({
      ...{ name, bytes: sizes[i]!, lines: end.lines, cut: end.cut, isDamaged: end.isDamaged },
      unreadable: { first: bad.first.toSorted((a, b) => a - b), count: bad.count },
    });
  }
  const { engine, format } = chosen!;
  return {
    ...{ engine: engine.descriptor.id, format: format.label, files: read },
    ...{ kept: counted!.kept(), balance: counted!.balance(), databases: counted!.databases() },
  };
}

const recognised = (head: readonly string[]): (typeof logFormats)[number] | null =>
  logFormats.find(({ format }) => format.recognises(head)) ?? null;

function sizeOf(file: string): number {
  const found = statSync(file);
  if (found.isFile()) return found.size;
  throw new DynoError('badInput', `${basename(file)} is no file.`);
}

function notRecognised(name: string, head: readonly string[]): DynoError {
  const known = logFormats.map(({ format }) => format.label).join(', ');
  return new DynoError(
    'badInput',
    head.every((line) => line.trim() === '') ? `${name} is empty.` : `The format of ${name} is not recognised.`,
    {
      hint: name.endsWith('.sql')
        ? `Use dyno draft for a file of statements.`
        : `Dyno reads: ${known}. Give its format, and for a PostgreSQL log its log_line_prefix, if it is one of these.`,
    },
  );
}
