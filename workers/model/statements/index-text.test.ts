import { expect, test } from 'vitest';
import { indexTextProblem } from './index-text.ts';
import type { StatementLanguage } from './statement-text.ts';

const postgres: StatementLanguage = { language: 'sql', quoting: ['eString', 'dollar', 'nested'] };
const mysql: StatementLanguage = { language: 'sql', quoting: ['backslash', 'backtick', 'hash'] };

test.each([
  'amount > 100',
  "status IN ('open', 'in ; transit')",
  'lower(name)',
  "(doc ->> 'a') IS NOT NULL",
  "name = 'it''s )'",
])('%s is one expression', (text) => {
  for (const language of [postgres, mysql]) expect(indexTextProblem(text, language)).toBeNull();
});

test.each([
  ['amount > 1; DROP TABLE users', 'second statement'],
  ['amount > 1) ; DROP TABLE users; --', 'not closed'],
  ['amount > 1) ; DROP TABLE users', 'second statement'],
  ['amount > 1) WHERE (1 = 1', 'closes a bracket'],
  ['amount > (1', 'not closed'],
  ['amount > 1 -- x', 'not closed'],
  ['amount > 1 /* x */', 'comments'],
  ["name = 'a", 'not closed'],
  ['amount > :low', ':low'],
  ['amount > (SELECT max(id) FROM {sales})', '{sales}'],
  ['  ', 'empty'],
])('%s is refused', (text, why) => {
  expect(indexTextProblem(text, postgres)).toContain(why);
});

test('quotes are those of the dialect', () => {
  expect(indexTextProblem("name = 'a\\'", postgres)).toBeNull();
  expect(indexTextProblem("name = 'a\\'", mysql)).toContain('not closed');
  expect(indexTextProblem("name = 'a\\' ) ; DROP TABLE t; #'", mysql)).toBeNull();
  expect(indexTextProblem('a = $x$ ) ; DROP $x$', postgres)).toBeNull();
  expect(indexTextProblem('a = $x$ ) ; DROP', postgres)).toContain('not closed');
});

test('a condition of MongoDB is an object in JSON', () => {
  expect(indexTextProblem('{ "amount": { "$gt": 5 } }', { language: 'json' })).toBeNull();
  for (const text of ['amount > 5', '[]', '"a"']) expect(indexTextProblem(text, { language: 'json' })).not.toBeNull();
});
