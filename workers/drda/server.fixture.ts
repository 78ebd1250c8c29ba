import type { Socket } from 'node:net';
import { listening } from '#platform/listening.fixture.ts';
import { codePoints } from './ddm/code-points.ts';
import { readObjects } from './ddm/read-objects.ts';
import type { Value } from './fdoca/parameters.ts';

/**
 * The other side of the protocol, written apart from the client: plain, slow, and straight from the tables of the
 * standard, so that the two check each other. Buffers are put together with `concat`, values with one line per type.
 */

const u8 = (value: number) => Buffer.of(value & 0xff);
export const u16 = (value: number) => Buffer.of((value >> 8) & 0xff, value & 0xff);
const u32 = (value: number) => Buffer.concat([u16(Math.floor(value / 0x10000)), u16(value % 0x10000)]);
const i64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const text = (value: string) => {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u16(bytes.length), bytes]);
};
const either = (value: string) => Buffer.concat([text(value), u16(0)]);

/** A DDM object with a short or an extended length. */
export function ddm(codePoint: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts);
  return value.length + 4 <= 0x7fff
    ? Buffer.concat([u16(value.length + 4), u16(codePoint), value])
    : Buffer.concat([u16(0x8008), u16(codePoint), u32(value.length), value]);
}

export const replyType = 2;
export const objectType = 3;

/** A DSS, in segments where it has to be. `more`: the chain goes on. */
export function dss(type: number, correlation: number, more: boolean, ...objects: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(objects);
  const format = u8(type | (more ? 0x40 : 0));
  if (value.length + 6 <= 0x7fff)
    return Buffer.concat([u16(value.length + 6), u8(0xd0), format, u16(correlation), value]);
  const parts = [u16(0xffff), u8(0xd0), format, u16(correlation), value.subarray(0, 0x7fff - 6)];
  for (let at = 0x7fff - 6; at < value.length; at += 0x7fff - 2) {
    const rest = value.length - at;
    parts.push(u16(rest > 0x7fff - 2 ? 0xffff : rest + 2), value.subarray(at, at + 0x7fff - 2));
  }
  return Buffer.concat(parts);
}

interface Card {
  readonly sqlCode?: number;
  readonly sqlState?: string;
  readonly rows?: number;
  readonly message?: string;
  /** SQLDIAGGRP with this many conditions; left out: null. */
  readonly conditions?: number;
}

export function sqlca({ sqlCode = 0, sqlState = '     ', rows = 0, message = '', conditions }: Card = {}): Buffer {
  return Buffer.concat([
    u8(0),
    u32(sqlCode < 0 ? sqlCode + 2 ** 32 : sqlCode),
    Buffer.from(sqlState, 'latin1'),
    Buffer.from('CSS10160', 'latin1'),
    ...[u8(0), u32(0), u32(0), u32(rows), u32(0), u32(0), u32(0), Buffer.alloc(11, 0x20)],
    ...[u16(0), either(message)],
    conditions === undefined ? u8(0xff) : diagnostics(conditions),
  ]);
}

/** SQLDIAGGRP: no statement, conditions with an SQLCODE, state, numbers and no texts, no connections. */
function diagnostics(conditions: number): Buffer {
  const noTexts = Buffer.alloc(8, 0xff);
  const one = Buffer.concat([Buffer.alloc(4 + 5 + 4 + 4 + 8 + 47), u16(0), u8(0xff), noTexts, u8(0xff)]);
  return Buffer.concat([u8(0), u8(0xff), u8(0), u16(conditions), ...Array<Buffer>(conditions).fill(one), u8(0xff)]);
}

export const sqlcard = (card?: Card | null) => ddm(codePoints.SQLCARD, card === null ? u8(0xff) : sqlca(card));

export interface Described {
  readonly name?: string;
  readonly sqlType: number;
  readonly ccsid?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly length?: number;
}

export function sqldard(columns: readonly Described[]): Buffer {
  return ddm(
    codePoints.SQLDARD,
    sqlca(),
    ...[u8(0), Buffer.alloc(12), u16(0), either('')],
    u16(columns.length),
    ...columns.map(({ name = '', sqlType, ccsid = 1208, precision = 0, scale = 0, length = 0 }) =>
      Buffer.concat([
        ...[u16(precision), u16(scale), i64(BigInt(length)), u16(sqlType), u16(ccsid)],
        ...[u8(0), u16(0), either(name), either(''), either('')],
        (sqlType & ~1) === 2000 ? Buffer.concat([either('APP.POINT'), either('java.awt.Point')]) : u8(0xff),
        ...[u8(0), Buffer.alloc(8), u16(0), either(''), either('T'), either('APP'), either(name)],
      ]),
    ),
  );
}

/** A column on the wire: descriptor type and its two bytes. */
export interface Wire {
  readonly type: number;
  readonly length: number;
}

function triplets(columns: readonly Wire[]): Buffer {
  const parts: Buffer[] = [];
  for (let first = 0; first === 0 || first < columns.length; first += 84) {
    const group = columns.slice(first, first + 84);
    parts.push(Buffer.of(3 + group.length * 3, first === 0 ? 0x76 : 0x7f, first === 0 ? 0xd0 : 0));
    for (const { type, length } of group) parts.push(u8(type), u16(length));
  }
  return Buffer.concat(parts);
}

const rowLayouts = Buffer.from('0971e0540001d000010671f0e00000', 'hex');
export const qrydsc = (columns: readonly Wire[]) => ddm(codePoints.QRYDSC, triplets(columns), rowLayouts);
export const endOfRows = Buffer.concat([sqlca({ sqlCode: 100, sqlState: '02000' }), u8(0xff)]);
export const qrydta = (...rows: readonly Uint8Array[]) => ddm(codePoints.QRYDTA, ...rows);

/** A row as QRYDTA has it, and the EXTDTA objects that follow it. */
export function rowData(
  columns: readonly Wire[],
  values: readonly Value[],
): { readonly row: Buffer; readonly lobs: readonly Buffer[] } {
  const lobs: Buffer[] = [];
  const parts = columns.map(({ type, length }, at) => {
    const value = values[at] ?? null;
    if (value === null) return u8(0xff);
    const indicator = type & 1 ? u8(0) : Buffer.alloc(0);
    const bytes = valueBytes(type & ~1, length, value);
    if (bytes !== null) return Buffer.concat([indicator, bytes]);
    const content = typeof value === 'string' ? Buffer.from(value, 'utf8') : (value as Uint8Array);
    if (content.length > 0) lobs.push(ddm(codePoints.EXTDTA, indicator, content));
    return Buffer.concat([indicator, u32(content.length === 0 ? 0 : 0x80000000)]);
  });
  return { row: Buffer.concat([u8(0xff), u8(0), ...parts]), lobs };
}

/** Null for LOBs. */
function valueBytes(type: number, length: number, value: Exclude<Value, null>): Buffer | null {
  const bytes = Buffer.alloc(8);
  switch (type) {
    case 0x02:
      return u32(Number(value) < 0 ? Number(value) + 2 ** 32 : Number(value));
    case 0x04:
      return u16(Number(value));
    case 0x06:
      return u8(Number(value));
    case 0x0a:
      bytes.writeDoubleBE(Number(value));
      return bytes;
    case 0x0c:
      bytes.writeFloatBE(Number(value));
      return bytes.subarray(0, 4);
    case 0x0e:
      return packed(String(value), length >> 8, length & 0xff);
    case 0x16:
      return i64(BigInt(value as bigint));
    case 0x20:
    case 0x22:
      return Buffer.from(String(value), 'latin1');
    case 0x24:
      return Buffer.from(String(value).replace(' ', '-').replaceAll(':', '.'), 'latin1');
    case 0x26:
      return Buffer.from(value as Uint8Array);
    case 0x28:
    case 0x2a:
    case 0x50:
      return Buffer.concat([u16((value as Uint8Array).length), value as Uint8Array]);
    case 0x30:
    case 0x3c:
      return Buffer.from(String(value), 'utf8');
    case 0x32:
    case 0x34:
    case 0x3e:
    case 0x40:
      return text(String(value));
    case 0xbe:
      return u8(value ? 1 : 0);
    default:
      return null;
  }
}

/** Packed decimal, by way of hexadecimal digits. */
function packed(value: string, precision: number, scale: number): Buffer {
  const negative = value.startsWith('-');
  const [whole = '', fraction = ''] = value.replace('-', '').split('.');
  const digits = whole + fraction.padEnd(scale, '0');
  const width = precision % 2 === 0 ? precision + 1 : precision;
  return Buffer.from(digits.slice(-width).padStart(width, '0') + (negative ? 'd' : 'c'), 'hex');
}

/** One command of a request chain, with the objects in the data structures that belong to it. */
export interface Command {
  readonly correlation: number;
  readonly codePoint: number;
  readonly value: Buffer;
  readonly data: readonly { readonly codePoint: number; readonly value: Buffer }[];
}

/** Reads whole chains out of a stream of requests; checks what DDMReader of Derby's server checks. */
export class RequestReader {
  #bytes = Buffer.alloc(0);
  #commands: { correlation: number; codePoint: number; value: Buffer; data: { codePoint: number; value: Buffer }[] }[] =
    [];

  push(chunk: Uint8Array): readonly (readonly Command[])[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const chains: Command[][] = [];
    for (;;) {
      const frame = wholeFrame(this.#bytes);
      if (frame === null) return chains;
      this.#bytes = this.#bytes.subarray(frame.length);
      const objects: { codePoint: number; value: Buffer }[] = [];
      readObjects(frame.value, 0, frame.value.length, (codePoint, buffer, start, end) => {
        objects.push({ codePoint, value: Buffer.from(buffer.subarray(start, end)) });
      });
      if (frame.type === 1) {
        const [command] = objects;
        if (objects.length !== 1 || command === undefined) throw new Error('a request DSS holds one command');
        this.#commands.push({ correlation: frame.correlation, ...command, data: [] });
      } else {
        const command = this.#commands.at(-1);
        if (command?.correlation !== frame.correlation) throw new Error('data without its command');
        command.data.push(...objects);
      }
      if (frame.follows === 0x10) throw new Error('same correlation, but no chain');
      if (frame.follows === 0) chains.push(this.#commands.splice(0));
    }
  }
}

function wholeFrame(bytes: Buffer) {
  if (bytes.length < 6) return null;
  if (bytes[2] !== 0xd0) throw new Error('not DRDA');
  const parts: Buffer[] = [];
  let at = 0;
  for (let header = 6; ; header = 2) {
    if (bytes.length < at + 2) return null;
    const claimed = bytes.readUInt16BE(at);
    const length = claimed & 0x7fff;
    if (bytes.length < at + length) return null;
    parts.push(bytes.subarray(at + header, at + length));
    at += length;
    if (claimed < 0x8000) break;
    if (length !== 0x7fff) throw new Error('a segment that goes on is full');
  }
  const format = bytes[3]!;
  return {
    length: at,
    type: format & 0x0f,
    follows: format & 0x70,
    correlation: bytes.readUInt16BE(4),
    value: Buffer.concat(parts),
  };
}

/**
 * The values of an SQLDTA with its EXTDTA, as the server decodes them: the inverse of `rowData`, strings for decimals.
 */
export function parameters(
  { data }: Command,
  lobStatus: boolean,
): { readonly wires: readonly Wire[]; readonly values: readonly Value[] } {
  const wires: Wire[] = [];
  const values: Value[] = [];
  const lobs = data.filter(({ codePoint }) => codePoint === codePoints.EXTDTA).map(({ value }) => value);
  const sqldta = data.find(({ codePoint }) => codePoint === codePoints.SQLDTA);
  if (sqldta === undefined) throw new Error('no SQLDTA');
  readObjects(sqldta.value, 0, sqldta.value.length, (codePoint, buffer, start, end) => {
    const value = buffer.subarray(start, end);
    if (codePoint === codePoints.FDODSC) wires.push(...describedBy(value));
    else if (codePoint === codePoints.FDODTA) values.push(...decoded(wires, value, lobs, lobStatus));
    else throw new Error('neither FDODSC nor FDODTA');
  });
  if (lobs.length > 0) throw new Error('EXTDTA without a LOB');
  return { wires, values };
}

function describedBy(value: Buffer): Wire[] {
  const wires: Wire[] = [];
  let at = 0;
  for (; value.length - at > 6; at += value[at]!)
    for (let n = at + 3; n < at + value[at]!; n += 3)
      wires.push({ type: value[n]!, length: value.readUInt16BE(n + 1) });
  if (value.subarray(at).toString('hex') !== '0671e4d00001') throw new Error('no row layout');
  return wires;
}

function decoded(wires: readonly Wire[], bytes: Buffer, lobs: Buffer[], lobStatus: boolean): Value[] {
  let at = 1;
  if (bytes[0] !== 0) throw new Error('a row of parameters that is null');
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('FDODTA too short');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const values = wires.map(({ type, length }): Value => {
    if (type & 1 && take(1)[0] === 0xff) return null;
    switch (type & ~1) {
      case 0x02:
        return take(4).readInt32BE(0);
      case 0x04:
        return take(2).readInt16BE(0);
      case 0x16:
        return take(8).readBigInt64BE(0);
      case 0x0a:
        return take(8).readDoubleBE(0);
      case 0x0c:
        return take(4).readFloatBE(0);
      case 0x0e:
        return unpacked(take(((length >> 8) >> 1) + 1), length & 0xff);
      case 0x20:
      case 0x22:
      case 0x24:
        return take(length).toString('latin1');
      case 0x28:
      case 0x2a:
        return Uint8Array.from(take(take(2).readUInt16BE(0)));
      case 0x3e:
      case 0x40:
        return take(take(2).readUInt16BE(0)).toString('utf8');
      case 0xbe:
        return take(1)[0] === 1;
      case 0xc8:
      case 0xce:
        return lobOf(type & ~1, take(4).readUInt32BE(0), lobs, lobStatus);
      default:
        throw new Error(`type ${type}`);
    }
  });
  if (at !== bytes.length) throw new Error('FDODTA too long');
  return values;
}

function lobOf(type: number, length: number, lobs: Buffer[], lobStatus: boolean): Value {
  const bytes = length === 0 ? Buffer.alloc(0) : lobs.shift();
  if (bytes === undefined) throw new Error('a LOB without EXTDTA');
  if (length > 0 && bytes[0] !== 0) throw new Error('EXTDTA without a null indicator');
  if (length > 0 && lobStatus && bytes.at(-1) !== 0x7f) throw new Error('EXTDTA without a status');
  const content = length === 0 ? bytes : bytes.subarray(1, lobStatus ? -1 : undefined);
  if (content.length !== length) throw new Error('EXTDTA of another length');
  return type === 0xc8 ? Uint8Array.from(content) : content.toString('utf8');
}

function unpacked(bytes: Buffer, scale: number): string {
  const hex = bytes.toString('hex');
  const digits = hex.slice(0, -1).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale).replace(/^0+(?=.)/, '');
  const sign = hex.endsWith('d') ? '-' : '';
  return sign + whole + (scale > 0 ? `.${digits.slice(digits.length - scale)}` : '');
}

/** Answers a chain with bytes, or with null: not at all. */
export type Answer = (chain: readonly Command[], socket: Socket, chains: number) => Uint8Array | null;

export interface FakeServer extends AsyncDisposable {
  readonly port: number;
  /** Chains of all connections, in the order they came. */
  readonly chains: readonly (readonly Command[])[];
}

/** A server on 127.0.0.1 that answers as a test says; `chains` counts a connection's chains from 0. */
export async function startFakeServer(answer: Answer): Promise<FakeServer> {
  const chains: (readonly Command[])[] = [];
  const server = await listening((socket) => {
    const reader = new RequestReader();
    let count = 0;
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const chain of reader.push(chunk)) {
          chains.push(chain);
          const reply = answer(chain, socket, count++);
          if (reply !== null && !socket.destroyed) socket.write(reply);
        }
      } catch {
        socket.destroy();
      }
    });
  });
  return { ...server, chains };
}
