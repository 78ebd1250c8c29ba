import { DynoError } from '#model/error.ts';
import type { RowSink, WantedColumns } from './row-sink.ts';

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A record must fit into memory; a missing closing quote makes the rest of the file one field. */
const mostRecordBytes = 64_000_000;

const delimiters = [',', ';', '\t', '|'] as const;

/**
 * The delimiter of a CSV text: the comma, or the semicolon, tab or bar if the first line has more of these, as
 * spreadsheets of many countries write.
 */
export function delimiterOf(text: string): string {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = delimiters.map((sign) => line.split(sign).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The advice for a misplaced quote. */
export const quoteHint = 'Write the whole field between quotes, and each quote within it twice: "say ""hello"""';

/** Options of {@link CsvReader}. */
interface CsvOptions {
  /** The name of the file in messages. */
  readonly file: string;
  /** The unquoted text that stands for null; null: no text does. */
  readonly nullAs: string | null;
  /** Called with the names of the columns; returns the wanted ones. */
  readonly onHead: (names: readonly string[]) => WantedColumns;
  readonly sink: RowSink;
}

/** The state of a field: plain, quoted, or quoted with doubled quotes inside. */
const plain = 0;
const quoted = 1;
const doubled = 2;

/**
 * Reads CSV (RFC 4180) from UTF-8 bytes, chunk by chunk, with the rules of parseCsv() (workspace/library): quotes
 * within fields are doubled, lines end in CR LF, LF or CR, and empty lines are skipped. A record has as many fields as
 * the header. It reads bytes, because a parser that makes a text of each field takes three times as long.
 */
export class CsvReader {
  /** The number of the current record's first line, from 1. */
  line = 1;
  readonly #options: CsvOptions;
  readonly #nullAs: Uint8Array | null;
  #delimiter: number | null = null;
  #wanted: readonly (readonly number[])[] | null = null;
  #rest: Uint8Array = new Uint8Array(0);
  #starts = new Int32Array(64);
  #ends = new Int32Array(64);
  #forms = new Uint8Array(64);
  #stopped = false;

  constructor(options: CsvOptions) {
    this.#options = options;
    this.#nullAs = options.nullAs === null ? null : Buffer.from(options.nullAs);
  }

  get place(): string {
    return `line ${this.line}`;
  }

  /** Bytes that the reader has taken but not parsed yet. */
  get unread(): number {
    return this.#rest.length;
  }

  /** Takes the next bytes, which it may change. `isLast`: nothing follows. Returns false if no more is wanted. */
  push(chunk: Uint8Array, isLast: boolean): boolean {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    if (this.#delimiter === null) {
      if (!isLast && !bytes.includes(lineFeed) && !bytes.includes(carriageReturn)) {
        this.#keep(bytes);
        return true;
      }
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) at = 3;
      const head = new TextDecoder().decode(bytes.subarray(at, 1_000_000));
      this.#delimiter = delimiterOf(head).charCodeAt(0);
    }
    for (;;) {
      const end = this.#record(bytes, at, isLast);
      if (end === -1) break;
      at = end;
      if (this.#stopped) {
        this.#rest = bytes.subarray(at);
        return false;
      }
    }
    this.#keep(bytes.subarray(at));
    return true;
  }

  #keep(rest: Uint8Array): void {
    if (rest.length > mostRecordBytes)
      throw this.#error(this.line, 'a record is longer than 64 MB; probably a quote is never closed');
    this.#rest = rest;
  }

  /** Reads the record at `begin`; returns the position behind it, or −1 if its end is not there yet. */
  #record(bytes: Uint8Array, begin: number, isLast: boolean): number {
    const { length } = bytes;
    if (begin >= length) return -1;
    const delimiter = this.#delimiter!;
    let count = 0;
    let lines = 0;
    let at = begin;
    for (;;) {
      if (count === this.#starts.length) this.#grow();
      let form = plain;
      let start = at;
      let end: number;
      if (at < length && bytes[at] === quote) {
        form = quoted;
        start = ++at;
        for (;;) {
          if (at >= length) {
            if (isLast) throw this.#error(this.line, 'a quote that begins here is never closed');
            return -1;
          }
          const byte = bytes[at]!;
          if (byte === quote) {
            if (at + 1 >= length && !isLast) return -1;
            if (bytes[at + 1] !== quote) break;
            form = doubled;
            at += 2;
            continue;
          }
          if (byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) lines++;
          at++;
        }
        end = at++;
        const next = bytes[at];
        if (at < length && next !== delimiter && next !== lineFeed && next !== carriageReturn)
          throw this.#error(this.line + lines, 'text goes on after the closing quote of a field');
      } else {
        while (at < length) {
          const byte = bytes[at]!;
          if (byte === delimiter || byte === lineFeed || byte === carriageReturn) break;
          if (byte === quote) throw this.#error(this.line + lines, 'a quote begins in the middle of a field');
          at++;
        }
        end = at;
      }
      this.#starts[count] = start;
      this.#ends[count] = end;
      this.#forms[count++] = form;
      if (at >= length) {
        if (!isLast) return -1;
        break;
      }
      const byte = bytes[at]!;
      if (byte === delimiter) {
        at++;
        continue;
      }
      if (byte === carriageReturn) {
        if (at + 1 >= length && !isLast) return -1;
        if (bytes[at + 1] === lineFeed) at++;
      }
      at++;
      lines++;
      break;
    }
    const isEmpty = count === 1 && this.#forms[0] === plain && this.#starts[0] === this.#ends[0];
    if (!isEmpty) this.#take(bytes, count);
    this.line += lines;
    return at;
  }

  #take(bytes: Uint8Array, count: number): void {
    if (this.#wanted === null) {
      const names = Array.from({ length: count }, (_, i) => this.#text(bytes, i));
      const wanted = this.#options.onHead(names);
      this.#wanted = names.map((name) => wanted.get(name) ?? []);
      return;
    }
    const { sink } = this.#options;
    const { length } = this.#wanted;
    if (count !== length)
      throw new DynoError(
        'badInput',
        `${this.#options.file}, line ${this.line}: the record has ${count} fields, and the header ${length}.`,
      );
    for (let i = 0; i < count; i++) {
      const columns = this.#wanted[i]!;
      if (columns.length === 0) continue;
      const start = this.#starts[i]!;
      if (this.#forms[i] === doubled) this.#undouble(bytes, i);
      const end = this.#ends[i]!;
      const isNull = this.#forms[i] === plain && this.#isNull(bytes, start, end);
      for (const column of columns) {
        if (isNull) sink.noValue(column);
        else sink.value(column, bytes, start, end);
      }
    }
    if (!sink.endRow()) this.#stopped = true;
  }

  #isNull(bytes: Uint8Array, start: number, end: number): boolean {
    const word = this.#nullAs;
    if (word === null || word.length !== end - start) return false;
    for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false;
    return true;
  }

  #text(bytes: Uint8Array, field: number): string {
    if (this.#forms[field] === doubled) this.#undouble(bytes, field);
    return new TextDecoder().decode(bytes.subarray(this.#starts[field], this.#ends[field]));
  }

  /** Makes one quote of two within a field, in place. The record is complete, so it is not read again. */
  #undouble(bytes: Uint8Array, field: number): void {
    const end = this.#ends[field]!;
    let to = this.#starts[field]!;
    for (let from = to; from < end; from++) {
      bytes[to++] = bytes[from]!;
      if (bytes[from] === quote) from++;
    }
    this.#ends[field] = to;
    this.#forms[field] = quoted;
  }

  #grow(): void {
    const wider = <T extends Int32Array | Uint8Array>(made: T, old: T): T => {
      made.set(old);
      return made;
    };
    const size = this.#starts.length * 2;
    this.#starts = wider(new Int32Array(size), this.#starts);
    this.#ends = wider(new Int32Array(size), this.#ends);
    this.#forms = wider(new Uint8Array(size), this.#forms);
  }

  #error(line: number, what: string): DynoError {
    return new DynoError('badInput', `${this.#options.file}, line ${line}: ${what}.`, { hint: quoteHint });
  }
}
