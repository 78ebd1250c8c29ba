import type { Batch } from '#model/batch/batch.ts';
import { writeUuidText } from '#model/batch/decode.ts';
import { writeIsoTime } from '#model/batch/iso-time.ts';
import { isoTimeLength } from '#model/dataset/stored-type.ts';
import { Scratch } from '../../shared/scratch.ts';
import {
  asNumber,
  asText,
  asTime,
  asUuidText,
  asValue,
  endOf,
  formIn,
  formOf,
  startOf,
} from '../../shared/value-forms.ts';
import { utf8Length, writeBytes, writeUtf8 } from '../../shared/wire-bytes.ts';
import type { Parameters } from '../values/parameters.ts';
import { type ParameterValue, toParameters } from '../values/values.ts';

/**
 * The packets of calls (MySQL's documentation, "Command Phase"), ready to be sent, with the types and values that
 * mysql2 sends: it makes objects of each parameter while the clock runs.
 */

const comQuery = 0x03;
const comStmtExecute = 0x17;
/** Bytes before a packet's body. */
export const headBytes = 4;
/** A longer body goes in several packets, and the last one is shorter than this. */
export const mostBytes = 0xff_ff_ff;

/** Type bytes. */
const tiny = 0x01;
const double = 0x05;
const null_ = 0x06;
const longLong = 0x08;
const blob = 0xfc;
const varString = 0xfd;
const newDecimal = 0xf6;
/** A flag of the cursor type: the number of parameters follows. */
const parameterCountAvailable = 8;

/** The members of mysql2's typed parameters. */
interface Typed {
  readonly type: number;
  readonly value: unknown;
}

/** `attributes`: client and server have agreed on attributes of queries; there are none. */
export function queryPacket(sql: string, attributes: boolean): Buffer {
  const { packet, at } = openQuery(Buffer.byteLength(sql), attributes);
  packet.write(sql, at);
  return withHeads(packet);
}

/** One text of several statements, each as UTF-8. `attributes`: see {@link queryPacket}. */
export function queriesPacket(statements: readonly Uint8Array[], attributes: boolean): Buffer {
  const bytes = statements.reduce((sum, { length }) => sum + length + 1, -1);
  const { packet, at: first } = openQuery(bytes, attributes);
  let at = first;
  for (const [i, statement] of statements.entries()) {
    if (i > 0) packet[at++] = semicolon;
    at = writeBytes(packet, at, statement);
  }
  return withHeads(packet);
}
const semicolon = 0x3b;

/** The packet of a text of so many bytes, and the position of the text. */
function openQuery(bytes: number, attributes: boolean): { readonly packet: Buffer; readonly at: number } {
  const at = headBytes + (attributes ? 3 : 1);
  const packet = Buffer.allocUnsafe(at + bytes);
  packet[headBytes] = comQuery;
  if (attributes) {
    packet[headBytes + 1] = 0;
    packet[headBytes + 2] = 1;
  }
  return { packet, at };
}

/** Makes the COM_STMT_EXECUTE of a statement's calls. */
export class ExecuteEncoder {
  readonly #statement: number;
  readonly #attributes: boolean;
  readonly #parameters: Parameters;
  readonly #forms: readonly number[];
  /** The type of each column whose values are numbers. */
  readonly #isWhole: readonly boolean[];
  /** The declared type of the nulls of each column. */
  readonly #nullTypes: readonly number[];

  /** `attributes`: see {@link queryPacket}. */
  constructor(statement: number, parameters: Parameters, attributes: boolean) {
    const { types, sent } = parameters;
    this.#statement = statement;
    this.#attributes = attributes;
    this.#parameters = parameters;
    this.#isWhole = types.map(({ type }) => type.kind === 'bigint');
    this.#forms = types.map(({ type, uuidText }) => formOf(type, uuidText));
    this.#nullTypes = types.map((_, column) => (sent(null, column) as Typed | null)?.type ?? null_);
  }

  /** The packet of a call. */
  encode(batch: Batch): Buffer {
    const { types, order, sent } = this.#parameters;
    const width = types.length;
    const count = order.length;
    const { columns } = batch;
    out.begin(this.#statement, count, this.#attributes);
    let made: ParameterValue[][] | null = null;
    for (let i = 0; i < count; i++) {
      const at = order[i]!;
      const c = at % width;
      const row = (at - c) / width;
      const column = columns[c]!;
      const { nulls } = column;
      if (nulls !== null && nulls[row] === 1) {
        out.null(i, this.#nullTypes[c]!);
        continue;
      }
      const { type } = types[c]!;
      const form = formIn(column, this.#forms[c]!, type);
      if (form === asValue) {
        made ??= [];
        made[c] ??= toParameters(column, types[c]!, batch.rows);
        out.value(i, sent(made[c][row]!, c));
      } else if (column.kind === 'number') {
        const value = column.values[row]!;
        if (form === asTime) out.time(i, value);
        else if (form !== asNumber) out.flag(i, value === 1);
        else if (this.#isWhole[c]) out.whole(i, value);
        else out.double(i, value);
      } else {
        const start = startOf(column, row);
        if (form === asUuidText) out.uuidText(i, column.bytes, start);
        else out.bytes(i, form === asText ? varString : blob, column.bytes, start, endOf(column, row));
      }
    }
    return out.end();
  }
}

/** The COM_STMT_EXECUTE that is being written. The process has one. */
class PacketWriter {
  readonly #scratch = new Scratch();
  #packet = this.#scratch.bytes;
  #at = 0;
  #bits = 0;
  #types = 0;
  /** The bytes of a parameter's type. With attributes each has a name, which is empty. */
  #typeBytes = 2;
  /** Room that is kept for the numbers of the call: eight bytes each. */
  #numberBytes = 0;

  begin(statement: number, count: number, attributes: boolean): void {
    this.#typeBytes = attributes ? 3 : 2;
    this.#numberBytes = 8 * count;
    this.#at = 0;
    const bitBytes = (count + 7) >> 3;
    this.#room(headBytes + 20 + bitBytes + this.#typeBytes * count);
    const packet = this.#packet;
    packet[headBytes] = comStmtExecute;
    writeInt32(packet, headBytes + 1, statement);
    packet[headBytes + 5] = attributes ? parameterCountAvailable : 0;
    writeInt32(packet, headBytes + 6, 1);
    let at = headBytes + 10;
    if (attributes) at = writeLength(packet, at, count);
    if (count > 0) {
      this.#bits = at;
      for (let i = 0; i < bitBytes; i++) packet[at++] = 0;
      packet[at++] = 1; // the types follow
      this.#types = at;
      at += this.#typeBytes * count;
    }
    this.#at = at;
  }

  null(place: number, type: number): void {
    this.#packet[this.#bits + (place >> 3)]! |= 1 << (place & 7);
    this.#type(place, type);
  }

  /** A whole number below 2^53. */
  whole(place: number, value: number): void {
    this.#type(place, longLong);
    const at = writeInt32(this.#packet, this.#at, value | 0);
    this.#at = writeInt32(this.#packet, at, Math.floor(value / 0x1_0000_0000) | 0);
  }

  double(place: number, value: number): void {
    this.#type(place, double);
    this.#at = this.#packet.writeDoubleLE(value, this.#at);
  }

  flag(place: number, value: boolean): void {
    this.#type(place, tiny);
    this.#packet[this.#at++] = value ? 1 : 0;
  }

  bytes(place: number, type: number, from: Uint8Array, start: number, end: number): void {
    this.#length(place, type, end - start);
    this.#at = writeBytes(this.#packet, this.#at, from, start, end);
  }

  /** Writes a time in the form that dateTimeText() gives it. */
  time(place: number, us: number): void {
    this.#length(place, varString, isoTimeLength - 1);
    writeIsoTime(us, this.#packet, this.#at);
    this.#packet[this.#at + 10] = 0x20; // a space in place of the T; the Z is not sent
    this.#at += isoTimeLength - 1;
  }

  uuidText(place: number, from: Uint8Array, start: number): void {
    this.#length(place, varString, 36);
    this.#at = writeUuidText(from, start, this.#packet, this.#at);
  }

  value(place: number, value: ParameterValue): void {
    if (value === null) this.null(place, null_);
    else if (typeof value === 'string') this.#text(place, varString, value);
    else if (typeof value === 'boolean') this.flag(place, value);
    else if (Buffer.isBuffer(value)) this.bytes(place, blob, value, 0, value.length);
    else this.#typed(place, value as unknown as Typed);
  }

  /** Nulls and numbers with declared types (mysql2-driver.ts). */
  #typed(place: number, { type, value }: Typed): void {
    if (value === null) this.null(place, type);
    else if (type === double) this.double(place, value as number);
    else if (type === longLong) {
      this.#type(place, longLong);
      this.#at = this.#packet.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value as bigint)), this.#at);
    } else this.#text(place, newDecimal, String(value));
  }

  #text(place: number, type: number, text: string): void {
    this.#length(place, type, utf8Length(text));
    this.#at = writeUtf8(this.#packet, this.#at, text);
  }

  #type(place: number, type: number): void {
    const at = this.#types + this.#typeBytes * place;
    this.#packet[at] = type;
    this.#packet[at + 1] = 0;
    if (this.#typeBytes === 3) this.#packet[at + 2] = 0;
  }

  #length(place: number, type: number, bytes: number): void {
    this.#type(place, type);
    this.#room(9 + bytes);
    this.#at = writeLength(this.#packet, this.#at, bytes);
  }

  #room(bytes: number): void {
    this.#packet = this.#scratch.room(this.#at + bytes + this.#numberBytes, this.#at);
  }

  end(): Buffer {
    const packet = this.#scratch.take(this.#at);
    this.#packet = this.#scratch.bytes;
    return withHeads(packet);
  }
}

const out = new PacketWriter();

function writeInt32(to: Uint8Array, at: number, value: number): number {
  to[at] = value;
  to[at + 1] = value >> 8;
  to[at + 2] = value >> 16;
  to[at + 3] = value >> 24;
  return at + 4;
}

/** A length-encoded integer. */
function writeLength(packet: Buffer, at: number, value: number): number {
  if (value < 251) {
    packet[at] = value;
    return at + 1;
  }
  if (value < 0x1_00_00) {
    packet[at] = 0xfc;
    return packet.writeUInt16LE(value, at + 1);
  }
  if (value < 0x1_00_00_00) {
    packet[at] = 0xfd;
    return packet.writeUIntLE(value, at + 1, 3);
  }
  packet[at] = 0xfe;
  return packet.writeBigUInt64LE(BigInt(value), at + 1);
}

/** `packet` has room for the first header before its body. */
function withHeads(packet: Buffer): Buffer {
  if (packet.length - headBytes < mostBytes) {
    writeHead(packet, 0, packet.length - headBytes, 0);
    return packet;
  }
  const parts: Buffer[] = [];
  for (let at = headBytes, sequence = 0; at <= packet.length; at += mostBytes, sequence++) {
    const body = packet.subarray(at, at + mostBytes);
    const head = Buffer.allocUnsafe(headBytes);
    writeHead(head, 0, body.length, sequence);
    parts.push(head, body);
  }
  return Buffer.concat(parts);
}

function writeHead(to: Uint8Array, at: number, length: number, sequence: number): void {
  to[at] = length;
  to[at + 1] = length >> 8;
  to[at + 2] = length >> 16;
  to[at + 3] = sequence;
}
