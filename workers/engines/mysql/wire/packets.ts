import type { ParameterValue } from '../values/values.ts';

/**
 * The packets of calls (MySQL's documentation, "Command Phase"), ready to be sent, with the types and values that
 * mysql2 sends: it makes objects of each parameter while the clock runs.
 */

const comQuery = 0x03;
const comStmtExecute = 0x17;
const headBytes = 4;
/** A longer body goes in several packets, of which the last one is shorter than this. */
const mostBytes = 0xff_ff_ff;

/** Type bytes. */
const tiny = 0x01;
const double = 0x05;
const null_ = 0x06;
const longLong = 0x08;
const blob = 0xfc;
const varString = 0xfd;
const newDecimal = 0xf6;
/** Bytes of the integers that a server may name as a parameter's type. */
const integerBytes: Readonly<Record<number, number>> = { [tiny]: 1, 2: 2, 3: 4, [longLong]: 8 };
const unsignedFlag = 0x20;

/** A parameter as the server describes it. */
export interface ParameterDefinition {
  readonly columnType: number;
  readonly flags: number;
}

/** What mysql2 has in its typed parameters. */
interface Typed {
  readonly type: number;
  readonly value: unknown;
}

/** `attributes`: client and server have agreed on attributes of queries, of which there are none. */
export function queryPacket(sql: string, attributes: boolean): Buffer {
  const at = headBytes + (attributes ? 3 : 1);
  const packet = Buffer.allocUnsafe(at + Buffer.byteLength(sql));
  packet[headBytes] = comQuery;
  if (attributes) {
    packet[headBytes + 1] = 0;
    packet[headBytes + 2] = 1;
  }
  packet.write(sql, at);
  return withHeads(packet);
}

/** A value that is about to be written. */
interface Field {
  readonly type: number;
  readonly isUnsigned: boolean;
  /** Null: a null. */
  readonly value: number | bigint | string | Buffer | null;
  /** Bytes of an integer; −1: a double; 0: a length, and the bytes. */
  readonly width: number;
  /** Of texts and bytes. */
  readonly bytes: number;
}

/** COM_STMT_EXECUTE of a statement. `attributes`: see {@link queryPacket}. */
export function executePacket(
  statement: number,
  values: readonly ParameterValue[],
  definitions: readonly ParameterDefinition[],
  attributes: boolean,
): Buffer {
  const count = values.length;
  const fields = new Array<Field>(count);
  let length = headBytes + 10;
  if (attributes) length += lengthBytes(count);
  if (count > 0) length += ((count + 7) >> 3) + 1 + (attributes ? 3 : 2) * count;
  for (let i = 0; i < count; i++) {
    const field = fieldOf(values[i]!, definitions[i]);
    fields[i] = field;
    if (field.value !== null)
      length += field.width === 0 ? lengthBytes(field.bytes) + field.bytes : field.width < 0 ? 8 : field.width;
  }
  const packet = Buffer.allocUnsafe(length);
  packet[headBytes] = comStmtExecute;
  let at = packet.writeUInt32LE(statement, headBytes + 1);
  packet[at++] = attributes ? parameterCountAvailable : 0;
  at = packet.writeUInt32LE(1, at);
  if (attributes) at = writeLength(packet, at, count);
  if (count > 0) {
    const bits = at;
    at += (count + 7) >> 3;
    packet.fill(0, bits, at);
    packet[at++] = 1; // the types follow
    for (let i = 0; i < count; i++) {
      const { type, isUnsigned, value } = fields[i]!;
      if (value === null) packet[bits + (i >> 3)]! |= 1 << (i & 7);
      packet[at++] = type;
      packet[at++] = isUnsigned ? 0x80 : 0;
      if (attributes) packet[at++] = 0; // no name
    }
    for (const field of fields) at = writeField(packet, at, field);
  }
  return withHeads(packet);
}

/** A flag of the cursor type: the number of parameters follows. */
const parameterCountAvailable = 8;

const lengthCoded = (type: number, value: string | Buffer): Field => ({
  type,
  isUnsigned: false,
  value,
  width: 0,
  bytes: typeof value === 'string' ? Buffer.byteLength(value) : value.length,
});

const nullOf = (type: number): Field => ({ type, isUnsigned: false, value: null, width: 0, bytes: 0 });

function fieldOf(value: ParameterValue, definition: ParameterDefinition | undefined): Field {
  if (value === null) return nullOf(null_);
  if (typeof value === 'string') return lengthCoded(varString, value);
  if (Buffer.isBuffer(value)) return lengthCoded(blob, value);
  if (typeof value === 'object') return typedField(value as unknown as Typed);
  const asTold = definition && integerAsTold(value, definition);
  if (asTold) return asTold;
  switch (typeof value) {
    case 'number':
      return { type: double, isUnsigned: false, value, width: -1, bytes: 0 };
    case 'boolean':
      return { type: tiny, isUnsigned: false, value: value ? 1 : 0, width: 1, bytes: 0 };
    default:
      return lengthCoded(varString, String(value));
  }
}

/** The only ones that the engine makes: nulls of a type, and exact numbers (connection.ts). */
function typedField({ type, value }: Typed): Field {
  if (value === null) return nullOf(type);
  if (type === longLong) return { type, isUnsigned: false, value: BigInt(value as bigint), width: 8, bytes: 0 };
  return lengthCoded(newDecimal, String(value));
}

/** An integer that fits goes as the type that the server wants; null: it is none, or does not. */
function integerAsTold(value: number | bigint | boolean, { columnType, flags }: ParameterDefinition): Field | null {
  const width = integerBytes[columnType];
  if (width === undefined || (typeof value === 'number' && !Number.isSafeInteger(value))) return null;
  const isUnsigned = (flags & unsignedFlag) !== 0;
  const whole = BigInt(value);
  const fits = isUnsigned ? BigInt.asUintN(8 * width, whole) === whole : BigInt.asIntN(8 * width, whole) === whole;
  if (!fits) return null;
  return { type: columnType, isUnsigned, value: width === 8 ? whole : Number(whole), width, bytes: 0 };
}

function writeField(packet: Buffer, at: number, { value, width, bytes }: Field): number {
  if (value === null) return at;
  if (typeof value === 'string' || typeof value === 'object') {
    const from = writeLength(packet, at, bytes);
    return from + (typeof value === 'string' ? packet.write(value, from) : value.copy(packet, from));
  }
  if (typeof value === 'bigint') return packet.writeBigUInt64LE(BigInt.asUintN(64, value), at);
  if (width < 0) return packet.writeDoubleLE(value, at);
  for (let i = 0; i < width; i++) packet[at + i] = value >> (8 * i);
  return at + width;
}

/** Bytes of a length-encoded integer. */
const lengthBytes = (value: number): number => (value < 251 ? 1 : value < 65_536 ? 3 : value < 16_777_216 ? 4 : 9);

function writeLength(packet: Buffer, at: number, value: number): number {
  if (value < 251) {
    packet[at] = value;
    return at + 1;
  }
  const bytes = lengthBytes(value);
  if (bytes === 9) {
    packet[at] = 0xfe;
    return packet.writeBigUInt64LE(BigInt(value), at + 1);
  }
  packet[at] = bytes === 3 ? 0xfc : 0xfd;
  return packet.writeUIntLE(value, at + 1, bytes - 1);
}

/** `packet` has room for the first head before its body. */
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

function writeHead(to: Buffer, at: number, length: number, sequence: number): void {
  to.writeUIntLE(length, at, 3);
  to[at + 3] = sequence;
}

/** How many packets a call is. */
export const packetsOf = (call: Uint8Array): number => Math.ceil((call.length + 1) / (mostBytes + headBytes));
