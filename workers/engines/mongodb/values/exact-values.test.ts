import { Decimal128, Long, ObjectId } from 'mongodb';
import { expect, it } from 'vitest';
import { exactCommand, parameterOfType, valueOfType } from './exact-values.ts';

const isParameter = (name: string): boolean => name === 'id';
const hex = '65a000000000000000000001';

it('keeps an object of Extended JSON that gives a parameter its type', () => {
  const command = exactCommand('{ "a": { "$oid": "$id" }, "b": { "$oid": "65a000000000000000000001" } }', isParameter);
  expect(command).toEqual({ a: { $oid: '$id' }, b: new ObjectId(hex) });
  expect(parameterOfType({ $oid: '$id' }, isParameter)).toEqual({ type: '$oid', name: 'id' });
  for (const other of [{ $oid: hex }, { $oid: '$other' }, { $eq: '$id' }, { $oid: '$id', b: 1 }, '$id', null])
    expect(parameterOfType(other, isParameter)).toBeNull();
});

it.each([
  ['$oid', hex, new ObjectId(hex)],
  ['$date', '2024-02-29T12:00:00Z', new Date(Date.UTC(2024, 1, 29, 12))],
  ['$numberDecimal', 1.25, Decimal128.fromString('1.25')],
  ['$numberDecimal', Long.fromString('9007199254740993'), Decimal128.fromString('9007199254740993')],
  ['$numberLong', '9007199254740993', Long.fromString('9007199254740993')],
])('makes a %s of %j, and leaves one that is there', (type, value, made) => {
  expect(valueOfType(type, 'id', value)).toEqual(made);
  expect(valueOfType(type, 'id', made)).toBe(made);
  expect(valueOfType(type, 'id', null)).toBeNull();
});

it.each([
  ['$oid', 'abc'],
  ['$date', 'tomorrow'],
  ['$numberDecimal', 'x'],
  ['$numberLong', '1.5'],
])('names the parameter whose value is no %s', (type, value) => {
  expect(() => valueOfType(type, 'id', value)).toThrow(`“${value}”, a value of the parameter id, is no ${type}.`);
});
