import { packet, short, wide } from './tds-server.fixture.ts';

/** Tokens of answers ([MS-TDS] 2.2.7) that the tests put together. */

const long = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
};
const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const filled = (length: number): Buffer => Buffer.alloc(length, 1);
const inByte = (value: Buffer): Buffer => Buffer.concat([bytes(value.length), value]);
const inShort = (value: Buffer): Buffer => Buffer.concat([short(value.length), value]);
const named = (text: string): Buffer => Buffer.concat([bytes(text.length), wide(text)]);
const longNamed = (text: string): Buffer => Buffer.concat([short(text.length), wide(text)]);
/** A value in chunks. */
const chunked = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('feffffffffffffff', 'hex'),
    ...chunks.flatMap((chunk) => [long(chunk.length), chunk]),
    long(0),
  ]);
const pointed = (value: Buffer): Buffer => Buffer.concat([inByte(filled(16)), filled(8), long(value.length), value]);
const collation = bytes(0x09, 0x04, 0xd0, 0x00, 0x34);

/** A column: its type as in COLMETADATA, and forms of its values, of which the first is null if it can be. */
interface ColumnKind {
  readonly type: Buffer;
  readonly values: readonly Buffer[];
}
const nothing = bytes(0);
const shortNull = short(0xffff);
const chunkedNull = Buffer.alloc(8, 0xff);
const kind = (type: readonly (number | Buffer)[], ...values: readonly Buffer[]): ColumnKind => ({
  type: Buffer.concat(type.map((part) => (typeof part === 'number' ? bytes(part) : part))),
  values,
});

export const columnKinds: Readonly<Record<string, ColumnKind>> = {
  int: kind([0x38], filled(4)),
  'int, nullable': kind([0x26, 4], nothing, inByte(filled(4))),
  'bigint, nullable': kind([0x26, 8], nothing, inByte(filled(8))),
  tinyint: kind([0x30], filled(1)),
  smallint: kind([0x34], filled(2)),
  bigint: kind([0x7f], filled(8)),
  bit: kind([0x32], filled(1)),
  'bit, nullable': kind([0x68, 1], nothing, inByte(filled(1))),
  real: kind([0x3b], filled(4)),
  float: kind([0x3e], filled(8)),
  'float, nullable': kind([0x6d, 8], nothing, inByte(filled(8))),
  money: kind([0x3c], filled(8)),
  smallmoney: kind([0x7a], filled(4)),
  'money, nullable': kind([0x6e, 8], nothing, inByte(filled(8)), inByte(filled(4))),
  datetime: kind([0x3d], filled(8)),
  smalldatetime: kind([0x3a], filled(4)),
  'datetime, nullable': kind([0x6f, 8], nothing, inByte(filled(8))),
  uniqueidentifier: kind([0x24, 16], nothing, inByte(filled(16))),
  decimal: kind([0x6a, 9, 18, 2], nothing, inByte(filled(9))),
  numeric: kind([0x6c, 17, 38, 0], nothing, inByte(filled(17))),
  date: kind([0x28], nothing, inByte(filled(3))),
  time: kind([0x29, 7], nothing, inByte(filled(5))),
  datetime2: kind([0x2a, 7], nothing, inByte(filled(8))),
  datetimeoffset: kind([0x2b, 7], nothing, inByte(filled(10))),
  varchar: kind([0xa7, short(80), collation], shortNull, inShort(bytes()), inShort(filled(9))),
  char: kind([0xaf, short(9), collation], shortNull, inShort(filled(9))),
  nvarchar: kind([0xe7, short(80), collation], shortNull, inShort(wide('größe'))),
  nchar: kind([0xef, short(10), collation], shortNull, inShort(wide('größe'))),
  varbinary: kind([0xa5, short(80)], shortNull, inShort(filled(70))),
  binary: kind([0xad, short(8)], shortNull, inShort(filled(8))),
  'varchar(max)': kind([0xa7, short(0xffff), collation], chunkedNull, chunked(), chunked(filled(3), filled(300))),
  'nvarchar(max)': kind([0xe7, short(0xffff), collation], chunkedNull, chunked(), chunked(wide('lang'))),
  'varbinary(max)': kind([0xa5, short(0xffff)], chunkedNull, chunked(filled(1), filled(2)), chunked()),
  xml: kind([0xf1, 0], chunkedNull, chunked(wide('<a/>'))),
  'xml of a schema': kind([0xf1, 1, named('db'), named('dbo'), longNamed('s')], chunkedNull, chunked(wide('<b/>'))),
  'a type of the user': kind(
    [0xf0, short(0xffff), named('db'), named('sys'), named('point'), longNamed('assembly')],
    chunkedNull,
    chunked(filled(22)),
  ),
  text: kind([0x23, long(0x7fffffff), collation, 1, longNamed('t')], nothing, pointed(filled(30)), pointed(bytes())),
  ntext: kind([0x63, long(0x7fffffff), collation, 2, longNamed('dbo'), longNamed('t')], nothing, pointed(wide('x'))),
  image: kind([0x22, long(0x7fffffff), 1, longNamed('t')], nothing, pointed(filled(30))),
  sql_variant: kind([0x62, long(8_009)], long(0), Buffer.concat([long(6), bytes(0x38, 0), filled(4)])),
};

/** COLMETADATA (2.2.7.4). */
export const columnsToken = (kinds: readonly ColumnKind[]): Buffer =>
  Buffer.concat([
    bytes(0x81),
    short(kinds.length),
    ...kinds.flatMap(({ type }, i) => [long(0), short(9), type, named(`c${i}`)]),
  ]);

/** ROW (2.2.7.19) of values by number. */
export const rowToken = (kinds: readonly ColumnKind[], nth: number): Buffer =>
  Buffer.concat([bytes(0xd1), ...kinds.map(({ values }) => values[nth % values.length]!)]);

/** NBCROW (2.2.7.15): nulls have bits in place of values. */
export function nullableRowToken(kinds: readonly ColumnKind[], nth: number, nulls: readonly number[]): Buffer {
  const bits = Buffer.alloc(Math.ceil(kinds.length / 8));
  for (const column of nulls) bits[column >> 3]! |= 1 << (column & 7);
  const values = kinds.flatMap(({ values }, c) => (nulls.includes(c) ? [] : [values[nth % values.length]!]));
  return Buffer.concat([bytes(0xd2), bits, ...values]);
}

/** DONE, DONEPROC, DONEINPROC (2.2.7.6 to 2.2.7.8). `rows`: null: not counted. */
export function doneToken(type: 'done' | 'doneProcedure' | 'doneInProcedure', rows: number | null, status = 0): Buffer {
  const token = Buffer.alloc(13);
  token[0] = { done: 0xfd, doneProcedure: 0xfe, doneInProcedure: 0xff }[type];
  token.writeUInt16LE(status | (rows === null ? 0 : 0x10), 1);
  token.writeBigUInt64LE(BigInt(rows ?? 0), 5);
  return token;
}

/** INFO has the form of ERROR (2.2.7.13). */
export const infoToken = (error: Buffer): Buffer => Buffer.concat([bytes(0xab), error.subarray(1)]);

/** ENVCHANGE (2.2.7.9) of values in bytes, or in texts. */
export function environmentToken(type: number, now: Buffer | string, before: Buffer | string): Buffer {
  const valueIn = (value: Buffer | string) => (typeof value === 'string' ? named(value) : inByte(value));
  const body = Buffer.concat([bytes(type), valueIn(now), valueIn(before)]);
  return Buffer.concat([bytes(0xe3), inShort(body)]);
}

export const returnStatusToken = Buffer.from([0x79, 0, 0, 0, 0]);
/** ORDER (2.2.7.17) of the first column. */
export const orderToken = Buffer.from([0xa9, 2, 0, 1, 0]);
/** RETURNVALUE (2.2.7.18): the int @handle. */
export const returnValueToken = (value: number): Buffer =>
  Buffer.concat([bytes(0xac), short(0), named('@handle'), bytes(1), long(0), short(0), bytes(0x26, 4, 4), long(value)]);

/** An answer in packets with so many bytes of it each. */
export function inPackets(tokens: Buffer, payload: number): Buffer {
  const packets: Buffer[] = [];
  for (let at = 0; at < tokens.length || at === 0; at += payload)
    packets.push(packet(tokens.subarray(at, at + payload), at + payload >= tokens.length));
  return Buffer.concat(packets);
}
