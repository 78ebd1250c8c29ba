import { utf8Length, writeBytes, writeUtf8 } from '../../shared/wire-bytes.ts';
import type { ParameterValue } from '../values/values.ts';

/**
 * The messages of one call (manual, "Message Flow" and "Message Formats"), ready to be sent in one piece. `pg` makes
 * objects of a call while the clock runs, and several pieces for the socket: half of the client's time for a short one.
 */

/** The first byte of what simpleQuery() makes: Q. */
export const simpleQueryType = 0x51;

/** A text without parameters, which may contain several statements. */
export const simpleQuery = (text: string): Buffer => message('Q', Buffer.from(`${text}\0`));

/**
 * The unnamed statement, which is parsed, bound, described and executed, because the client does not know its columns
 * yet.
 */
export const executeUnnamed = (
  text: string,
  values: readonly ParameterValue[],
  types: readonly number[] = [],
): Buffer => Buffer.concat([parse('', text, types), bindUnnamed(values)]);

/** A named statement that the server has parsed, which is bound and executed. */
export const executeNamed = (name: string): Binder => binder(name, executeSync);

/** `types`: the object ids of the parameters' types. The server infers missing ones and zeros. */
export function parse(name: string, text: string, types: readonly number[]): Buffer {
  const declared = Buffer.alloc(2 + 4 * types.length);
  let at = declared.writeUInt16BE(types.length);
  for (const type of types) at = declared.writeUInt32BE(type, at);
  return message('P', Buffer.concat([Buffer.from(`${name}\0${text}\0`), declared]));
}

/** Gives a named statement up, and parses it again with other types. */
export const parseAgain = (name: string, text: string, types: readonly number[]): Buffer =>
  Buffer.concat([message('C', Buffer.from(`S${name}\0`)), parse(name, text, types)]);

function message(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The end of messages of the extended protocol. */
export const sync: Buffer = message('S', Buffer.alloc(0));
/** Executes the unnamed portal for all of its rows. */
export const executeSync: Buffer = Buffer.concat([message('E', Buffer.alloc(5)), sync]);
const bindUnnamed = binder('', Buffer.concat([message('D', Buffer.from('P\0')), executeSync]));

/** The beginning of the Bind of a statement to the unnamed portal; its length is filled in later. */
export function bindHead(statement: string): Buffer {
  return Buffer.from(`B\0\0\0\0\0${statement}\0`, 'latin1');
}

/** Makes the Bind of a statement from its values, and the messages behind it. */
export type Binder = (values: readonly ParameterValue[]) => Buffer;

/** `then`: the messages that follow. Buffers are sent in binary format, all else as text; answers are text. */
function binder(statement: string, then: Buffer): Binder {
  const head = bindHead(statement);
  return (values) => {
    const count = values.length;
    let length = head.length + 6 * count + 6;
    for (let i = 0; i < count; i++) length += bytesOf(values[i]!);
    const bytes = Buffer.allocUnsafe(length + then.length);
    writeBytes(bytes, 0, head);
    writeInt32(bytes, 1, length - 1);
    let at = writeInt16(bytes, head.length, count);
    for (let i = 0; i < count; i++) at = writeInt16(bytes, at, Buffer.isBuffer(values[i]) ? 1 : 0);
    at = writeInt16(bytes, at, count);
    for (let i = 0; i < count; i++) at = writeField(bytes, at, values[i]!);
    writeBytes(bytes, writeInt16(bytes, at, 0), then);
    return bytes;
  };
}

/** The bytes of a parameter's value; a null has none. */
function bytesOf(value: ParameterValue): number {
  if (typeof value === 'number' && isShortWhole(value)) return digits(value);
  if (value === null) return 0;
  return typeof value === 'object' ? value.length : utf8Length(String(value));
}

/** Writes a length and the value; returns the position behind it. */
function writeField(to: Buffer, at: number, value: ParameterValue): number {
  if (value === null) return writeInt32(to, at, -1);
  const from = at + 4;
  const end =
    typeof value === 'number' && isShortWhole(value)
      ? writeDigits(to, from, value)
      : typeof value === 'object'
        ? from + value.copy(to, from)
        : writeUtf8(to, from, String(value));
  writeInt32(to, at, end - from);
  return end;
}

/** Writes a 16-bit number; returns the position behind it. */
export function writeInt16(to: Uint8Array, at: number, value: number): number {
  to[at] = value >> 8;
  to[at + 1] = value;
  return at + 2;
}

/** Writes a 32-bit number; returns the position behind it. */
export function writeInt32(to: Uint8Array, at: number, value: number): number {
  to[at] = value >> 24;
  to[at + 1] = value >> 16;
  to[at + 2] = value >> 8;
  to[at + 3] = value;
  return at + 4;
}

/** True for whole numbers from 0 to below 2^31 without −0, which are written without making a string of each. */
export const isShortWhole = (value: number): boolean => (value | 0) === value && (value > 0 || Object.is(value, 0));

function digits(whole: number): number {
  let count = 1;
  for (let rest = (whole / 10) | 0; rest > 0; rest = (rest / 10) | 0) count++;
  return count;
}

/** Writes a number that {@link isShortWhole}; returns the position behind it. */
export function writeDigits(to: Uint8Array, at: number, whole: number): number {
  const end = at + digits(whole);
  let rest = whole;
  for (let p = end - 1; p >= at; p--) {
    const tens = (rest / 10) | 0;
    to[p] = 0x30 + rest - 10 * tens;
    rest = tens;
  }
  return end;
}
