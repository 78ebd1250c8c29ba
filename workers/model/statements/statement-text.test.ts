import { expect, test } from 'vitest';
import { piecesOf } from './json-request.ts';
import { parametersIn, partsOf, type StatementLanguage, tablesIn } from './statement-text.ts';

const sql = (...quoting: NonNullable<StatementLanguage['quoting']>): StatementLanguage => ({
  language: 'sql',
  quoting,
});
const names = (text: string, language: StatementLanguage = sql()) => parametersIn(text, language, []);

test.each([
  ['a parameter, twice', 'SELECT * FROM t WHERE a = :a OR b = :b OR c = :a', sql(), ['a', 'b']],
  ['none within quotes', `SELECT ':no', ":no", 'it''s :no' WHERE a = :yes`, sql(), ['yes']],
  ['none within comments', 'SELECT 1 -- :no\n/* :no */ WHERE a = :yes', sql(), ['yes']],
  ['no cast', 'SELECT a::text, :yes::int', sql(), ['yes']],
  ['no assignment, slice or label', 'SET @a := 1; a[1:2]; x:y', sql(), []],
  ['nested comments end where the outer one does', '/* a /* b */ :no */ :yes', sql('nested'), ['yes']],
  ['comments that do not nest end at once', '/* a /* b */ :yes', sql(), ['yes']],
  ['backslashes hide quotes', `'a\\' :no' :yes`, sql('backslash'), ['yes']],
  ['backslashes are plain elsewhere', `'a\\' :yes`, sql(), ['yes']],
  ['backslashes hide quotes in texts alone', `'a\\' :no' "b\\" :yes`, sql('textBackslash'), ['yes']],
  ['only E-strings have them in PostgreSQL', `'a\\' || :yes || E'b\\' :no'`, sql('eString'), ['yes']],
  ['dollar quotes', 'DO $x$ :no $$ :no $x$ :yes $1', sql('dollar'), ['yes']],
  ['brackets and backticks', '[:no] `:no` :yes', sql('bracket', 'backtick'), ['yes']],
  ['q-quotes', `q'[it's :no]' nq'{:no}' :yes`, sql('qString'), ['yes']],
  ['MySQL needs a space behind --', '5--:yes\n# :no\n-- :no', sql('hash'), ['yes']],
  ['RQL', `from t where a = $a and b = '$no' // $no\n and c = "\\"$no"`, { language: 'rql' }, ['a']],
] as const)('%s', (_what, text, language, expected) => {
  expect(names(text, language)).toEqual(expected);
});

test('pieces add up to the text', () => {
  const text = `SELECT ':a', :a FROM {table} JOIN {stores} ON {fn now()} = {stores} -- {quoted}`;
  const shown = partsOf(text, sql()).map((part) =>
    part.kind === 'parameter' ? `:${part.name}` : part.kind === 'table' ? `{${part.name}}` : part.text,
  );
  expect(shown.join('')).toBe(text);
  expect(tablesIn(text, sql())).toEqual(['table', 'stores']);
  expect(tablesIn(`SELECT '{table}'`, sql())).toEqual([]);
});

test('of a request to RavenDB, strings have places, and programs have none for parameters', () => {
  const rql: StatementLanguage = { language: 'rql' };
  const batch = `{ "Commands": [
    { "Type": "PATCH", "Id": "{stock}/$store-$article", "Patch": { "Script": "if (a) {b} $no", "Values": { "n": "$pieces", "u": "US$5" } } },
    { "Type": "PUT", "Id": "{sales}/", "Document": { "a": ["$pieces", 1, null, {}, []], "@metadata": { "@collection": "{sales}" } } }] }`;
  expect(names(batch, rql)).toEqual(['store', 'article', 'pieces']);
  expect(tablesIn(batch, rql)).toEqual(['stock', 'sales']);
  const query = `{ "Indexes": [{ "Name": "{sales}/x", "Maps": ["from s in docs.{sales} select new { s.a }"] }],
    "Query": "from index '{sales}/x' where a = $no and b = '{stock}'", "QueryParameters": { "no": "$a" } }`;
  expect(names(query, rql)).toEqual(['a']);
  expect(tablesIn(query, rql)).toEqual(['sales', 'stock']);
});

test('the pieces of a request add up to the request', () => {
  const value = { Ids: ['{a}/$b"\\', 'c'], n: [1, true, null, {}, [], { d: 'é' }], Script: '$x {y}' };
  const shown = [...piecesOf(value)].map(({ kind, text }) =>
    kind === 'json' ? text : kind === 'table' ? `{${text}}` : kind === 'within' ? `$${text}` : `"$${text}"`,
  );
  expect(JSON.parse(shown.join(''))).toEqual(value);
});

test('of a command, declared names and $param count', () => {
  const text = '{ "find": "{table}", "filter": { "a": "$a", "b": { "$param": "b" }, "c": "$price" } }';
  expect(parametersIn(text, { language: 'json' }, ['a'])).toEqual(['b', 'a']);
  expect(tablesIn(text, { language: 'json' })).toEqual(['table']);
});

test('a declared parameter is found as the server may read it, with backslashes and without', () => {
  const text = `SELECT '\\' || :a || '\\' || :b, 'it\\'s :c'`;
  expect(parametersIn(text, sql('backslash'), ['a', 'b'])).toEqual(expect.arrayContaining(['a', 'b']));
  expect(parametersIn(`SELECT 'it\\'s :c', :a`, sql('backslash'), ['a'])).toEqual(['a']);
});
