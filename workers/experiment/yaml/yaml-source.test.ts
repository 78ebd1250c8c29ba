import { describe, expect, it } from 'vitest';
import { maxTextLength, maxValues, readYaml } from './yaml-source.ts';

const messages = (text: string) => readYaml(text).errors.map(({ message }) => message);
const letters = [...'abcdefghi'];

describe('reading YAML within bounds', () => {
  it.each([
    ['a text that is too long', ' '.repeat(maxTextLength + 1), /characters/],
    ['brackets without end', '['.repeat(200_000), /nested/],
    ['brackets with blanks between them', '{ [ '.repeat(70_000), /nested/],
    ['nested list dashes', '- '.repeat(140_000), /nested/],
    ['nested mappings', Array.from({ length: 60 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), /nested/],
    ['deep nesting in quick notation', `${'{a: '.repeat(20_000)}1${'}'.repeat(20_000)}`, /nested/],
    [
      'aliases that multiply',
      letters
        .map(
          (letter, i) =>
            `${letter}: &${letter} [${Array(9)
              .fill(i === 0 ? 'x' : `*${letters[i - 1]}`)
              .join(', ')}]`,
        )
        .join('\n'),
      /25,000 values, those repeated by aliases/,
    ],
    ['a long text that aliases repeat', `a: &a ${'x'.repeat(9_000)}\nb: [${'*a, '.repeat(200)}]`, /300,000 characters/],
    [
      'nesting by aliases',
      Array.from({ length: 40 }, (_, i) => `a${i}: &a${i} [${i === 0 ? '' : `*a${i - 1}`}]`).join('\n'),
      /nested/,
    ],
    ['aliases without end', `a: &a 1\nb: [${'*a, '.repeat(1_001)}]`, /1,000 aliases/],
    ['more values than an experiment has', `[${'a,'.repeat(maxValues)}]`, /25,000 values/],
    ['values without an end', '[a,'.padEnd(290_000, 'a,'), /25,000 values/],
    ['a value within itself', 'a: &a { b: [*a] }', /inside the value it refers to/],
    ['an alias of nothing', 'a: *nothing', /alias/i],
    ['a key written twice', 'a: 1\nb: 2\na: 3', /`a` is written twice/],
    ['a reserved key', 'a: { __proto__: 1 }', /__proto__/],
    ['another reserved key', 'constructor: 1', /constructor/],
    ['an unknown tag', 'a: !secret 1', /!secret/],
    ['a tab as indentation', 'a:\n\tb: 1', /tabs/],
    ['two documents', 'a: 1\n---\nb: 2', /more than one/],
    ['a list as a key', '[a]: 1', /plain word/],
    ['a value with a colon', 'about: a: b', /one line/],
    ['an open quote', 'a: "b', /not valid YAML: .*[^.]\.$/],
  ])('refuses %s', (_, text, expected) => {
    expect(messages(text)[0]).toMatch(expected);
    expect(readYaml(text).value).toBeUndefined();
  });

  it('finds every duplicate in a long file without comparing all with all', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `key${i}: 1`).join('\n');
    expect(messages(text)).toEqual([]);
    expect(messages(`${text}\nkey7: 2`)).toEqual([
      'The key `key7` is written twice in the same place; keep one of them.',
    ]);
  });

  it('reports a bounded number of problems', () => {
    expect(messages('a: 1\n'.repeat(10_000)).length).toBeLessThanOrEqual(20);
  });

  it('counts lines and columns from one, in characters, also after non-ASCII text and Windows line ends', () => {
    const { locate } = readYaml('naïve: "ü ö"\r\nß: { über: 5 }\r\n');
    const place = locate({ path: ['ß', 'über'], message: 'm', suggestion: null });
    expect(place).toMatchObject({ line: 2, column: 12, endLine: 2, endColumn: 13, path: 'ß.über' });
  });

  it('lets aliases repeat a value as often as there is room for it', () => {
    expect(readYaml(`a: &a 7\nb: [${'*a, '.repeat(500)}]`).value).toEqual({ a: 7, b: Array(500).fill(7) });
  });

  it('shares values by alias', () => {
    expect(readYaml('a: &a { x: 1 }\nb: *a').value).toEqual({ a: { x: 1 }, b: { x: 1 } });
  });
});
