import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import mysql from 'mysql2';
import { expect, test } from 'vitest';
import type { ColumnVector } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { batchWith, numberColumn, textColumn } from '../../shared/test-table.fixture.ts';
import { type Parameters, valuesOf } from '../values/parameters.ts';
import { nullParameter, type StoredType } from '../values/values.ts';
import { ExecuteEncoder, type ParameterDefinition, queryPacket } from './packets.ts';

/** What mysql2 itself would send. */
const require = createRequire(import.meta.url);
const { Execute, Query } = require(join(dirname(require.resolve('mysql2')), 'lib/packets/index.js'));
const utf8mb4 = 45;
const queryAttributes = 0x08_00_00_00;

function theirExecute(values: unknown[], definitions: readonly ParameterDefinition[], attributes: boolean): Buffer {
  const flags = attributes ? queryAttributes : 0;
  const packet = new Execute(77, values, utf8mb4, 'local', undefined, flags, true, definitions).toPacket();
  packet.writeHeader(0);
  return packet.buffer;
}
function theirQuery(sql: string, attributes: boolean): Buffer {
  const packet = new Query(sql, utf8mb4, undefined, attributes ? queryAttributes : 0).toPacket();
  packet.writeHeader(0);
  return packet.buffer;
}

/** Column vectors of a type, with all the kinds of values that batches have of it. */
interface Case {
  readonly type: ParameterType;
  readonly column: (rows: number) => fc.Arbitrary<ColumnVector>;
}

const rowsOf = <T>(value: fc.Arbitrary<T>, rows: number) => fc.array(value, { minLength: rows, maxLength: rows });
const someNulls = (rows: number) =>
  fc.option(rowsOf(fc.constantFrom(0, 0, 1), rows).map((nulls) => Uint8Array.from(nulls)));
const withNulls = (column: fc.Arbitrary<ColumnVector>, rows: number) =>
  fc.tuple(column, someNulls(rows)).map(([made, nulls]) => ({ ...made, nulls }));
const numbers = (type: ParameterType, value: fc.Arbitrary<number>): Case => ({
  type,
  column: (rows) => withNulls(rowsOf(value, rows).map(numberColumn), rows),
});
const texts = (type: ParameterType, value: fc.Arbitrary<string>): Case => ({
  type,
  column: (rows) =>
    withNulls(
      rowsOf(value, rows).map((some) => textColumn(...some)),
      rows,
    ),
});
/** Values of so many bytes each, in a layout that has others beside them. */
const fixed = (type: ParameterType, width: number, byte: fc.Arbitrary<number>): Case => ({
  type,
  column: (rows) =>
    withNulls(
      rowsOf(byte, rows * (width + 3) + 2).map(
        (bytes): ColumnVector => ({
          kind: 'fixed',
          bytes: Uint8Array.from(bytes),
          offset: 2,
          stride: width + 3,
          width,
          nulls: null,
        }),
      ),
      rows,
    ),
});
const bytesOf = (type: ParameterType): Case => ({
  type,
  column: (rows) =>
    withNulls(
      rowsOf(fc.uint8Array({ maxLength: 300 }), rows).map((values): ColumnVector => {
        const offsets = Uint32Array.from({ length: rows + 1 }, (_, r) =>
          values.slice(0, r).reduce((sum, { length }) => sum + length, 0),
        );
        return { kind: 'variable', bytes: Buffer.concat(values), offsets, nulls: null };
      }),
      rows,
    ),
});

const edges = [0, -0, 1, -1, 127, 128, -128, -129, 255, 256, 32_767, 32_768, -32_768, 65_535, 65_536];
const wideEdges = [2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 1 - 2 ** 53];
const integer = fc.oneof(fc.constantFrom(...edges, ...wideEdges), fc.maxSafeInteger());
const int64 = fc.oneof(fc.constantFrom(0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('', 'x'.repeat(48), 'x'.repeat(49), 'x'.repeat(250), 'x'.repeat(251), 'ü'.repeat(40_000), '\uFEFFa'),
);
const anyText: ParameterType = { kind: 'text', maxLength: 80, fixed: false, ascii: false };
const code: ParameterType = { kind: 'text', maxLength: 5, fixed: true, ascii: true };
const bytes: ParameterType = { kind: 'bytes', maxLength: 300, fixed: false };
const decimal = (precision: number, scale: number): ParameterType => ({ kind: 'decimal', precision, scale });
const time: ParameterType = { kind: 'timestamp' };
const cases: readonly Case[] = [
  numbers({ kind: 'bigint' }, integer),
  texts({ kind: 'bigint' }, int64.map(String)),
  numbers({ kind: 'float' }, fc.oneof(fc.double(), integer)),
  numbers({ kind: 'boolean' }, fc.constantFrom(0, 1)),
  texts(anyText, text),
  fixed(code, 5, fc.integer({ min: 32, max: 126 })),
  bytesOf(bytes),
  fixed({ kind: 'bytes', maxLength: 9, fixed: true }, 9, fc.nat(255)),
  fixed({ kind: 'uuid' }, 16, fc.nat(255)),
  texts({ kind: 'uuid' }, fc.uuid()),
  numbers(decimal(15, 4), integer),
  numbers(decimal(9, 0), integer),
  texts(decimal(38, 19), fc.constantFrom('-12.3400', '0', '99999999999999999999.9999999999999999999')),
  numbers(time, fc.integer({ min: -2_208_988_800_000_000, max: 4_102_444_800_000_000 })),
  texts({ ...time, nanoseconds: true }, fc.constantFrom('2024-02-29T12:34:56.1234567Z', '1970-01-01T00:00:00.000000Z')),
];

const [tiny, short, long, longLong, varString] = [1, 2, 3, 8, 253];
const definition = fc.record({
  columnType: fc.constantFrom(tiny, short, long, longLong, varString),
  flags: fc.constantFrom(0, 32),
});

/** How operations send nulls, and statements of the user's own numbers beyond a double. */
const senders: readonly Parameters['sent'][] = [
  (value) => value,
  ...[nullParameter('asFloat'), nullParameter('untyped')].map(
    (nulls): Parameters['sent'] =>
      (value) =>
        value ?? nulls,
  ),
  (value) => (typeof value === 'bigint' ? mysql.TypedParameter.LONGLONG(value) : value),
  (value) => (typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? mysql.TypedParameter.NEWDECIMAL(value) : value),
];

test('a call is the packet that mysql2 would send, whatever its parameters are and the server says of them', () => {
  const call = fc
    .record({
      rows: fc.integer({ min: 1, max: 3 }),
      chosen: fc.array(fc.constantFrom(...cases), { minLength: 1, maxLength: 10 }),
      sent: fc.constantFrom(...senders),
      uuidText: fc.boolean(),
      attributes: fc.boolean(),
    })
    .chain(({ rows, chosen, ...rest }) =>
      fc.record({
        columns: fc.tuple(...chosen.map(({ column }) => column(rows))),
        order: fc.array(fc.nat(rows * chosen.length - 1), { maxLength: 20 }),
        definitions: fc.array(definition, { maxLength: 20 }),
        rest: fc.constant({
          rows,
          types: chosen.map(({ type }): StoredType<ParameterType> => ({ type, uuidText: rest.uuidText })),
          ...rest,
        }),
      }),
    );
  fc.assert(
    fc.property(call, ({ columns, order, definitions, rest: { rows, types, sent, attributes } }) => {
      const batch = batchWith(rows, ...columns);
      const parameters = { types, order, sent };
      const packet = new ExecuteEncoder(77, definitions, parameters, attributes).encode(batch);
      expect(packet.equals(theirExecute(valuesOf(parameters, batch), definitions, attributes))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a packet that has been made stays as it is while others are made', () => {
  const parameters: Parameters = { types: [{ type: anyText, uuidText: false }], order: [0], sent: (value) => value };
  const encoder = new ExecuteEncoder(77, [], parameters, false);
  const of = (value: string) => encoder.encode(batchWith(1, textColumn(value)));
  const [first, long] = [of('first'), of('ü'.repeat(100_000))];
  const copies = [Buffer.from(first), Buffer.from(long)];
  of('other');
  expect([first, long]).toEqual(copies);
  expect(long).toEqual(theirExecute(['ü'.repeat(100_000)], [], false));
});

test('so is a text', () => {
  for (const attributes of [false, true])
    for (const sql of ['SELECT 1', `SELECT '${'ß'.repeat(100)}'`])
      expect(queryPacket(sql, attributes)).toEqual(theirQuery(sql, attributes));
});

test('a call that is too long for a packet goes in several, of which the last one is shorter', () => {
  const most = 0xff_ff_ff;
  for (const body of [most - 1, most, most + 1, 2 * most]) {
    const call = queryPacket('x'.repeat(body - 1), false);
    const lengths: number[] = [];
    for (let at = 0; at < call.length; at += 4 + call.readUIntLE(at, 3)) {
      expect(call[at + 3]).toBe(lengths.length);
      lengths.push(call.readUIntLE(at, 3));
    }
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(body);
    expect(lengths.at(-1)).toBeLessThan(most);
  }
});
