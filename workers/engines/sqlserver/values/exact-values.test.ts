import { createRequire } from 'node:module';
import type { Connection } from 'tedious';
import { expect, test } from 'vitest';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { decimalText } from '#model/text/exact-decimal.ts';
import { textColumn } from '../../shared/test-table.fixture.ts';
import { roomFor, valueWriter, wireType } from '../wire/tds.ts';
import { isRounded, withExactValues } from './exact-values.ts';
import { literal } from './values.ts';

/** The driver's own reader of answers, which is not part of its interface: a change of it shows here first. */
interface TokenParser {
  parseTokens(
    chunks: AsyncIterable<Buffer>,
    debug: object,
    options: object,
  ): AsyncIterable<Promise<{ name: string; columns: readonly { value: unknown }[] }>>;
}
const parser = createRequire(import.meta.url)('tedious/lib/token/stream-parser') as TokenParser;

interface Sent {
  /** TYPE_INFO. */
  readonly info: Buffer;
  /** The value with its length in front. */
  readonly value: Buffer;
}

/** An answer of one row, cut into pieces of so many bytes. */
async function* answer(cells: readonly Sent[], bytes: number): AsyncIterable<Buffer> {
  const count = Buffer.alloc(2);
  count.writeUInt16LE(cells.length);
  const columns = cells.map(({ info }) => Buffer.concat([Buffer.alloc(6), info, Buffer.from([1, 0x76, 0])]));
  const all = Buffer.concat([
    Buffer.from([0x81]),
    count,
    ...columns,
    Buffer.from([0xd1]),
    ...cells.map(({ value }) => value),
  ]);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

async function read(cells: readonly Sent[], exactly: boolean, bytes = 3): Promise<readonly unknown[]> {
  const connection = { config: { options: { useUTC: true } } };
  const values: unknown[] = [];
  const work = async () => {
    for await (const token of parser.parseTokens(
      answer(cells, bytes),
      { token: () => {} },
      connection.config.options,
    )) {
      const { name, columns } = await token;
      if (name === 'ROW') values.push(...columns.map(({ value }) => value));
    }
  };
  await (exactly ? withExactValues(connection as unknown as Connection, work) : work());
  return values;
}

/** The type and the value as a parameter sends them. */
function sent(text: string, type: ParameterType): Sent {
  const column = textColumn(text);
  const wire = wireType(type, Buffer.alloc(5));
  const to = Buffer.alloc(roomFor(column, type, 1));
  return { info: wire.info, value: to.subarray(0, valueWriter(column, type, wire)(to, 0, 0)) };
}

const bytes = (...parts: readonly number[]) => Buffer.from(parts);
const typed = (info: readonly number[], hex: string): Sent => {
  const value = Buffer.from(hex, 'hex');
  return { info: bytes(...info), value: Buffer.concat([bytes(value.length), value]) };
};

test('decimals of up to 38 digits and any scale are sent and received digit for digit', async () => {
  let state = 42n;
  const next = (below: number) => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number((state >> 33n) % BigInt(below));
  };
  for (let i = 0; i < 300; i++) {
    const precision = 1 + next(38);
    const scale = next(precision + 1);
    const digits = BigInt(Array.from({ length: precision }, () => next(10)).join(''));
    const text = decimalText({ unscaled: next(2) === 0 ? digits : -digits, scale });
    const type = { kind: 'decimal', precision, scale } as const;
    expect(await read([sent(text, type)], true), `${text} as decimal(${precision}, ${scale})`).toEqual([
      digits === 0n ? text.replace('-', '') : text,
    ]);
    expect(literal(text, type)).toBe(text.startsWith('-') ? `(${text})` : text);
  }
});

const datetime2 = { kind: 'timestamp', nanoseconds: true } as const;

test.each([
  ['2024-02-29T12:34:56.1234567Z', '2024-02-29 12:34:56.1234567'],
  ['0001-01-01T00:00:00.0000001Z', '0001-01-01 00:00:00.0000001'],
  ['9999-12-31T23:59:59.9999999Z', '9999-12-31 23:59:59.9999999'],
  ['1969-12-31T23:59:59.999999Z', '1969-12-31 23:59:59.9999990'],
])('%s comes back as it was sent', async (iso, shown) => {
  expect(await read([sent(iso, datetime2)], true)).toEqual([shown]);
});

test('int64 at its limits is sent to its last digit', () => {
  for (const text of ['9223372036854775807', '-9223372036854775808', '9007199254740993'])
    expect(sent(text, { kind: 'bigint' }).value.readBigInt64LE(1)).toBe(BigInt(text));
});

test('what a parameter has no room for is refused, not rounded', () => {
  expect(() => sent('0.001', { kind: 'decimal', precision: 38, scale: 2 })).toThrow(
    /0\.001 does not fit into decimal\(38, 2\)/,
  );
  expect(() => sent('1234', { kind: 'decimal', precision: 3, scale: 0 })).toThrow(/decimal\(3, 0\)/);
  expect(() => sent('2024-02-29T12:34:56.123456789Z', datetime2)).toThrow(/datetime2\(7\)/);
  expect(sent('1.50', { kind: 'decimal', precision: 38, scale: 1 }).value.readUInt32LE(2)).toBe(15);
});

/** Values as [MS-TDS] 2.2.5.5 lays them out; the expected ones are what sqlcmd prints. */
const others: readonly (readonly [title: string, Sent, shown: string, exact?: string])[] = [
  ['money', typed([0x6e, 8], '0000008000000000'), '-922337203685477.5808'],
  ['money below zero', typed([0x6e, 8], 'ffffffffffffffff'), '-0.0001'],
  ['smallmoney', typed([0x6e, 4], 'ffffff7f'), '214748.3647'],
  ['date', typed([0x28], 'b3430b'), '2022-03-14'],
  ['time(7)', typed([0x29, 7], 'ffbf692ac9'), '23:59:59.9999999'],
  ['time(0)', typed([0x29, 0], '7f5101'), '23:59:59'],
  ['datetime2(0)', typed([0x2a, 0], '000000010000'), '0001-01-02 00:00:00'],
  ['datetimeoffset west of Greenwich', typed([0x2b, 0], '000000010000c4ff'), '0001-01-01 23:00:00 -01:00'],
  ['datetimeoffset on the next day', typed([0x2b, 0], '7f51010000004a01'), '0001-01-02 05:29:59 +05:30'],
  ['datetime', typed([0x6f, 8], '0000000001000000'), '1900-01-01 00:00:00.003', '1900-01-01 00:00:00.0033333'],
  [
    'datetime before 1900',
    typed([0x6f, 8], 'ffffffffff818b01'),
    '1899-12-31 23:59:59.997',
    '1899-12-31 23:59:59.9966667',
  ],
  ['smalldatetime', typed([0x6f, 4], '01000100'), '1900-01-02 00:01:00'],
  [
    'a decimal in a sql_variant',
    { info: bytes(0x62, 0x49, 0x1f, 0, 0), value: Buffer.from(`09000000${'6a02'}0602${'01'}${'d5560200'}`, 'hex') },
    '1533.01',
  ],
];

test.each(others.map(([title, cell, shown, exact = shown]) => ({ title, cell, shown, exact })))(
  '$title is read as its clients print it',
  async ({ cell, shown, exact }) => {
    for (const piece of [1, 1_000]) {
      const [value] = await read([cell], true, piece);
      expect(isRounded(value) ? value.shown : value).toBe(shown);
      expect(isRounded(value) ? value.exact : value).toBe(exact);
    }
  },
);

test('answers whose values nobody looks at are read as the driver does it', async () => {
  const cells = [
    sent('1533.01', { kind: 'decimal', precision: 9, scale: 2 }),
    sent('2024-02-29T12:34:56.000789Z', datetime2),
  ];
  await read(cells, true);
  expect(await read(cells, false)).toEqual([1533.01, new Date('2024-02-29T12:34:56.000Z')]);
});
