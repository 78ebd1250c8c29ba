/*
 * Private members of tedious that this file uses; driver-privates.test.ts has a contract for each:
 * Connection.config.options, value-parser.readValue.
 */
import { createRequire } from 'node:module';
import type { Connection } from 'tedious';
import { decimalText } from '#model/text/exact-decimal.ts';

/*
 * The driver makes a JavaScript number of every decimal and a Date of every time: 12345678901234567.89 is rounded, and
 * a datetime2 loses the digits below a millisecond. It has no setting for it and keeps no bytes. So the function by
 * which its rows read a value is replaced, from the first answer on whose values are shown or captured. It reads
 * differently only while a connection waits for such an answer (lib/value-parser.js, tedious 19).
 */

/** A value, and the position behind it in the buffer. */
interface Read {
  readonly value: unknown;
  readonly offset: number;
}
interface Metadata {
  readonly type: { readonly name: string };
  readonly scale?: number;
}
type ReadValue = (buffer: Buffer, offset: number, metadata: Metadata, options: object) => Read;
interface ValueParser {
  readValue: ReadValue;
}

/** A time whose text in clients is rounded: datetime counts in 1/300 s and is shown in ms. */
interface RoundedTime {
  readonly shown: string;
  /** The time to 100 ns, as the server converts it to datetime2(7). */
  readonly exact: string;
}
export const isRounded = (value: unknown): value is RoundedTime =>
  typeof value === 'object' && value !== null && 'shown' in value && 'exact' in value;

const exactly: unique symbol = Symbol('values are read exactly');
type Options = object & { [exactly]?: boolean };

let isInstalled = false;
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const parser = createRequire(import.meta.url)('tedious/lib/value-parser') as ValueParser;
  const { readValue } = parser;
  parser.readValue = (buffer, offset, metadata, options: Options) =>
    (options[exactly] ? readExactly(buffer, offset, metadata) : null) ?? readValue(buffer, offset, metadata, options);
}

/** While `work` runs, answers on this connection have decimals, money and times as text with all digits. */
export async function withExactValues<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  install();
  // The types lack it; the parser of answers has the same object.
  const { options } = (connection as unknown as { readonly config: { readonly options: Options } }).config;
  options[exactly] = true;
  try {
    return await work();
  } finally {
    options[exactly] = false;
  }
}

/** Null: the driver's own reading is exact, or has to wait for more bytes ([MS-TDS] 2.2.5.5). */
function readExactly(buffer: Buffer, offset: number, { type, scale = 0 }: Metadata): Read | null {
  switch (type.name) {
    case 'Money':
      return sized(buffer, offset, 8, (at) => money(buffer, at, 8));
    case 'SmallMoney':
      return sized(buffer, offset, 4, (at) => money(buffer, at, 4));
    case 'DateTime':
      return sized(buffer, offset, 8, (at) => dateTime(buffer, at));
    case 'SmallDateTime':
      return sized(buffer, offset, 4, (at) => smallDateTime(buffer, at));
    case 'Variant':
      return variant(buffer, offset);
    default: {
      const reader = readers[type.name];
      const length = buffer[offset];
      if (!reader || length === undefined || length === 0) return null;
      return sized(buffer, offset + 1, length, (at) => reader(buffer, at, length, scale));
    }
  }
}

function sized(buffer: Buffer, offset: number, length: number, read: (at: number) => unknown): Read | null {
  return buffer.length < offset + length ? null : { value: read(offset), offset: offset + length };
}

type Reader = (buffer: Buffer, at: number, length: number, scale: number) => unknown;
/** Types whose values have their length in one byte before them. */
const readers: Readonly<Record<string, Reader>> = {
  NumericN: decimal,
  DecimalN: decimal,
  MoneyN: money,
  DateTimeN: (buffer, at, length) => (length === 4 ? smallDateTime(buffer, at) : dateTime(buffer, at)),
  Date: (buffer, at) => day(buffer.readUIntLE(at, 3) - epochDay),
  Time: (buffer, at, length, scale) => timeOfDay(buffer.readUIntLE(at, length), scale),
  DateTime2: dateTime2,
  DateTimeOffset: dateTimeOffset,
};

function decimal(buffer: Buffer, at: number, length: number, scale: number): string {
  let magnitude = 0n;
  for (let i = at + length - 1; i > at; i--) magnitude = (magnitude << 8n) | BigInt(buffer[i]!);
  return decimalText({ unscaled: buffer[at] === 1 ? magnitude : -magnitude, scale });
}

function money(buffer: Buffer, at: number, length: number): string {
  const unscaled =
    length === 4
      ? BigInt(buffer.readInt32LE(at))
      : (BigInt(buffer.readInt32LE(at)) << 32n) | BigInt(buffer.readUInt32LE(at + 4));
  return decimalText({ unscaled, scale: 4 });
}

const msPerDay = 86_400_000;
/** Days from 0001-01-01 and from 1900-01-01 to 1970-01-01. */
const epochDay = 719_162;
const epochSince1900 = 25_567;

const day = (since1970: number): string => new Date(since1970 * msPerDay).toISOString().slice(0, 10);

/** Units of 10^−scale s since midnight. */
function timeOfDay(units: number, scale: number): string {
  const unit = 10 ** scale;
  const seconds = Math.floor(units / unit);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return scale === 0 ? text : `${text}.${String(units % unit).padStart(scale, '0')}`;
}

function dateTime2(buffer: Buffer, at: number, length: number, scale: number): string {
  const behind = at + length - 3;
  return `${day(buffer.readUIntLE(behind, 3) - epochDay)} ${timeOfDay(buffer.readUIntLE(at, length - 3), scale)}`;
}

/** datetimeoffset is sent as UTC with its offset in minutes; the local time is shown. */
function dateTimeOffset(buffer: Buffer, at: number, length: number, scale: number): string {
  const unit = 10 ** scale;
  const offset = buffer.readInt16LE(at + length - 2);
  const unitsPerDay = 86_400 * unit;
  const units = buffer.readUIntLE(at, length - 5) + offset * 60 * unit;
  const days = Math.floor(units / unitsPerDay);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  const date = day(buffer.readUIntLE(at + length - 5, 3) - epochDay + days);
  return `${date} ${timeOfDay(units - days * unitsPerDay, scale)} ${zone}`;
}

function dateTime(buffer: Buffer, at: number): RoundedTime {
  const date = day(buffer.readInt32LE(at) - epochSince1900);
  const ticks = buffer.readInt32LE(at + 4);
  return {
    shown: `${date} ${timeOfDay(Math.round((ticks * 10) / 3), 3)}`,
    exact: `${date} ${timeOfDay(Math.round((ticks * 100_000) / 3), 7)}`,
  };
}

const smallDateTime = (buffer: Buffer, at: number): string =>
  `${day(buffer.readUInt16LE(at) - epochSince1900)} ${timeOfDay(buffer.readUInt16LE(at + 2) * 60, 0)}`;

/** sql_variant: length in four bytes, base type, length of its properties, the properties, the value (2.2.5.5.4). */
function variant(buffer: Buffer, offset: number): Read | null {
  if (buffer.length < offset + 6) return null;
  const length = buffer.readUInt32LE(offset);
  if (length === 0 || buffer.length < offset + 4 + length) return null;
  const properties = buffer[offset + 5]!;
  const at = offset + 6 + properties;
  const rest = length - 2 - properties;
  const value = variantReaders[buffer[offset + 4]!]?.(buffer, at, rest, properties === 0 ? 0 : buffer[at - 1]!);
  return value === undefined ? null : { value, offset: at + rest };
}

/** The readers by base type. The scale is the last of the properties. */
const variantReaders: Readonly<Record<number, Reader>> = {
  40: (buffer, at) => day(buffer.readUIntLE(at, 3) - epochDay),
  41: (buffer, at, length, scale) => timeOfDay(buffer.readUIntLE(at, length), scale),
  42: dateTime2,
  43: dateTimeOffset,
  58: smallDateTime,
  60: money,
  61: dateTime,
  106: decimal,
  108: decimal,
  122: money,
};
