import { isUtf8 } from 'node:buffer';
import type { ColumnVector } from '#model/batch/batch.ts';
import type { FileColumnSpec } from '#model/dataset/column-specs.ts';
import { columnType } from '#model/dataset/columns.ts';
import { decimalText, parseDecimal, precisionOf, rescaled } from '#model/text/exact-decimal.ts';
import { digitsOf, parseExactly } from '#model/text/exact-json.ts';
import { microseconds, timeOf, timePattern } from '#model/text/time-text.ts';

/** The values of one column of a file, in blocks of rows. */
export interface TypedColumn {
  /** Adds a value. Returns the reason why it does not fit the column, as the end of a sentence; null: it fits. */
  add(bytes: Uint8Array, start: number, end: number): string | null;
  /** Adds a null. Returns the reason why it does not fit. */
  addNull(): string | null;
  /** Bytes of the block so far. */
  readonly bytes: number;
  /** The block so far as a vector; the next value begins a new block. */
  take(): ColumnVector;
}

/** Digits that a number holds exactly, whatever its scale. */
const digitsOfNumber = 15;
const [zero, nine, minus, plus, point] = [48, 57, 45, 43, 46];

const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');

/** The column of a table that a file fills. */
export function typedColumn(spec: FileColumnSpec): TypedColumn {
  const isNullable = spec.nulls > 0;
  const type = columnType(spec);
  switch (type.kind) {
    case 'bigint':
      return new Numbers(isNullable, readInteger, 'a whole number of 64 bits');
    case 'decimal':
      return type.precision <= digitsOfNumber
        ? new Numbers(isNullable, readDecimal(type.precision, type.scale), decimalWords(type))
        : new Bytes(isNullable, writeDecimal(type.precision, type.scale), decimalWords(type));
    case 'timestamp':
      return new Numbers(isNullable, readTime, 'a date or time with at most six digits of a second');
    case 'boolean':
      return new Numbers(isNullable, readBoolean, 'true or false');
    case 'uuid':
      return new Uuids(isNullable);
    case 'bytes':
      return new Bytes(
        isNullable,
        writeHexBytes(type.maxLength),
        `0x and at most ${type.maxLength} bytes in hexadecimal`,
      );
    case 'text':
      return type.document
        ? new Bytes(isNullable, writeDocument(type.maxLength), documentWords(type.maxLength))
        : new Bytes(isNullable, writeText(type.maxLength), `a text of UTF-8 with at most ${type.maxLength} characters`);
  }
}

const decimalWords = ({ precision, scale }: { readonly precision: number; readonly scale: number }): string =>
  `a decimal with ${precision} digits, ${scale} of them after the point`;
const documentWords = (maxLength: number): string =>
  `a JSON object or list with at most ${maxLength} characters, whose numbers a double holds exactly`;

/** Nulls of a block. */
class Nulls {
  readonly #isNullable: boolean;
  #rows: number[] = [];

  constructor(isNullable: boolean) {
    this.#isNullable = isNullable;
  }

  add(row: number): string | null {
    if (!this.#isNullable) return 'null, and `nulls` of the column is 0';
    this.#rows.push(row);
    return null;
  }

  take(rows: number): Uint8Array | null {
    if (this.#rows.length === 0) return null;
    const nulls = new Uint8Array(rows);
    for (const row of this.#rows) nulls[row] = 1;
    this.#rows = [];
    return nulls;
  }
}

/** Reads a number. Returns NaN if the text is no number, and the number as text if no double holds it. */
type ReadNumber = (bytes: Uint8Array, start: number, end: number) => number | string;

class Numbers implements TypedColumn {
  readonly #nulls: Nulls;
  readonly #read: ReadNumber;
  readonly #words: string;
  #values = new Float64Array(1_024);
  #rows = 0;
  /** Numbers of the block that no double holds, by row. */
  #exact = new Map<number, string>();

  constructor(isNullable: boolean, read: ReadNumber, words: string) {
    this.#nulls = new Nulls(isNullable);
    this.#read = read;
    this.#words = words;
  }

  get bytes(): number {
    return this.#rows * 8;
  }

  add(bytes: Uint8Array, start: number, end: number): string | null {
    const value = this.#read(bytes, start, end);
    if (typeof value === 'string') this.#exact.set(this.#rows, value);
    else if (Number.isNaN(value)) return `“${shown(bytes, start, end)}”, which is not ${this.#words}`;
    this.#push(typeof value === 'string' ? 0 : value);
    return null;
  }

  addNull(): string | null {
    const wrong = this.#nulls.add(this.#rows);
    if (wrong === null) this.#push(0);
    return wrong;
  }

  #push(value: number): void {
    if (this.#rows === this.#values.length) {
      const wider = new Float64Array(this.#rows * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.#rows++] = value;
  }

  take(): ColumnVector {
    const rows = this.#rows;
    const nulls = this.#nulls.take(rows);
    const values = this.#values.slice(0, rows);
    const exact = this.#exact;
    this.#rows = 0;
    if (exact.size === 0) return { kind: 'number', values, nulls };
    this.#exact = new Map();
    return numberTexts(values, nulls, exact);
  }
}

/** Whole numbers as texts, some of which no double holds. */
export function numberTexts(
  values: Float64Array,
  nulls: Uint8Array | null,
  exact: ReadonlyMap<number, string> = new Map(),
): ColumnVector & { readonly kind: 'variable' } {
  const texts = Array.from(values, (value, row) => (nulls?.[row] === 1 ? '' : (exact.get(row) ?? String(value))));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [row, text] of texts.entries()) offsets[row + 1] = offsets[row]! + text.length;
  return { kind: 'variable', bytes: Buffer.from(texts.join(''), 'latin1'), offsets, nulls };
}

/** Writes a value into `to` from `at` on; returns the position behind it, or −1 if it does not fit the column. */
type WriteBytes = (bytes: Uint8Array, start: number, end: number, to: GrowingBytes, at: number) => number;

class GrowingBytes {
  bytes = new Uint8Array(65_536);

  /** Makes room for `count` bytes from `at` on. */
  room(at: number, count: number): void {
    if (at + count <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(this.bytes.length * 2, at + count));
    wider.set(this.bytes.subarray(0, at));
    this.bytes = wider;
  }
}

class Bytes implements TypedColumn {
  readonly #nulls: Nulls;
  readonly #write: WriteBytes;
  readonly #words: string;
  readonly #to = new GrowingBytes();
  #offsets = new Uint32Array(1_024);
  #rows = 0;

  constructor(isNullable: boolean, write: WriteBytes, words: string) {
    this.#nulls = new Nulls(isNullable);
    this.#write = write;
    this.#words = words;
  }

  get bytes(): number {
    return this.#offsets[this.#rows]! + this.#rows * 4;
  }

  add(bytes: Uint8Array, start: number, end: number): string | null {
    const at = this.#offsets[this.#rows]!;
    const behind = this.#write(bytes, start, end, this.#to, at);
    if (behind === -1) return `“${shown(bytes, start, end)}”, which is not ${this.#words}`;
    this.#push(behind);
    return null;
  }

  addNull(): string | null {
    const wrong = this.#nulls.add(this.#rows);
    if (wrong === null) this.#push(this.#offsets[this.#rows]!);
    return wrong;
  }

  #push(behind: number): void {
    if (this.#rows + 2 > this.#offsets.length) {
      const wider = new Uint32Array(this.#offsets.length * 2);
      wider.set(this.#offsets);
      this.#offsets = wider;
    }
    this.#offsets[++this.#rows] = behind;
  }

  take(): ColumnVector {
    const rows = this.#rows;
    const offsets = this.#offsets.slice(0, rows + 1);
    const bytes = this.#to.bytes.slice(0, offsets[rows]);
    this.#rows = 0;
    return { kind: 'variable', bytes, offsets, nulls: this.#nulls.take(rows) };
  }
}

class Uuids implements TypedColumn {
  readonly #nulls: Nulls;
  readonly #to = new GrowingBytes();
  #rows = 0;

  constructor(isNullable: boolean) {
    this.#nulls = new Nulls(isNullable);
  }

  get bytes(): number {
    return this.#rows * 16;
  }

  add(bytes: Uint8Array, start: number, end: number): string | null {
    this.#to.room(this.#rows * 16, 16);
    if (!readUuid(bytes, start, end, this.#to.bytes, this.#rows * 16))
      return `“${shown(bytes, start, end)}”, which is not a UUID`;
    this.#rows++;
    return null;
  }

  addNull(): string | null {
    const wrong = this.#nulls.add(this.#rows);
    if (wrong === null) this.#to.room(this.#rows++ * 16, 16);
    return wrong;
  }

  take(): ColumnVector {
    const rows = this.#rows;
    this.#rows = 0;
    const bytes = this.#to.bytes.slice(0, rows * 16);
    return { kind: 'fixed', bytes, offset: 0, stride: 16, width: 16, nulls: this.#nulls.take(rows) };
  }
}

/** The value of each hexadecimal digit by its code; 16: the character is none. */
const hexValues = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 16 : value;
});

/** Reads 32 hexadecimal digits, with or without dashes at their places, into 16 bytes; false: the text is no UUID. */
function readUuid(bytes: Uint8Array, start: number, end: number, to: Uint8Array, at: number): boolean {
  const hasDashes = end - start === 36;
  if (!hasDashes && end - start !== 32) return false;
  let from = start;
  for (let i = 0; i < 16; i++) {
    if (hasDashes && (i === 4 || i === 6 || i === 8 || i === 10) && bytes[from++] !== dash) return false;
    const high = hexValues[bytes[from++]!]!;
    const low = hexValues[bytes[from++]!]!;
    if (high === 16 || low === 16) return false;
    to[at + i] = high * 16 + low;
  }
  return true;
}

const longestShown = 60;

/** The beginning of a value for a message. */
const shown = (bytes: Uint8Array, start: number, end: number): string => {
  const text = textOf(bytes, start, Math.min(end, start + 4 * longestShown));
  return text.length > longestShown || end - start > 4 * longestShown ? `${text.slice(0, longestShown)}…` : text;
};

/** The digits at [start … end) as a number; NaN: there are other characters, or none. */
function digits(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end) return Number.NaN;
  let value = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte < zero || byte > nine) return Number.NaN;
    value = value * 10 + byte - zero;
  }
  return value;
}

const readInteger: ReadNumber = (bytes, start, end) => {
  const isNegative = bytes[start] === minus;
  const from = isNegative ? start + 1 : start;
  if (end - from <= digitsOfNumber) {
    const value = digits(bytes, from, end);
    // A negative zero would be written as −0.
    return isNegative && value !== 0 ? -value : value;
  }
  const text = textOf(bytes, start, end);
  if (!/^-?\d{1,40}$/.test(text)) return Number.NaN;
  const exact = BigInt(text);
  if (BigInt.asIntN(64, exact) !== exact) return Number.NaN;
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : String(exact);
};

function readDecimal(precision: number, scale: number): ReadNumber {
  const most = 10 ** precision;
  return (bytes, start, end) => {
    const isNegative = bytes[start] === minus;
    const from = isNegative ? start + 1 : start;
    let whole = from;
    while (whole < end && bytes[whole] !== point) whole++;
    const places = whole === end ? 0 : end - whole - 1;
    // The usual form: digits, with at most as many decimal places as the column has.
    if (end - from <= digitsOfNumber && places <= scale && whole > from && (whole === end || places > 0)) {
      const before = digits(bytes, from, whole);
      const after = places === 0 ? 0 : digits(bytes, whole + 1, end);
      const value = before * 10 ** scale + after * 10 ** (scale - places);
      if (!Number.isNaN(value)) return value >= most ? Number.NaN : isNegative && value !== 0 ? -value : value;
    }
    const exact = exactDecimal(bytes, start, end, precision, scale);
    return exact === null ? Number.NaN : Number(exact.unscaled);
  };
}

function exactDecimal(bytes: Uint8Array, start: number, end: number, precision: number, scale: number) {
  if (end - start > 500 || bytes[start] === plus) return null;
  const decimal = parseDecimal(textOf(bytes, start, end));
  const exact = decimal && rescaled(decimal, scale);
  return exact !== null && precisionOf(exact) <= precision ? exact : null;
}

const writeDecimal =
  (precision: number, scale: number): WriteBytes =>
  (bytes, start, end, to, at) => {
    const exact = exactDecimal(bytes, start, end, precision, scale);
    return exact === null ? -1 : append(Buffer.from(decimalText(exact), 'latin1'), to, at);
  };

const colon = 58;
const dash = 45;
const [space, letterT, letterZ] = [32, 84, 90];
const dayMs = 86_400_000;

/** µs since 1970; NaN if there is no such time, or if a double cannot hold it. */
const readTime: ReadNumber = (bytes, start, end) => {
  const length = end - start;
  const at = (i: number) => bytes[start + i]!;
  // The usual forms are read without making a text: a day, or a time in UTC with at most six digits of a second.
  const isUtc = length > 10 && at(length - 1) === letterZ;
  const bare = isUtc ? length - 1 : length;
  if ((bare === 10 || bare === 19 || (bare > 20 && bare <= 26)) && at(4) === dash && at(7) === dash) {
    const year = digits(bytes, start, start + 4);
    const month = digits(bytes, start + 5, start + 7);
    const day = digits(bytes, start + 8, start + 10);
    const dayStart = startOfDay(year, month, day);
    if (bare === 10) return dayStart * 1_000;
    if (at(13) === colon && at(16) === colon && (at(10) === space || at(10) === letterT)) {
      const hour = digits(bytes, start + 11, start + 13);
      const minute = digits(bytes, start + 14, start + 16);
      const second = digits(bytes, start + 17, start + 19);
      const places = bare - 20;
      const fraction = bare === 19 ? 0 : at(19) === point ? digits(bytes, start + 20, start + bare) : Number.NaN;
      if (hour < 24 && minute < 60 && second < 60 && !Number.isNaN(fraction)) {
        const us = (dayStart + (hour * 3_600 + minute * 60 + second) * 1_000) * 1_000;
        return exactTimeOf(us, bare === 19 ? 0 : fraction * 10 ** (6 - places));
      }
    }
  }
  const text = textOf(bytes, start, end);
  if (!timePattern.test(text) || /\.\d{6}\d*[1-9]/.test(text)) return Number.NaN;
  const time = timeOf(text);
  return time === null ? Number.NaN : exactTimeOf(time.ms * 1_000, microseconds(text) - time.ms * 1_000);
};

/** The sum; NaN if it is beyond a double's whole numbers and not exact. */
const exactTimeOf = (us: number, more: number): number =>
  Number.isSafeInteger(us + more) || (more === 0 && us % 1_000_000 === 0) ? us + more : Number.NaN;

/** ms since 1970; NaN if there is no such day. Most rows have the same day as the row before, which is remembered. */
function startOfDay(year: number, month: number, day: number): number {
  const wanted = year * 10_000 + month * 100 + day;
  if (wanted === known.wanted) return known.ms;
  const ms = Date.UTC(year < 100 ? 400 + year : year, month - 1, day) - (year < 100 ? 146_097 * dayMs : 0);
  const date = new Date(ms);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  known = { wanted, ms: isDay ? ms : Number.NaN };
  return known.ms;
}
let known = { wanted: Number.NaN, ms: Number.NaN };

const readBoolean: ReadNumber = (bytes, start, end) => {
  if (end - start > 5) return Number.NaN;
  switch (textOf(bytes, start, end).toLowerCase()) {
    case 'true':
    case 't':
    case '1':
      return 1;
    case 'false':
    case 'f':
    case '0':
      return 0;
    default:
      return Number.NaN;
  }
};

function append(value: Uint8Array, to: GrowingBytes, at: number): number {
  to.room(at, value.length);
  to.bytes.set(value, at);
  return at + value.length;
}

const writeHexBytes =
  (maxLength: number): WriteBytes =>
  (bytes, start, end, to, at) => {
    const text = textOf(bytes, start, end);
    if (!/^(0x|\\x)([0-9a-f]{2})*$/i.test(text) || (text.length - 2) / 2 > maxLength) return -1;
    return append(Buffer.from(text.slice(2), 'hex'), to, at);
  };

const writeText =
  (maxLength: number): WriteBytes =>
  (bytes, start, end, to, at) => {
    to.room(at, end - start);
    const target = to.bytes;
    let behind = at;
    let characters = 0;
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!;
      // Counts the bytes that begin a character. Servers that count UTF-16 units count some characters twice.
      if ((byte & 0xc0) !== 0x80) characters += byte >= 0xf0 ? 2 : 1;
      target[behind++] = byte;
    }
    if (characters > maxLength) return -1;
    return characters === end - start || isUtf8(bytes.subarray(start, end)) ? behind : -1;
  };

const writeDocument =
  (maxLength: number): WriteBytes =>
  (bytes, start, end, to, at) => {
    const text = textOf(bytes, start, end);
    return text.length > maxLength || !isExactDocument(text) ? -1 : append(bytes.subarray(start, end), to, at);
  };

/** True for a JSON object or list whose numbers are doubles. */
function isExactDocument(text: string): boolean {
  try {
    const value: unknown = parseExactly(text);
    return typeof value === 'object' && value !== null && digitsOf(value) === null && isExact(value);
  } catch {
    return false;
  }
}

function isExact(value: unknown): boolean {
  const written = digitsOf(value);
  if (written === null)
    return typeof value !== 'object' || value === null || Object.values(value).every((inner) => isExact(inner));
  const decimal = parseDecimal(written);
  const double = parseDecimal(String(Number(written)));
  if (decimal === null || double === null) return false;
  const scale = Math.max(decimal.scale, double.scale);
  return rescaled(decimal, scale)?.unscaled === rescaled(double, scale)?.unscaled;
}
