import { describe, expect, test } from 'vitest';
import { type AnswerTraits, compareAcross } from './compare-across.ts';
import { rowOrder } from './row-order.ts';

interface Made {
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly text?: string;
  readonly exact?: boolean;
  readonly traits?: Partial<AnswerTraits>;
}

const usual: AnswerTraits = { isNamed: false, emptyIsNull: false, storesWhole: false, uuidOrder: 'bytes' };

function sideOf({ columns, rows, text = 'SELECT a, b FROM {t}', exact = false, traits }: Made) {
  const all = { ...usual, ...traits };
  const language = all.isNamed ? ({ language: 'json' } as const) : ({ language: 'sql' } as const);
  const names = columns ?? ['a', 'b', 'c'].slice(0, rows[0]?.length ?? 1);
  return {
    answer: { columns: names, rows, exact: names.map(() => exact), hasMore: false },
    order: rowOrder(text, language),
    traits: all,
  };
}

const compared = (first: Made, second: Made) => compareAcross(sideOf(first), sideOf(second));
const of = (own: string, other: string, more: Omit<Made, 'rows'> = {}) =>
  compared({ rows: [[own]], ...more }, { rows: [[other]], exact: more.exact ?? false }).outcome;

test('values that mean the same on two engines are equal', () => {
  expect(of('strue', 'n1')).toBe('equal');
  expect(of('sab  ', 'sab')).toBe('equal');
  expect(of('sNaN', 'snan')).toBe('equal');
  expect(of('s-Infinity', 's-inf')).toBe('equal');
  expect(of('s{"b": 1, "a": [2, {"d": 3, "c": 4}]}', 's{"a":[2,{"c":4,"d":3}],"b":1}')).toBe('equal');
  expect(of('b0123456789abcdef0123456789abcdef', 'u01234567-89ab-cdef-0123-456789abcdef')).toBe('equal');
  expect(of('n3.3333', 'n3.3333333333333333'), 'a mean with fewer digits').toBe('equal');
  expect(of('n8.0001', 'n8.00005'), 'a five at the end of a mean').toBe('equal');
  expect(of('n-8.0001', 'n-8.00005')).toBe('equal');
  expect(of('n12345678901234567.1235', 'n12345678901234567.12345')).toBe('equal');
  expect(of('s5   ', 'n5'), 'a padded text of digits').toBe('equal');
  expect(of('s1.50 ', 'n1.5')).toBe('equal');
  expect(of('s', '', { traits: { emptyIsNull: true } })).toBe('equal');
  expect(of('s', ''), 'an empty text is no null').toBe('differ');
});

test('values that differ differ on two engines, too', () => {
  expect(of('n25', 'n25.5'), 'a division of whole numbers').toBe('differ');
  expect(of('sParis', 'sparis')).toBe('differ');
  expect(of('n3.3333', 'n3.3344444')).toBe('differ');
  expect(of('s5   ', 'n6')).toBe('differ');
  const long = ['n1234567890123456.78', 'n1234567890123456.79'] as const;
  expect(of(...long, { exact: true }), 'the last of 18 exact digits').toBe('differ');
  expect(of(...long), 'rounding errors of doubles').toBe('equal');
  expect(of('n1234567890123456.1234', 'n1234567890123456.12345', { exact: true }), 'a rounded mean').toBe('equal');
  expect(of('n5708', 'n570.8'), 'no engine of these stores whole numbers').toBe('differ');
  expect(of('t2024-05-01T10:00:00', 't2024-05-01T11:00:00')).toBe('differ');
  const found = compared({ rows: [['n1'], ['n2']] }, { rows: [['n1']] });
  expect(found).toMatchObject({ outcome: 'differ', pairs: [{ baseline: ['2'], own: null }] });
});

test('differences that the types of the engines explain are doubts', () => {
  const storesWhole = { traits: { storesWhole: true } };
  const why = (own: string, other: string, more: Omit<Made, 'rows'> = {}) => {
    const found = compared({ rows: [[own]], ...more }, { rows: [[other]] });
    return found.outcome === 'cannotTell' ? found.why : found.outcome;
  };
  expect(why('n57080', 'n570.8', storesWhole)).toContain('whole numbers');
  expect(why('n4077.1428571428573', 'n40.771429', storesWhole)).toContain('whole numbers');
  expect(why('n1590261686066466', 't2020-05-23T19:21:26.066466', storesWhole)).toContain('whole numbers');
  expect(why('n57081', 'n570.8', storesWhole)).toBe('differ');
  expect(why('n4583445', 'n45834.45', storesWhole), 'a sum whose last digit is a five').toContain('whole numbers');
  expect(why('n-4583440', 'n-45834.4', storesWhole)).toContain('whole numbers');
  expect(why('n4583445', 'n-45834.45', storesWhole)).toBe('differ');
  expect(why('n123456789012345', 'n1234567890123.45', storesWhole)).toContain('whole numbers');
  expect(why('n29.999999999999996', 'n0.3', storesWhole)).toContain('whole numbers');
  expect(why('n-1500000', 't1969-12-31T23:59:58.500000', storesWhole)).toContain('whole numbers');
  expect(why('n1590261686066466', 't2020-05-23T19:21:27.066466', storesWhole)).toBe('differ');
  expect(why('t2024-05-01T10:00:00.123', 't2024-05-01T10:00:00.123456')).toContain('fractions');
  expect(why('n0.3', 'n0.33')).toContain('digits');
  expect(why('n9007199254740993', 'n9007199254740992'), 'keys that one engine may have rounded').toContain('digits');
  expect(why('n0.666666', 'n0.6666666667'), 'a quotient that one of them cuts').toContain('digits');
  const uuids = ['u01234567-89ab-cdef-0123-456789abcdef', 'u11234567-89ab-cdef-0123-456789abcdef'] as const;
  expect(why(...uuids, { traits: { uuidOrder: 'lastSixBytesFirst' } })).toContain('UUIDs');
  expect(why(...uuids)).toBe('differ');
  expect(why('n1', 'n2', { text: 'SELECT random() FROM {t}' })).toContain('random()');
});

describe('sorted answers', () => {
  const text = 'SELECT a, b FROM {t} ORDER BY a LIMIT 2';
  const two = (own: readonly (readonly string[])[], other: readonly (readonly string[])[], sorted = text) =>
    compared({ rows: own, text: sorted }, { rows: other, text: sorted });

  test('collations and nulls sort in the order of each engine', () => {
    const texts = two([['sa'], ['sB']], [['sB'], ['sC']]);
    expect(texts).toMatchObject({ outcome: 'cannotTell', why: expect.stringContaining('collations') });
    const nulls = two([['', 'n1']], [['n1', 'n1']]);
    expect(nulls).toMatchObject({ outcome: 'cannotTell', why: expect.stringContaining('nulls') });
    const free = 'SELECT a, b FROM {t} ORDER BY a';
    expect(two([['sa'], ['sB']], [['sB'], ['sa']], free).outcome).toBe('cannotTell');
    expect(two([['sa'], ['sB']], [['sB'], ['sC']], free).outcome, 'other texts are no order').toBe('differ');
  });

  test('numbers have one order', () => {
    expect(two([['n1'], ['n2']], [['n1'], ['n3']]).outcome).toBe('differ');
    expect(two([['n1'], ['n2']], [['n2'], ['n1']]).outcome).toBe('differ');
    expect(two([['n1'], ['n2']], [['n1'], ['n2']]).outcome).toBe('equal');
  });
});

test('fields of documents are columns by their names, and the key is _id', () => {
  const named = { traits: { isNamed: true }, text: '{"find":"{t}"}' };
  const rows = { columns: ['id', 'City'], rows: [['n1', 'sOslo']] };
  const documents = (columns: readonly string[], row: readonly string[]) =>
    compared(rows, { columns, rows: [row], ...named }).outcome;
  expect(documents(['city', '_id'], ['sOslo', 'n1'])).toBe('equal');
  expect(documents(['city', '_id'], ['sBern', 'n1'])).toBe('differ');
  expect(documents(['town', '_id'], ['sOslo', 'n1'])).toBe('cannotTell');
  expect(compared(rows, { columns: [], rows: [], ...named }).outcome, 'no document').toBe('differ');
  expect(compared({ rows: [['n1', 'n2']] }, { rows: [['n1']] }).outcome, 'columns of SQL have places').toBe('differ');
});
