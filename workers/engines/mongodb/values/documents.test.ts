import fc from 'fast-check';
import { BSON, Decimal128, Long } from 'mongodb';
import { expect, test } from 'vitest';
import { makeRows, table as rowsTable, toBatch } from '../../conformance/rows.ts';
import { whole } from '../schema/checksum.ts';
import { decimal, documentMaker, fieldNames } from './documents.ts';

const table = rowsTable('t');

test('decimals made from bytes are those that their text would make', () => {
  const unscaled = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(unscaled, fc.integer({ min: 0, max: 15 }), (value, scale) => {
      expect(decimal(value, scale).toString()).toBe(Decimal128.fromString(`${value}E-${scale}`).toString());
    }),
  );
});

test('the key is _id and comes first, whatever column it is', () => {
  const byCode = { ...table, key: 3 };
  expect(fieldNames(byCode)).toEqual(['id', 'text', 'uuid', '_id', 'price', 'at', 'flag', 'blob', 'details']);
  const [document] = documentMaker(byCode, 'int64')(toBatch(makeRows(9, 1)));
  expect(Object.keys(document!)).toEqual(['_id', 'id', 'text', 'uuid', 'price', 'at', 'flag', 'blob', 'details']);
});

test('whole numbers are int64, µs are kept or cut to a date, uuids are binary of subtype 4', () => {
  const rows = [{ ...makeRows(9, 1)[0]!, at: -1, uuid: '00112233445566778899aabbccddeeff', flag: true }];
  const stored = (timestamps: 'int64' | 'date') =>
    BSON.deserialize(BSON.serialize(documentMaker(table, timestamps)(toBatch(rows))[0]!), { promoteValues: false });
  const exact = stored('int64');
  expect(exact._id).toBeInstanceOf(Long);
  expect(String(exact._id)).toBe(String(rows[0]!.id));
  expect(String(exact.at)).toBe('-1');
  expect(exact.uuid.sub_type).toBe(4);
  expect(exact.uuid.toString('hex').replaceAll('-', '')).toBe(rows[0]!.uuid);
  expect(stored('date').at).toEqual(new Date(-1));
});

test('documents are nested, those stored as text are not', () => {
  const rows = [{ ...makeRows(9, 1)[0]!, details: '{"a":{"b":[1,"x"]}}' }];
  const textual = table.columns.map(({ name, type, nullable }) => {
    if (type.kind !== 'text') return { name, type, nullable };
    const { document: _, ...text } = type;
    return { name, type: text, nullable };
  });
  expect(documentMaker(table, 'int64')(toBatch(rows))[0]!.details).toEqual({ a: { b: [1, 'x'] } });
  expect(documentMaker({ ...table, columns: textual }, 'int64')(toBatch(rows))[0]!.details).toBe(rows[0]!.details);
});

test('what lies behind a null is not looked at', () => {
  const batch = toBatch(makeRows(4, 1)); // its timestamp is null
  const broken = batch.columns.map((column) =>
    column.kind === 'number' && column.nulls ? { ...column, values: column.values.map(() => Number.NaN) } : column,
  );
  expect(documentMaker(table, 'int64')({ ...batch, columns: broken })[0]).toMatchObject({ at: null });
});

test.each([
  ['12', 12n],
  ['-0', 0n],
  ['1.2E+4', 12_000n],
  ['-120.000', -120n],
  ['0E-3', 0n],
  ['1234567890123456789012345678901234', 1_234_567_890_123_456_789_012_345_678_901_234n],
])('the sum %s is %s', (text, value) => {
  expect(whole(Decimal128.fromString(text))).toBe(value);
});
