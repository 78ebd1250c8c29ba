import { expect, test } from 'vitest';
import type { AnsweredRows } from '#engine-api/statement.ts';
import { compareRows } from '#model/statements/compare-rows.ts';
import { rowOrder } from '#model/statements/row-order.ts';
import type { AnswerType } from '#model/statements/statements.ts';
import { canonicalAnswer, canonicalValue } from './canonical-rows.ts';

type Value = string | null;

const answer = (rows: readonly (readonly Value[])[], more: Partial<AnsweredRows> = {}): AnsweredRows => ({
  columns: ['id', 'city', 'total'].slice(0, rows[0]?.length ?? 1),
  rows,
  count: rows.length,
  ...more,
});

/** The outcome of a comparison; `text` is that of both answers, or `own` the one of the second answer. */
function outcomeOf(baseline: AnsweredRows, own: AnsweredRows, text = 'SELECT id, city FROM t', ownText = text): string {
  const language = { language: 'sql' } as const;
  const compared = compareRows(
    canonicalAnswer(baseline),
    canonicalAnswer(own),
    rowOrder(text, language),
    rowOrder(ownText, language),
  );
  return compared.outcome;
}

test('one value has one form, whatever the type and the driver', () => {
  const alike: readonly (readonly (readonly [Value, AnswerType?])[])[] = [
    [['1'], ['1.0', 'decimal'], ['1.000'], ['1e0', 'float'], ['+1'], ['t', 'boolean'], ['true', 'own']],
    [['-0.05'], ['-.05'], ['-5e-2', 'float'], ['-0.0500', 'decimal']],
    [['0'], ['-0', 'float'], ['0.00'], ['f', 'boolean'], ['0', 'boolean'], ['false', 'own']],
    [['12345678901234567890.10'], ['12345678901234567890.1', 'decimal']],
    [['2024-05-01'], ['2024-05-01 00:00:00'], ['2024-05-01T00:00:00.000Z'], ['2024-05-01 02:00:00+02']],
    [['2024-05-01 10:00:00.5'], ['2024-05-01T10:00:00.500Z'], ['2024-05-01 12:30:00.500000+02:30']],
    [
      ['0xAB01', 'bytes'],
      ['\\xab01', 'bytes'],
    ],
    [['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'], ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'uuid']],
    [[null]],
    [['']],
    [['NULL']],
    [['007']],
    [['7']],
    [['2024-13-45']],
    [['true', 'text']],
    [['a']],
    [['A']],
  ];
  const forms = alike.map((values) => new Set(values.map(([value, type]) => canonicalValue(value, type))));
  for (const [i, found] of forms.entries()) expect([...found], JSON.stringify(alike[i])).toHaveLength(1);
  expect(new Set(forms.map((found) => [...found][0]))).toHaveLength(alike.length);
});

test('decimals of an engine whose values have their own types differ by their digits', () => {
  const decimals = (value: string, rounded?: boolean) =>
    answer([[value]], { types: ['own'], ...(rounded !== undefined && { rounded: [rounded] }) });
  const [one, other] = ['1234567890123456.78', '1234567890123456.79'];
  expect(outcomeOf(decimals(one, false), decimals(other, false))).toBe('differ');
  expect(outcomeOf(decimals(one, true), decimals(other, false)), 'a double').toBe('equal');
  expect(outcomeOf(decimals(one), decimals(other)), 'a type that nobody tells').toBe('equal');
});

test('rows are a multiset: order is free, and duplicates count', () => {
  const rows = answer([['1'], ['2'], ['2'], [null]]);
  expect(outcomeOf(rows, answer([[null], ['2'], ['1'], ['2.0']]))).toBe('equal');
  expect(outcomeOf(rows, answer([['1'], ['1'], ['2'], [null]]))).toBe('differ');
  expect(outcomeOf(rows, answer([['1'], ['2'], [null]]))).toBe('differ');
  expect(outcomeOf(rows, answer([['1'], ['2'], ['2'], ['']]))).toBe('differ');
  expect(outcomeOf(answer([['1', 'a']]), answer([['1']])), 'another number of columns').toBe('differ');
  expect(outcomeOf(answer([]), answer([]))).toBe('equal');
});

test('the order counts as far as the sort keys determine it', () => {
  const text = 'SELECT id, city FROM t ORDER BY city';
  const rows = answer([
    ['1', 'a'],
    ['2', 'a'],
    ['3', 'b'],
  ]);
  expect(
    outcomeOf(
      rows,
      answer([
        ['2', 'a'],
        ['1', 'a'],
        ['3', 'b'],
      ]),
      text,
    ),
  ).toBe('equal');
  expect(
    outcomeOf(
      rows,
      answer([
        ['3', 'b'],
        ['1', 'a'],
        ['2', 'a'],
      ]),
      text,
    ),
  ).toBe('differ');
  expect(
    outcomeOf(
      rows,
      answer([
        ['3', 'b'],
        ['1', 'a'],
        ['2', 'a'],
      ]),
    ),
  ).toBe('equal');
  const folded = answer([
    ['1', 'é'],
    ['2', 'E'],
  ]);
  expect(
    outcomeOf(
      folded,
      answer([
        ['2', 'E'],
        ['1', 'é'],
      ]),
      text,
    ),
    'one sort key for a collation',
  ).toBe('equal');
  const hidden = 'SELECT id, city FROM t ORDER BY lower(city)';
  expect(
    outcomeOf(
      rows,
      answer([
        ['3', 'b'],
        ['1', 'a'],
        ['2', 'a'],
      ]),
      hidden,
    ),
  ).toBe('cannotTell');
  expect(
    outcomeOf(
      rows,
      answer([
        ['3', 'b'],
        ['1', 'a'],
        ['9', 'a'],
      ]),
      hidden,
    ),
  ).toBe('differ');
});

test('rows that tie for the last place of a limit, or that nothing orders, are the choice of the server', () => {
  const text = 'SELECT id, city FROM t ORDER BY city LIMIT 3';
  const rows = answer([
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'b'],
  ]);
  expect(
    outcomeOf(
      rows,
      answer([
        ['1', 'a'],
        ['4', 'b'],
        ['3', 'b'],
      ]),
      text,
    ),
  ).toBe('cannotTell');
  expect(
    outcomeOf(
      rows,
      answer([
        ['9', 'a'],
        ['2', 'b'],
        ['3', 'b'],
      ]),
      text,
    ),
  ).toBe('differ');
  expect(
    outcomeOf(
      rows,
      answer([
        ['1', 'a'],
        ['2', 'b'],
        ['3', 'c'],
      ]),
      text,
    ),
  ).toBe('differ');
  expect(
    outcomeOf(
      rows,
      answer([
        ['9', 'a'],
        ['2', 'b'],
        ['3', 'b'],
      ]),
      `${text} OFFSET 1`,
    ),
  ).toBe('cannotTell');
  const free = 'SELECT id, city FROM t LIMIT 3';
  expect(
    outcomeOf(
      rows,
      answer([
        ['7', 'x'],
        ['8', 'y'],
        ['9', 'z'],
      ]),
      free,
    ),
  ).toBe('cannotTell');
  expect(
    outcomeOf(
      rows,
      answer([
        ['7', 'x'],
        ['8', 'y'],
      ]),
      free,
    ),
    'their number is no choice',
  ).toBe('differ');
});

test('parts of a text whose rows depend on the plan disqualify nobody', () => {
  const [rows, other] = [answer([['1', 'a']]), answer([['2', 'a']])];
  const texts = [
    'SELECT id, city FROM t WHERE id IN (SELECT id FROM u ORDER BY city LIMIT 3)',
    'SELECT row_number() OVER (ORDER BY city) AS id, city FROM t',
    'SELECT id, city FROM t GROUP BY city',
    'SELECT DISTINCT ON (city) id, city FROM t',
    'SELECT id, city FROM t WHERE rownum < 3',
  ];
  for (const text of texts) {
    expect(outcomeOf(rows, other, text), text).toBe('cannotTell');
    expect(outcomeOf(rows, other, 'SELECT id, city FROM t', text), text).toBe('cannotTell');
    expect(outcomeOf(rows, rows, text), text).toBe('equal');
  }
  expect(outcomeOf(rows, other, 'SELECT max(id) AS id, city FROM t GROUP BY city')).toBe('differ');
});

test('floating-point numbers may differ in their last digits, and exact numbers may not', () => {
  const sums = (value: string, type: AnswerType) => answer([['1', 'a', value]], { types: ['integer', 'text', type] });
  expect(outcomeOf(sums('0.30000000000000004', 'float'), sums('0.3', 'float'))).toBe('equal');
  expect(outcomeOf(sums('1234567.0000000002', 'float'), sums('1234567', 'float'))).toBe('equal');
  expect(outcomeOf(sums('0.3000001', 'float'), sums('0.3', 'float'))).toBe('cannotTell');
  expect(outcomeOf(sums('0.301', 'float'), sums('0.3', 'float'))).toBe('differ');
  expect(outcomeOf(sums('0.30000000000000004', 'decimal'), sums('0.3', 'decimal'))).toBe('differ');
  expect(outcomeOf(sums('1000000000001', 'float'), sums('1000000000000', 'float')), 'counts').toBe('differ');
  const mixed = (rows: readonly (readonly string[])[]) =>
    answer(
      rows.map(([city, value]) => ['1', city!, value!]),
      { types: ['integer', 'text', 'float'] },
    );
  expect(
    outcomeOf(
      mixed([
        ['b', '0.30000000000000004'],
        ['a', '0.3'],
      ]),
      mixed([
        ['b', '0.3'],
        ['a', '0.30000000000000004'],
      ]),
    ),
    'rows are paired by their other values',
  ).toBe('equal');
});

test('answers that were not read to their end', () => {
  const [more, all] = [answer([['1']], { hasMore: true }), answer([['1']])];
  expect(outcomeOf(more, more)).toBe('cannotTell');
  expect(outcomeOf(more, all)).toBe('differ');
});

test('groups of a collation may be named by any of their texts', () => {
  const [rows, other] = [answer([['1', 'Étage ']]), answer([['1', 'etage']])];
  expect(outcomeOf(rows, other, 'SELECT DISTINCT id, city FROM t')).toBe('cannotTell');
  expect(outcomeOf(rows, other, 'SELECT id, max(city) AS city FROM t GROUP BY id')).toBe('cannotTell');
  expect(outcomeOf(rows, other)).toBe('differ');
  expect(outcomeOf(rows, answer([['1', 'stage']]), 'SELECT DISTINCT id, city FROM t')).toBe('differ');
});
