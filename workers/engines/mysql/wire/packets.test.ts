import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { anyText, parameterCases } from '../../shared/parameter-columns.fixture.ts';
import { batchWith, textColumn } from '../../shared/test-table.fixture.ts';
import { typedNumbers } from '../connection/mysql2-driver.ts';
import { nullParameter } from '../values/null-parameter.ts';
import { type Parameters, senderOf, valuesOf } from '../values/parameters.ts';
import type { StoredType } from '../values/values.ts';
import { ExecuteEncoder, queryPacket } from './packets.ts';

/** The bytes that mysql2 itself would send. */
const require = createRequire(import.meta.url);
const { Execute, Query } = require(join(dirname(require.resolve('mysql2')), 'lib/packets/index.js'));
const utf8mb4 = 45;
const queryAttributes = 0x08_00_00_00;

function theirExecute(values: unknown[], attributes: boolean): Buffer {
  const flags = attributes ? queryAttributes : 0;
  const packet = new Execute(77, values, utf8mb4, 'local', undefined, flags, true).toPacket();
  packet.writeHeader(0);
  return packet.buffer;
}
function theirQuery(sql: string, attributes: boolean): Buffer {
  const packet = new Query(sql, utf8mb4, undefined, attributes ? queryAttributes : 0).toPacket();
  packet.writeHeader(0);
  return packet.buffer;
}

type Sender = (types: readonly StoredType<ParameterType>[]) => Parameters['sent'];
/** The ways in which operations and statements of the user's own send numbers and nulls. */
const senders: readonly Sender[] = [null, nullParameter('asFloat'), nullParameter('untyped')].flatMap(
  (nulls): Sender[] => [
    (types) => senderOf(types, typedNumbers, nulls),
    (types) => senderOf(types, { ...typedNumbers, decimal: (text) => text }, nulls),
  ],
);

test('a call is the packet that mysql2 would send, whatever its parameters are', () => {
  const call = fc
    .record({
      rows: fc.integer({ min: 1, max: 3 }),
      chosen: fc.array(fc.constantFrom(...parameterCases), { minLength: 1, maxLength: 10 }),
      sent: fc.constantFrom(...senders),
      uuidText: fc.boolean(),
      attributes: fc.boolean(),
    })
    .chain(({ rows, chosen, ...rest }) =>
      fc.record({
        columns: fc.tuple(...chosen.map(({ column }) => column(rows))),
        order: fc.array(fc.nat(rows * chosen.length - 1), { maxLength: 20 }),
        rest: fc.constant({
          rows,
          types: chosen.map(({ type }): StoredType<ParameterType> => ({ type, uuidText: rest.uuidText })),
          ...rest,
        }),
      }),
    );
  fc.assert(
    fc.property(call, ({ columns, order, rest: { rows, types, sent, attributes } }) => {
      const batch = batchWith(rows, ...columns);
      const parameters = { types, order, sent: sent(types) };
      const packet = new ExecuteEncoder(77, parameters, attributes).encode(batch);
      expect(packet.equals(theirExecute(valuesOf(parameters, batch), attributes))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a packet that has been made stays as it is while others are made', () => {
  const parameters: Parameters = { types: [{ type: anyText, uuidText: false }], order: [0], sent: (value) => value };
  const encoder = new ExecuteEncoder(77, parameters, false);
  const of = (value: string) => encoder.encode(batchWith(1, textColumn(value)));
  const [first, long] = [of('first'), of('ü'.repeat(100_000))];
  const copies = [Buffer.from(first), Buffer.from(long)];
  of('other');
  expect([first, long]).toEqual(copies);
  expect(long).toEqual(theirExecute(['ü'.repeat(100_000)], false));
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
