import { describe, expect, it } from 'vitest';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { readDataset } from '../dataset-file.ts';

/** The diagnostics of a dataset with these columns besides its key, as "path: message suggestion". */
function said(columns: string, more = ''): readonly string[] {
  const text = `dataset:\n  rows: 20000\n  key: id\n${more}  columns:\n    id: { type: uuid4 }\n${columns
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('')}`;
  const { dataset, problems } = readDataset(readYaml(text));
  expect(dataset === null).toBe(problems.length > 0);
  return problems.map(({ path, message, suggestion }) => `${path}: ${message} ${suggestion ?? ''}`.trim());
}

const one = (column: string) => said(`x: { ${column} }`);

describe('columns that are right', () => {
  it.each([
    'type: integer, min: 1, max: 9, distribution: zipf, exponent: 1.2',
    'type: decimal, precision: 5, scale: 2, min: 0.01, max: 999.99, distribution: exponential, mean: 20',
    'type: decimal, distribution: normal, mean: 50000, deviation: 9000.5',
    'type: timestamp, distribution: normal',
    'type: name, what: person, locale: pt_BR, pool: 5000, distribution: zipf',
    "type: code, pattern: 'AB-####-\\?'",
    'type: oneOf, values: [red, green], weights: [3, 1]',
    'type: oneOf, values: [1, 2, 5], distribution: zipf',
    'type: oneOf, count: 50, distribution: zipf',
    'type: frequencies, as: date, values: [2026-01-31], shares: [0.1], bounds: [2026-01-01, 2026-12-31], rowOrder: -1',
    "type: frequencies, as: text, values: ['', b], shares: [0.5, 0.5], distinct: 9, row: pair, together: 0.5",
    'type: reference, rows: 100, key: { type: sequence }, shares: [0.5], distinct: 20',
    'type: words, minWords: 1, maxWords: 1',
    'type: reference, rows: 100, key: { type: uuid7 }, distribution: sequential, children: 3',
    'type: document, fields: { a: { type: list, of: { type: object, fields: { b: { type: integer } } } } }',
  ])('%s', (column) => {
    expect(one(column)).toEqual([]);
  });
});

describe('each mistake is said at its place, with what to do', () => {
  it.each([
    ['type: integer, min: 1, max: 9, exponent: 2', /^dataset\.columns\.x\.exponent: `exponent` belongs to .*zipf/],
    ['type: integer, min: 1, max: 9, distribution: normal, mean: 40', /x\.mean: The mean 40 does not lie between/],
    ['type: integer, min: 1, max: 9, mean: 4', /x\.mean: `mean` belongs to distribution: normal or exponential/],
    ['type: integer, distribution: exponential, deviation: 4', /x\.deviation: `deviation` belongs to .*normal/],
    ['type: integer, min: 1, max: 9, distribution: normal, deviation: 50', /x\.deviation: .*at most 8/],
    ['type: integer, distribution: zipff', /x\.distribution: .*Did you mean `zipf`/],
    ['type: decimal, precision: 4, scale: 2, max: 100', /x\.max: max 100 has more digits than precision 4/],
    ['type: decimal, scale: 1, min: 0.31, max: 0.39', /x\.min: No number with 1 decimal places lies between/],
    ['type: name, what: persn', /x\.what: .*Did you mean `person`/],
    ['type: name, what: person, locale: pt_Br', /x\.locale: .*Did you mean `pt_BR`/],
    ["type: code, pattern: 'AB-\\#'", /x\.pattern: The pattern makes the same code for every row\. # stands/],
    ['type: oneOf', /x\.values: The list has no values/],
    ['type: oneOf, values: [a], count: 3', /x\.count: .*Keep one of the two/],
    ['type: oneOf, values: [a, b], weights: [1]', /x\.weights: There are 1 weights for 2 values/],
    ['type: oneOf, values: [a, b], weights: [0, 0]', /x\.weights: No value has a weight above 0/],
    ['type: oneOf, values: [a, b], weights: [1, 2], distribution: zipf', /x\.distribution: The weights are/],
    ['type: oneOf, values: [1, a]', /x\.values: Some values are texts and some are numbers/],
    ['type: oneOf, values: [1.5]', /x\.values\[0\]: Expected a whole number/],
    ['type: frequencies', /x\.bounds: The column has neither values nor bounds/],
    ['type: frequencies, bounds: [2, 1]', /x\.bounds: The bounds do not ascend/],
    ['type: frequencies, bounds: [0, 1.5]', /x\.bounds: 1\.5 is no integer/],
    ['type: frequencies, as: date, bounds: [2026-02-30, 2026-03-01]', /x\.bounds: "2026-02-30" is no date/],
    ['type: frequencies, values: [1, 2], shares: [1]', /x\.shares: There are 1 shares for 2 values/],
    ['type: frequencies, values: [1, 2], shares: [1, 0.5]', /x\.shares: The shares sum to 1\.5/],
    ['type: frequencies, as: text, minLength: 9, maxLength: 8', /x\.minLength: minLength 9 is above/],
    ['type: frequencies, as: decimal, precision: 2, scale: 3, bounds: [0, 1]', /x\.scale: scale 3 is more than/],
    ['type: frequencies, bounds: [0, 1], maxLength: 5', /x\.maxLength: .*belongs to as: text/],
    ['type: reference, rows: 9, key: { type: uuid7 }, shares: [1], rowOrder: 1', /x\.rowOrder: The frequent parents/],
    ['type: words, minWords: 9, maxWords: 3', /x\.minWords: minWords 9 is above maxWords 3/],
    ['type: reference, rows: 100', /columns\.x: The reference leads to no table.*`rows` and `key`/],
    ['type: reference, rows: 100, key: { type: text, length: 9 }', /x\.key\.type: Unknown type `text`.*uuid4, uuid7/],
    ["type: reference, rows: 101, key: { type: code, pattern: 'A##' }", /x\.key: .*makes 100 codes for 101 rows/],
    ['type: reference, rows: 9, key: { type: uuid4 }, children: 2', /x\.children: .*sequential/],
    ['type: document, fields: {}', /x\.fields: .*is empty/],
    ['type: document, fields: { A: { type: uuid4 } }', /x\.fields\.A: .*lower-case/],
    [
      'type: document, fields: { a: { type: list, of: { type: integer, min: 9, max: 1 } } }',
      /x\.fields\.a\.of\.min: min 9 is above max 1/,
    ],
    ['type: document, fields: { a: { type: list, of: { type: wrods } } }', /a\.of\.type: .*Did you mean `words`/],
    ['type: document, fields: { a: { type: correlated, of: b } }', /fields\.a\.type: Unknown type `correlated`/],
    [
      'type: document, fields: { a: { type: list, maxLength: 1000, of: { type: list, maxLength: 1000, of: { type: boolean } } } }',
      /x\.fields: Lists within lists have 100,000 elements/,
    ],
    [
      'type: document, fields: { a: { type: list, maxLength: 1000, of: { type: words, maxWords: 1000 } } }',
      /x\.fields: The document can get longer than 1,000,000 characters/,
    ],
  ] as const)('%s', (column, words) => {
    const problems = one(column);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(words);
  });
});

describe('columns that follow others', () => {
  const price = 'price: { type: decimal }\n';

  it.each([
    ['x: { type: correlated, of: prise }', /x\.of: `prise` is not a column.*Did you mean `price`/],
    [
      'x: { type: correlated, of: id }',
      /x\.of: `x` has to follow a column of numbers, and `id` is of type uuid4\. There are: price/,
    ],
    ['x: { type: correlated, of: price, times: nothing }', /x\.times: `nothing` is not a column/],
    ['x: { type: correlated, of: price, noise: 1, correlation: 0.5 }', /x\.correlation: .*Keep one/],
    ['x: { type: delayed, of: price }', /x\.of: .*a timestamp.*There is no other; add a timestamp/],
    ['x: { type: correlated, of: x }', /x\.of: The columns follow each other in a circle: x → x/],
    ['n: { type: sequence }\nx: { type: correlated, of: n, correlation: 0.5 }', /x\.of: `n` only ever grows/],
  ] as const)('%s', (columns, words) => {
    expect(said(price + columns)).toEqual([expect.stringMatching(words)]);
  });

  it('a circle is said at each of its columns', () => {
    const problems = said(
      'a: { type: correlated, of: b }\nb: { type: correlated, of: c }\nc: { type: correlated, of: a }',
    );
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('a → b → c → a');
  });
});

describe('a primary key', () => {
  const key = (column: string) => {
    const { problems } = readDataset(
      readYaml(`dataset:\n  rows: 20000\n  key: id\n  columns:\n    id: { ${column} }\n`),
    );
    return problems.map(({ message }) => message);
  };

  it('may be a code whose pattern is wide enough', () => {
    expect(key("type: code, pattern: '##-####'")).toEqual([]);
    expect(key("type: code, pattern: 'AB-##'")).toEqual([
      expect.stringMatching(/makes 100 different codes for 20,000 rows/),
    ]);
  });

  it.each(['type: name, what: email', 'type: words', 'type: integer, distribution: zipf', 'type: oneOf, count: 9'])(
    'is not %s',
    (column) => {
      expect(key(column)).toEqual([expect.stringMatching(/would repeat itself within 20,000 rows/)]);
    },
  );
});

it('the dataset is read whatever is wrong with the rest of the file', () => {
  const { dataset } = readDataset(
    readYaml('dyno: 99\ndataset: { rows: 1, columns: { a: { type: uuid4 } } }\ntargets: 5\n'),
  );
  expect(dataset).toEqual({ rows: 1, seed: 1, columns: { a: { type: 'uuid4', nulls: 0 } } });
  expect(readDataset(readYaml('name: x')).problems[0]?.message).toMatch(/dataset/);
});
