import { createRequire } from 'node:module';
import fc from 'fast-check';
import { Connection, Request, TYPES } from 'tedious';
import { expect, test } from 'vitest';
import type { ColumnVector } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { numberColumn, textColumn } from '../../shared/test-table.fixture.ts';
import { columnTypeSql } from '../values/values.ts';
import { leanCalls } from './calls.ts';
import { LeanPath } from './lean-path.ts';
import { batchBody, rpcRequest, sqlBatch } from './request.ts';
import { executeHead, executeSqlHead, parameters } from './rpc.ts';
import { scriptedConnection } from './scripted-connection.fixture.ts';
import { wireType } from './tds.ts';
import { done, packet } from './tds-server.fixture.ts';

/*
 * Requests byte for byte: the encoders and streams of the installed tedious are the reference, for the same procedure
 * with the same parameters by position.
 */

type TediousType = (typeof TYPES)[keyof typeof TYPES];
const require = createRequire(import.meta.url);
const RpcPayload = require('tedious/lib/rpcrequest-payload') as new (...given: readonly unknown[]) => Iterable<Buffer>;
const BatchPayload = require('tedious/lib/sqlbatch-payload') as new (...given: readonly unknown[]) => Iterable<Buffer>;

const collation = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);
const databaseCollation = { toBuffer: () => collation, codepage: 'CP1252' };
const options = { ...new Connection({ server: 'nowhere.invalid' }).config.options, useUTC: true };

/** A parameter in both forms. */
interface Parameter {
  readonly type: ParameterType;
  readonly column: ColumnVector;
  readonly tedious: { readonly type: TediousType; readonly value: unknown; readonly length?: number };
}

const withNull = (column: ColumnVector, isNull: boolean): ColumnVector =>
  isNull ? { ...column, nulls: Uint8Array.of(1) } : column;

const parameterOf = (
  isNull: boolean,
  type: ParameterType,
  column: ColumnVector,
  tedious: TediousType,
  value: unknown,
  more: object = {},
): Parameter => ({
  type,
  column: withNull(column, isNull),
  tedious: { type: tedious, value: isNull ? null : value, ...more },
});

const latin = fc
  .array(fc.integer({ min: 32, max: 126 }), { maxLength: 300 })
  .map((codes) => String.fromCharCode(...codes));
const isNull = fc.boolean();
const wholes = fc.oneof(fc.maxSafeInteger(), fc.integer());
const textOf = (length: number, ascii: boolean): ParameterType => ({
  ...{ kind: 'text', maxLength: length, fixed: false, ascii },
});
const lengths = fc.constantFrom(300, 4_000, 4_001, 8_001);

const anyParameter: fc.Arbitrary<Parameter> = fc.oneof(
  fc
    .tuple(isNull, wholes)
    .map(([empty, value]) => parameterOf(empty, { kind: 'bigint' }, numberColumn([value]), TYPES.BigInt, value)),
  fc
    .tuple(isNull, fc.boolean())
    .map(([empty, value]) => parameterOf(empty, { kind: 'boolean' }, numberColumn([value ? 1 : 0]), TYPES.Bit, value)),
  fc
    .tuple(isNull, fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map(([empty, value]) => parameterOf(empty, { kind: 'float' }, numberColumn([value]), TYPES.Float, value)),
  fc
    .tuple(isNull, fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.constantFrom(9, 15))
    .map(([empty, unscaled, precision]) =>
      parameterOf(
        ...([empty, { kind: 'decimal', precision, scale: 2 }, numberColumn([unscaled]), TYPES.Decimal] as const),
        ...([unscaled / 100, { precision, scale: 2 }] as const),
      ),
    ),
  fc.tuple(isNull, fc.uuid()).map(([empty, value]) => {
    const bytes = Buffer.from(value.replaceAll('-', ''), 'hex');
    const column: ColumnVector = { kind: 'fixed', bytes, offset: 0, stride: 16, width: 16, nulls: null };
    return parameterOf(empty, { kind: 'uuid' }, column, TYPES.UniqueIdentifier, value);
  }),
  fc.tuple(isNull, fc.integer({ min: -8_900_000_000_000, max: 9_000_000_000_000 })).map(([empty, ms]) =>
    parameterOf(empty, { kind: 'timestamp' }, numberColumn([ms * 1_000]), TYPES.DateTime2, new Date(ms), {
      scale: 6,
    }),
  ),
  fc
    .tuple(isNull, latin, lengths)
    .map(([empty, value, length]) =>
      parameterOf(empty, textOf(length, true), textColumn(value), TYPES.VarChar, value, { length }),
    ),
  fc
    .tuple(isNull, fc.string({ unit: 'grapheme', maxLength: 200 }), lengths)
    .map(([empty, value, length]) =>
      parameterOf(empty, textOf(length, false), textColumn(value), TYPES.NVarChar, value, { length }),
    ),
  fc
    .tuple(isNull, fc.string({ unit: 'grapheme', maxLength: 200 }), lengths)
    .map(([empty, value, length]) =>
      parameterOf(
        ...([empty, { kind: 'bytes', maxLength: length, fixed: false }, textColumn(value), TYPES.VarBinary] as const),
        ...([Buffer.from(value), { length }] as const),
      ),
    ),
);

/** Dyno tells the length of a value in chunks, which tedious leaves open; both are allowed (2.2.5.2.3). */
function withLengths(parts: Iterable<Buffer>): Buffer {
  const open = Buffer.from('feffffffffffffff', 'hex');
  const all = [...parts];
  return Buffer.concat(
    all.map((part, i) => {
      if (!part.equals(open)) return part;
      const length = Buffer.alloc(8);
      all[i + 1]!.copy(length, 0, 0, 4);
      return length;
    }),
  );
}

function tediousBody(procedure: number, given: readonly object[], descriptor: Buffer): Buffer {
  const named = given.map((one) => ({ output: false, ...one, name: '' }));
  return withLengths(new RpcPayload(procedure, named, descriptor, options, databaseCollation));
}

/** Sends a call over the lean path, and a body by the driver, on connections with the same state. */
async function openBoth(packetBytes: number) {
  const [own, driver] = [await scriptedConnection(packetBytes), await scriptedConnection(packetBytes)];
  const lean = new LeanPath(own.connection);
  return {
    async lean(type: number, bytesOf: (head: (body: Buffer) => Buffer) => Buffer, descriptor: Buffer) {
      own.connection.transactionDescriptors.push(descriptor);
      const calls = leanCalls(lean, type);
      const call = calls.call(bytesOf(calls.head));
      const body = Buffer.from(calls.bodyOf(call));
      const answered = calls.run(call);
      own.say(packet(done(1)));
      await answered;
      return { sent: Buffer.concat(own.written.splice(0)), body };
    },
    async driver(type: number, body: Buffer) {
      const answered = new Promise<void>((resolve, reject) => {
        const request = new Request(undefined, (error) => (error ? reject(error) : resolve()));
        driver.connection.makeRequest(request, type, Object.assign([body], { toString: () => 'body' }));
      });
      let sent = Buffer.alloc(0);
      // The driver writes a packet a turn.
      for (let part = await driver.sent(); part.length > 0; part = await driver.sent())
        sent = Buffer.concat([sent, part]);
      driver.say(packet(done(1)));
      await answered;
      return sent;
    },
  };
}

const executeSql = 10;
const execute = 12;
const sqlOf = (parameters: readonly Parameter[]) => `SELECT ${parameters.map((_, i) => `@P${i}`).join(', ')} -- größe`;
const declared = (parameters: readonly Parameter[]) =>
  parameters.map(({ type }, i) => `@P${i} ${columnTypeSql(type)}`).join(', ');
const columnsOf = (given: readonly Parameter[]) =>
  given.map(({ type, column }) => {
    const wire = wireType(type, collation);
    return { type, column, wire, nullWire: wire };
  });

test.each([512, 700, 4_096, 32_767])('packets of %i bytes are tedious’ own', async (packetBytes) => {
  const both = await openBoth(packetBytes);
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyParameter, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(null, 1, 2_147_483_647),
      fc.uint8Array({ minLength: 8, maxLength: 8 }),
      async (given, handle, transaction) => {
        const descriptor = Buffer.from(transaction);
        const isText = handle === null;
        const own = isText ? executeSqlHead(sqlOf(given), declared(given), collation) : executeHead(handle);
        const before = isText
          ? [sqlOf(given), declared(given)].map((value) => ({ type: TYPES.NVarChar, value }))
          : [{ type: TYPES.Int, value: handle }];
        const expected = tediousBody(
          isText ? executeSql : execute,
          [
            ...before,
            ...given.map(({ tedious: { type, value, ...more } }) => ({
              ...more,
              type,
              value: type.validate(value, databaseCollation as never, options),
            })),
          ],
          descriptor,
        );
        const { sent, body } = await both.lean(
          rpcRequest,
          (head) => parameters(head(own), columnsOf(given), 1),
          descriptor,
        );
        expect(body.toString('hex')).toBe(expected.subarray(22).toString('hex'));
        expect(sent.toString('hex')).toBe((await both.driver(rpcRequest, expected)).toString('hex'));
      },
    ),
    { numRuns: 60 },
  );
});

test('a message at each length around the borders of packets is cut as tedious cuts it, to beyond the 255th packet', async () => {
  const both = await openBoth(512);
  const descriptor = Buffer.alloc(8, 7);
  const payload = 512 - 8;
  const lengthsOf = [0, 1, 2, 3, 257].flatMap((packets) => [-2, 0, 2].map((more) => packets * payload - 22 + more));
  for (const length of lengthsOf.filter((one) => one >= 0)) {
    const sql = 'x'.repeat(length / 2);
    const expected = Buffer.concat([...new BatchPayload(sql, descriptor, options)]);
    const { sent, body } = await both.lean(sqlBatch, (head) => head(batchBody(sql)), descriptor);
    expect(body.equals(batchBody(sql)), `${length} bytes`).toBe(true);
    expect(sent.equals(await both.driver(sqlBatch, expected)), `${length} bytes`).toBe(true);
  }
});
