import { expect, test } from 'vitest';
import { ByteReader } from '../bytes/byte-reader.ts';
import { codePoints } from '../ddm/code-points.ts';
import { defaultLimits } from '../limits.ts';
import { sqlca, sqlcard, sqldard } from '../server.fixture.ts';
import { readSqlca, readSqlcard, rowsChangedFast, sqlError } from './sqlcard.ts';
import { readSqldard } from './sqldard.ts';

const value = (object: Buffer): Buffer => object.subarray(4);
const read = (object: Buffer, messageCharacters = 4_000) =>
  readSqlcard(value(object), 0, value(object).length, messageCharacters);

test('an SQLCARD says code, state, rows and what the message is about', () => {
  const card = { sqlCode: -20001, sqlState: '23505', rows: 3, message: 'SQL0\u0014T\u001423505::SQLSTATE: XJ208' };
  expect(read(sqlcard(card))).toEqual({ sqlCode: -20001, sqlState: '23505', rowsChanged: 3, message: card.message });
  expect(sqlError(read(sqlcard(card))!, 4)).toMatchObject({
    kind: 'sql',
    message: 'SQLSTATE 23505, SQLCODE -20001: SQL0 | T | 23505',
    tokens: ['SQL0', 'T', '23505'],
    row: 4,
  });
  expect(read(sqlcard(null))).toBeNull();
});

test('a long message is cut off, and control characters stay out of it', () => {
  const card = read(sqlcard({ sqlCode: -1, message: `\u0018\u0018${'x'.repeat(9_000)}` }), 100)!;
  expect(card.message.length).toBe(100);
  expect(sqlError(card).message).toBe(`SQLSTATE      , SQLCODE -1: ${'x'.repeat(98)}`);
});

test('an SQLCARD without error is read without making anything but its number of rows', () => {
  const fast = (object: Buffer) => rowsChangedFast(value(object), 0, value(object).length);
  expect(fast(sqlcard({ rows: 7 }))).toBe(7);
  expect(fast(sqlcard())).toBe(0);
  expect(fast(sqlcard(null))).toBeUndefined();
  expect(fast(sqlcard({ sqlCode: -1 }))).toBeUndefined();
  expect(fast(sqlcard({ sqlCode: 100 }))).toBeUndefined();
});

test('diagnostics within a group are read over, however many there are', () => {
  for (const conditions of [0, 1, 5]) {
    const group = Buffer.concat([sqlca({ sqlCode: 1, conditions }), Buffer.of(0x42)]);
    const from = new ByteReader(group, 0, group.length, 'SQLCAGRP', codePoints.SQLCARD);
    expect(readSqlca(from, 100)?.sqlCode).toBe(1);
    expect(from.u8()).toBe(0x42);
  }
});

test('every cut through an SQLCARD or SQLDARD is seen', () => {
  const columns = [{ sqlType: 497, name: 'A' }, { sqlType: 2001 }, { sqlType: 449, length: 20 }];
  const description = value(sqldard(columns));
  expect(
    readSqldard(description, 0, description.length, defaultLimits).columns.map(({ name, type }) => [name, type]),
  ).toEqual([
    ['A', 'integer'],
    ['', 'udt'],
    ['', 'varchar'],
  ]);
  for (let end = 0; end < description.length; end++)
    expect(() => readSqldard(description, 0, end, defaultLimits)).toThrow('Malformed reply: SQLDARD');
  // The diagnostics' null indicator is not looked at.
  const card = value(sqlcard({ sqlCode: -1, message: 'why' }));
  for (let end = 0; end < card.length - 1; end++)
    expect(() => readSqlcard(card, 0, end, 100)).toThrow('Malformed reply: SQLCARD');
});

test('a description of more columns than the limit is not read', () => {
  const description = value(sqldard(Array(5).fill({ sqlType: 497 })));
  expect(() => readSqldard(description, 0, description.length, { ...defaultLimits, columns: 4 })).toThrow('5 columns');
});
