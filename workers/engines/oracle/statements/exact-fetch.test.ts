import { createRequire } from 'node:module';
import oracledb from 'oracledb';
import { expect, test } from 'vitest';
import { ExactTimestamp } from '../values/exact-timestamp.ts';
import { fetchExactly, inexactColumns } from './exact-fetch.ts';

/** The driver's internal encoder and decoder: what goes over the wire. A change of them shows here first. */
interface WireBuffer {
  readonly buf: Buffer;
  pos: number;
  writeOracleDate(value: Date, type: oracledb.DbType, withLength: boolean): void;
  parseOracleDate(bytes: Buffer, useLocalTime: boolean): Date;
}
const { BaseBuffer } = createRequire(import.meta.url)('oracledb/lib/impl/datahandlers/buffer.js') as {
  readonly BaseBuffer: new (size: Buffer) => WireBuffer;
};

const column = (dbType: oracledb.DbType, precision?: number) =>
  ({ name: 'V', dbType, precision }) as unknown as oracledb.Metadata<unknown>;

/** The text that is shown of a time that was bound. */
function shown(iso: string, dbType: oracledb.DbType, precision?: number): unknown {
  const { converter } = fetchExactly(column(dbType, precision))!;
  const buffer = new BaseBuffer(Buffer.alloc(64));
  buffer.writeOracleDate(ExactTimestamp.of(iso), oracledb.DB_TYPE_TIMESTAMP, false);
  return converter!(buffer.parseOracleDate(buffer.buf.subarray(0, buffer.pos), true));
}

test('a time is shown as it was bound, to the nanosecond and whatever the time zone here', () => {
  const zone = process.env.TZ;
  try {
    for (const one of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      process.env.TZ = one;
      for (const [iso, text] of [
        ['2024-02-29T12:34:56.123456789Z', '2024-02-29 12:34:56.123456789'],
        ['2024-02-29T12:34:56.000000001Z', '2024-02-29 12:34:56.000000001'],
        ['1969-12-31T23:59:59.999999Z', '1969-12-31 23:59:59.999999000'],
        // An hour that daylight saving time leaves out.
        ['2024-03-10T02:30:00.000789Z', '2024-03-10 02:30:00.000789000'],
      ] as const)
        expect(shown(iso, oracledb.DB_TYPE_TIMESTAMP, 9), one).toBe(text);
    }
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('as many digits of a second as the type has, and the zone where it has one', () => {
  const iso = '2024-02-29T12:34:56.000789Z';
  expect(shown(iso, oracledb.DB_TYPE_TIMESTAMP, 6)).toBe('2024-02-29 12:34:56.000789');
  expect(shown(iso, oracledb.DB_TYPE_TIMESTAMP, 0)).toBe('2024-02-29 12:34:56');
  expect(shown(iso, oracledb.DB_TYPE_DATE)).toBe('2024-02-29 12:34:56');
  expect(shown(iso, oracledb.DB_TYPE_TIMESTAMP_TZ, 6)).toBe('2024-02-29 12:34:56.000789 +00:00');
});

test('in Thick mode, which has milliseconds, timestamps are not to be captured', () => {
  const columns = [column(oracledb.DB_TYPE_NUMBER), column(oracledb.DB_TYPE_TIMESTAMP), column(oracledb.DB_TYPE_DATE)];
  expect(inexactColumns(columns, true)).toBeUndefined();
  expect(inexactColumns(columns, false)).toEqual({ 1: { why: expect.stringContaining('TO_CHAR') } });
});

test('a literal has every digit', () => {
  expect(ExactTimestamp.of('2024-02-29T12:34:56.123456789Z').toSql()).toBe('2024-02-29 12:34:56.123456789');
  expect(ExactTimestamp.of('2024-02-29T12:34:56.000789Z').toSql()).toBe('2024-02-29 12:34:56.000789');
});
