import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeRows, table as rowsTable, toBatch } from '../../conformance/rows.ts';
import { readOptions } from '../options.ts';
import { literalPatchScript, literalRangeQuery, rangeQuery, staticIndexMap } from '../queries.ts';
import { readDate, writeDate } from './dates.ts';
import { fieldValues, keyMaker, rowMaker } from './documents.ts';

const table = rowsTable('t');

test('every µs of the years that text can order comes back, in each form', () => {
  const us = fc.integer({ min: -6_213_559_680_000_000, max: 2_534_023_007_999_999 });
  fc.assert(
    fc.property(us, fc.constantFrom('text', 'date', 'ticks'), (value, dates) => {
      expect(readDate(writeDate(value, dates))).toBe(value);
    }),
  );
});

test('dates are in the one form that the server takes for a date, texts in another', () => {
  expect(writeDate(1_709_210_096_000_789, 'date')).toBe('2024-02-29T12:34:56.0007890Z');
  expect(writeDate(1_709_210_096_000_789, 'text')).toBe('2024-02-29 12:34:56.000789');
  expect(writeDate(-1, 'date')).toBe('1969-12-31T23:59:59.9999990Z');
});

test('decimals are the numbers that their text says, and sum up exactly again', () => {
  const unscaled = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
  fc.assert(
    fc.property(unscaled, fc.integer({ min: 0, max: 15 }), (value, scale) => {
      const column = { kind: 'number', values: Float64Array.of(value), nulls: null } as const;
      const [stored] = fieldValues(column, { kind: 'decimal', precision: 15, scale }, 1, 'date');
      expect(stored).toBe(Number(`${value}e-${scale}`));
      expect(Math.round(Number(JSON.parse(JSON.stringify(stored))) * 10 ** scale) + 0).toBe(value + 0);
    }),
  );
});

test('ids begin with the collection, and the key is a field as well', () => {
  const [row] = rowMaker(table, 'date')(toBatch(makeRows(8, 1)));
  expect(row!.id).toBe('t/8');
  expect(row!.entity).toMatchObject({ id: 8, '@metadata': { '@collection': 't' } });
  const byText = { ...table, key: 3 };
  const [column] = [toBatch(makeRows(8, 1)).columns[3]!];
  const [key] = keyMaker(byText, 'date')({ rows: 1, columns: [column!] });
  expect(key!.id).toBe(rowMaker(byText, 'date')(toBatch(makeRows(8, 1)))[0]!.id);
  expect(rowMaker({ ...table, key: null }, 'date')(toBatch(makeRows(8, 1)))[0]!.id).toBe('t/');
});

test('a text key with what means something in ids is escaped', () => {
  const bytes = Buffer.from('a/"b\\|');
  const column = { kind: 'variable', bytes, offsets: Uint32Array.of(0, bytes.length), nulls: null } as const;
  const [key] = keyMaker({ ...table, key: 1 }, 'date')({ rows: 1, columns: [column] });
  expect(key).toEqual({ id: 't/a%2F%22b%5C%7C', value: 'a/"b\\|' });
});

test('what lies behind a null is not looked at', () => {
  const column = { kind: 'number', values: Float64Array.of(Number.NaN), nulls: Uint8Array.of(1) } as const;
  expect(fieldValues(column, { kind: 'timestamp' }, 1, 'date')).toEqual([null]);
});

test('queries order by the kind of the key, and quote what is written into them', () => {
  const options = readOptions({});
  expect(rangeQuery(table, options)).toBe("from 't' where 'id' >= $key order by 'id' as long");
  const byText = { ...table, key: 1 };
  expect(rangeQuery(byText, readOptions({ index: 'static' }))).toBe(
    "from index 'dyno/t' where 'text' >= $key order by 'text'",
  );
  expect(literalRangeQuery(byText, options, 'say "x"\\')).toBe(
    `from 't' where 'text' >= "say \\"x\\"\\\\" order by 'text'`,
  );
  expect(rangeQuery({ ...table, key: 5 }, readOptions({ dates: 'ticks' }))).toMatch(/as long$/);
  expect(staticIndexMap(table)).toBe('from row in docs.t select new { @id = row.@id }');
  expect(literalPatchScript('text', 'a"\n')).toBe('this.text = "a\\"\\n";');
});
