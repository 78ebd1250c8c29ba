import { isUtf8 } from 'node:buffer';
import { DynoError } from '#model/error.ts';
import { digitsOf, exactOrNumber, textOf } from '#model/text/exact-json.ts';
import { fieldsOf, parseInOrder } from '#model/text/json-in-order.ts';
import type { RowSink, WantedColumns } from './row-sink.ts';

const lineFeed = 0x0a;
const mostLineBytes = 64_000_000;

/** Options of {@link JsonReader}. */
interface JsonOptions {
  /** The name of the file in messages. */
  readonly file: string;
  /** Called with the names of each object’s fields that were in no object before; returns the wanted ones. */
  readonly onNames: (names: readonly string[]) => WantedColumns;
  readonly sink: RowSink & { nested(column: number, bytes: Uint8Array): void };
}

/** Matches lines that JSON.parse reads without loss: of digits after the 15th, or of the order of names. */
const isPlain = (line: string): boolean => !/\d{16}|[\d.]{17}|\d[eE]|"\d{1,10}"\s*:/.test(line);

/** Reads NDJSON, one object a line, chunk by chunk. A field that an object lacks is null. Empty lines are skipped. */
export class JsonReader {
  /** The number of the current line, from 1. */
  line = 0;
  readonly #options: JsonOptions;
  readonly #names = new Set<string>();
  #wanted: WantedColumns = new Map();
  #rest: Uint8Array = new Uint8Array(0);

  constructor(options: JsonOptions) {
    this.#options = options;
  }

  get place(): string {
    return `line ${this.line}`;
  }

  /** Bytes that the reader has taken but not parsed yet. */
  get unread(): number {
    return this.#rest.length;
  }

  /** Takes the next bytes. `isLast`: nothing follows. Returns false if no more is wanted. */
  push(chunk: Uint8Array, isLast: boolean): boolean {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = this.line === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    for (;;) {
      const found = bytes.indexOf(lineFeed, at);
      if (found === -1 && (!isLast || at >= bytes.length)) break;
      const end = found === -1 ? bytes.length : found;
      this.line++;
      const isMore = this.#take(bytes.subarray(at, end));
      at = end + 1;
      if (isMore) continue;
      this.#rest = bytes.subarray(Math.min(at, bytes.length));
      return false;
    }
    if (bytes.length - at > mostLineBytes) throw this.#error('the line is longer than 64 MB');
    this.#rest = bytes.subarray(Math.min(at, bytes.length));
    return true;
  }

  #take(bytes: Uint8Array): boolean {
    // Otherwise the bytes would silently become other characters.
    if (!isUtf8(bytes))
      throw this.#error('the bytes are no UTF-8', 'Name the encoding, for example `encoding: windows-1252`.');
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').trim();
    if (text === '') return true;
    const fields = fieldsOf(this.#parse(text));
    if (fields === null) throw this.#error('there is no object');
    const news = fields.filter(([name]) => !this.#names.has(name)).map(([name]) => name);
    if (news.length > 0) {
      for (const name of news) this.#names.add(name);
      this.#wanted = new Map([...this.#wanted, ...this.#options.onNames(news)]);
    }
    const { sink } = this.#options;
    const values = new Map(fields);
    for (const [name, columns] of this.#wanted) {
      const value = values.get(name) ?? null;
      for (const column of columns) {
        if (value === null) sink.noValue(column);
        else if (typeof value === 'object' && digitsOf(value) === null)
          sink.nested(column, Buffer.from(jsonText(value)));
        else {
          const text = typeof value === 'string' ? value : textOf(value);
          // Half of a pair of surrogates has no bytes in UTF-8.
          if (!text.isWellFormed()) throw this.#error(`the text of “${name}” ends within a character (\\ud800)`);
          const written = Buffer.from(text);
          sink.value(column, written, 0, written.length, typeof value === 'string');
        }
      }
    }
    return sink.endRow();
  }

  #parse(text: string): unknown {
    try {
      return isPlain(text) ? JSON.parse(text) : parseInOrder(text, exactOrNumber);
    } catch (thrown) {
      throw this.#error(`the line is no JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }

  #error(what: string, hint = 'NDJSON has one object a line, and no list around them.'): DynoError {
    const place = `${this.#options.file}, line ${Math.max(1, this.line)}`;
    return new DynoError('badInput', `${place}: ${what.replace(/\.$/, '')}.`, { hint });
  }
}

/** The JSON of a value with its own digits and the order of its names. */
function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  const fields = digitsOf(value) === null ? fieldsOf(value) : null;
  if (fields === null) return digitsOf(value) ?? JSON.stringify(value);
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${jsonText(inner)}`).join(',')}}`;
}
