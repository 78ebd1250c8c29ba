import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import mysql from 'mysql2';
import { describe, expect, test } from 'vitest';
import { nullParameter, type ParameterValue } from '../values/values.ts';
import { executePacket, type ParameterDefinition, packetsOf, queryPacket } from './packets.ts';

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

const [tiny, short, long, longLong, varString] = [1, 2, 3, 8, 253];
const told = (columnType: number, unsigned = false): ParameterDefinition => ({ columnType, flags: unsigned ? 32 : 0 });
const values: readonly ParameterValue[] = [
  ...['', 'plain', 'schön', 'x'.repeat(250), 'x'.repeat(251), 'ü'.repeat(40_000)],
  ...[0, -0, 7, -7, 255, 256, 40_000, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 0.5, 1e300],
  ...[0n, -5n, 2n ** 63n - 1n, 2n ** 64n - 1n, true, false, null],
  ...[Buffer.alloc(0), Buffer.from([0, 255]), Buffer.alloc(70_000, 7)],
  ...[nullParameter('asFloat'), nullParameter('untyped')],
  ...[mysql.TypedParameter.LONGLONG(-(2n ** 63n)), mysql.TypedParameter.NEWDECIMAL('-12.3400')],
];

describe.each([
  { attributes: false, name: 'without attributes of queries' },
  { attributes: true, name: 'with them' },
])('a call is the packet that mysql2 would send, $name', ({ attributes }) => {
  test.each([
    { of: 'no type', definitions: [] },
    { of: 'text', definitions: values.map(() => told(varString)) },
    ...[tiny, short, long, longLong].flatMap((type) =>
      [false, true].map((unsigned) => ({
        of: `type ${type}${unsigned ? ', unsigned' : ''}`,
        definitions: values.map(() => told(type, unsigned)),
      })),
    ),
  ])('where the server tells of $of for each parameter', ({ definitions }) => {
    for (let i = 0; i < values.length; i++) {
      const definition = definitions.slice(i, i + 1);
      const one = [values[i]!];
      expect(executePacket(77, one, definition, attributes), String(values[i]).slice(0, 50)).toEqual(
        theirExecute(one, definition, attributes),
      );
    }
    expect(executePacket(77, values, definitions, attributes)).toEqual(
      theirExecute([...values], definitions, attributes),
    );
    expect(executePacket(77, [], [], attributes)).toEqual(theirExecute([], [], attributes));
  });

  test('a text', () => {
    for (const sql of ['SELECT 1', `SELECT '${'ß'.repeat(100)}'`])
      expect(queryPacket(sql, attributes)).toEqual(theirQuery(sql, attributes));
  });
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
    expect(packetsOf(call)).toBe(lengths.length);
  }
});
