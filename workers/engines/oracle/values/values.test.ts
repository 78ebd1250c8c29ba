import { createRequire } from 'node:module';
import oracledb from 'oracledb';
import { expect, test } from 'vitest';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { makeRows, table as rowsTable, toBatch } from '../../conformance/rows.ts';
import { batchWith, numberColumn } from '../../shared/test-table.fixture.ts';
import type { Dialect } from '../connection/dialect.ts';
import { ExactTimestamp } from './exact-timestamp.ts';
import { createBinder, literal } from './values.ts';

const dialect = (version: number): Dialect => ({
  version,
  unicode: true,
  characterSet: 'AL32UTF8',
  owner: 'DYNO',
  emulator: null,
});
const types = rowsTable('dyno_t1').columns.map(({ type }) => type);
const order = types.map((_, c) => c);

/**
 * The driver's own encoders: what goes over the wire. Not part of its interface, so a change of them shows here first.
 */
const require = createRequire(import.meta.url);
interface WireBuffer {
  readonly buf: Buffer;
  pos: number;
  writeOracleDate(value: Date, type: oracledb.DbType, withLength: boolean): void;
  writeOracleNumber(text: string, withLength: boolean): void;
}
const { BaseBuffer } = require('oracledb/lib/impl/datahandlers/buffer.js') as {
  readonly BaseBuffer: new (size: Buffer) => WireBuffer;
};
const wire = (write: (buffer: WireBuffer) => void): Buffer => {
  const buffer = new BaseBuffer(Buffer.alloc(64));
  write(buffer);
  return buffer.buf.subarray(0, buffer.pos);
};

const timestampOnWire = (us: number): Buffer =>
  wire((buffer) => buffer.writeOracleDate(new ExactTimestamp(us), oracledb.DB_TYPE_TIMESTAMP, false));

/** Oracle's TIMESTAMP on the wire, century + 100, year + 100, month, day, hour + 1…, ns, from µs since 1970. */
function decodeTimestamp(bytes: Buffer): number {
  const [century, year, month, day, hour, minute, second] = bytes as unknown as number[];
  const ms = Date.UTC((century! - 100) * 100 + (year! - 100), month! - 1, day!, hour! - 1, minute! - 1, second! - 1);
  return ms * 1_000 + (bytes.length > 7 ? bytes.readInt32BE(7) / 1_000 : 0);
}

test('the driver sends timestamps to the microsecond and in UTC, whatever the time zone here', () => {
  const zone = process.env.TZ;
  try {
    for (const one of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      process.env.TZ = one;
      for (const us of [
        0, -1, 1, 1_709_210_096_000_789, 1_600_000_000_000_000, -62_000_000_000_001, 4_102_444_799_999_999,
      ]) {
        expect(decodeTimestamp(timestampOnWire(us)), `${us} in ${one}`).toBe(us);
      }
      // Every microsecond of a millisecond, and hours that daylight saving time leaves out.
      for (let us = 1_710_054_000_000_000; us < 1_710_054_000_001_000; us++) {
        expect(decodeTimestamp(timestampOnWire(us))).toBe(us);
      }
    }
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('a decimal goes out as the number it is, with all its digits', () => {
  const price = { kind: 'decimal', precision: 15, scale: 3 } as const;
  const binder = createBinder([price], dialect(19));
  const unscaled = [123_456_789_012_345, -999_999_999_999_999, 1_205, -1, 0, 100];
  const rows = binder.rows(batchWith(6, numberColumn(unscaled)), [0]);
  expect(rows.map(([value]) => String(value))).toEqual([
    '123456789012.345',
    '-999999999999.999',
    '1.205',
    '-0.001',
    '0',
    '0.1',
  ]);
});

test('nulls and empty values are null, whatever the column; other values have the column’s type and size', () => {
  const binder = createBinder(types, dialect(23));
  const [row, later] = [0, 6].map((i) => binder.rows(toBatch(makeRows(i, 1)), order)[0]!);
  expect(row![7], 'no bytes').toBeNull();
  expect(later![7], 'a null').toBeNull();
  const flat = binder.flat(toBatch(makeRows(1, 1)), order);
  expect(flat.map(({ type }) => type)).toEqual([
    oracledb.DB_TYPE_NUMBER,
    oracledb.DB_TYPE_VARCHAR,
    oracledb.DB_TYPE_RAW,
    oracledb.DB_TYPE_VARCHAR,
    oracledb.DB_TYPE_NUMBER,
    oracledb.DB_TYPE_TIMESTAMP,
    oracledb.DB_TYPE_BOOLEAN,
    oracledb.DB_TYPE_RAW,
    oracledb.DB_TYPE_VARCHAR,
  ]);
  expect(flat.map(({ maxSize }) => maxSize)).toEqual([
    undefined,
    160,
    16,
    5,
    undefined,
    undefined,
    undefined,
    300,
    800,
  ]);
  expect(flat[1]!.val, 'the text of row 1 is null').toBeNull();
});

test('before 23ai a boolean is a number', () => {
  const flag = { kind: 'boolean' } as const;
  const batch = batchWith(2, numberColumn([1, 0]));
  expect(createBinder([flag], dialect(19)).rows(batch, [0])).toEqual([[1], [0]]);
  expect(createBinder([flag], dialect(23)).rows(batch, [0])).toEqual([[true], [false]]);
});

test('literals say the same', () => {
  const text: ParameterType = { kind: 'text', maxLength: 9, fixed: false, ascii: true };
  const bigint: ParameterType = { kind: 'bigint' };
  const float: ParameterType = { kind: 'float' };
  expect(literal("O'Neil", text)).toBe("'O''Neil'");
  expect(literal("a\0'", text)).toBe("('a' || CHR(0) || '''')");
  expect([-5, -0.25, 5].map((value) => literal(value, bigint))).toEqual(['(-5)', '(-0.25)', '5']);
  expect([-5, 0.25].map((value) => literal(value, float))).toEqual(['(-5e+0d)', '2.5e-1d']);
  expect(literal(Buffer.from([0, 255]), { kind: 'bytes', maxLength: 2, fixed: true })).toBe("HEXTORAW('00ff')");
  expect(literal(new ExactTimestamp(1_709_210_096_000_789), { kind: 'timestamp' })).toBe(
    "TIMESTAMP '2024-02-29 12:34:56.000789'",
  );
  expect(literal(null, text)).toBe('NULL');
});

test('the driver’s encoder of direct path loads takes our rows', () => {
  const Stream = require('oracledb/lib/thin/protocol/messages/directPathLoadStream.js') as new (
    connection: object,
  ) => {
    prepare(cursor: number, rows: readonly (readonly unknown[])[], metadata: readonly object[]): void;
    rowPieces: { data: Buffer; numSegments: number }[];
  };
  const binder = createBinder(types, dialect(23));
  const rows = binder.rows(toBatch(makeRows(0, 30)), order);
  const stream = new Stream({ _protocol: { caps: { checkCharsetId() {}, checkNCharsetId() {} } } });
  const metadata = binder.binds.map(({ type, maxSize }, columnNum) => ({
    type,
    maxSize,
    columnNum,
    fetchInfo: { nullable: true },
  }));
  stream.prepare(1, rows, metadata);
  expect(stream.rowPieces).toHaveLength(30);
  for (const [r, { data, numSegments }] of stream.rowPieces.entries()) {
    expect(numSegments, `row ${r}`).toBe(types.length);
    // The sixth value of a row, behind those of one length byte each: the timestamp.
    let at = 0;
    for (let c = 0; c < 5; c++) at += data[at] === 255 ? 1 : 1 + data[at]!;
    const expected = makeRows(0, 30)[r]!.at;
    if (expected === null) expect(data[at]).toBe(255);
    else expect(decodeTimestamp(data.subarray(at + 1, at + 1 + data[at]!))).toBe(expected);
  }
});

test.each([
  ['asColumn', oracledb.DB_TYPE_NUMBER, oracledb.DB_TYPE_RAW],
  ['asFloat', oracledb.DB_TYPE_BINARY_DOUBLE, oracledb.DB_TYPE_RAW],
  ['asText', oracledb.DB_TYPE_VARCHAR, oracledb.DB_TYPE_RAW],
] as const)('nulls bound %s have that type in the driver’s binds, values their column’s', (nulls, ofPrice, ofUuid) => {
  const row = makeRows(0, 1)[0]!;
  const flat = createBinder(types, dialect(1_900), nulls).flat(
    toBatch([{ ...row, price: null, uuid: null }, row]),
    order,
  );
  const [price, uuid] = [4, 2];
  expect(flat[price]).toMatchObject({ val: null, type: ofPrice });
  expect(flat[uuid]).toMatchObject({ val: null, type: ofUuid });
  expect(flat[types.length + price]).toMatchObject({ type: oracledb.DB_TYPE_NUMBER });
});
