import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { requestOf } from '#model/statements/json-request.ts';
import { vetIndexes } from './index-code.ts';

const folder = new URL('../../../../experiments/', import.meta.url);
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(textsIn)
      : [];
const definitions = readdirSync(folder)
  .filter((name) => name.endsWith('.dyno.yaml'))
  .flatMap((name) => textsIn(parse(readFileSync(new URL(name, folder), 'utf8'))))
  .filter((text) => text.includes('"Indexes"'))
  .map((text) => requestOf(text)?.body.Indexes as readonly Readonly<Record<string, unknown>>[]);

test('indexes of the gallery ask questions of documents', () => {
  expect(definitions.length).toBeGreaterThan(4);
  for (const one of definitions) {
    // The texts as they are sent, with the names of tables filled in.
    vetIndexes(JSON.parse(JSON.stringify(one).replaceAll(/\{\w+\}/g, 'dyno_table')));
  }
});

test.each([
  ['from r in docs.t select new { r.A, x = r.b < 3 }', null],
  ['docs.t.Select(r => new { r.A })', null],
  ['from r in docs.t select new { x = r.Foo() }', 'Foo'],
  ['from r in docs.t select new { x = r.Foo<int>() }', 'Foo'],
  ['from r in docs.t select new { x = r.list.OfType<Type>() }', 'OfType'],
  ['from r in docs.t select new Thing { x = 1 }', 'new Thing'],
  ['from r in docs.t select new { x = Type.Empty }', 'Type'],
  ['from r in docs.t select new { x = (Type)r.x }', 'Type'],
  ['from r in docs.t /* System */ select new { r.x }', '/*'],
  ['from r in docs.t select new { r.x }; System.Exit(1)', ';'],
  ['from r in docs.t select new { x = r.list.Select(x => { return 1; }) }', '=>'],
  ["from r in docs.t select new { x = '\\u0041' }", '\\'],
])('%s', (code, wrong) => {
  const vet = () => vetIndexes([{ Name: 'x', Maps: [code] }]);
  if (wrong === null) expect(vet).not.toThrow();
  else expect(vet).toThrow(`“${wrong}”`);
});

test.each([
  ['StandardAnalyzer', null],
  ['Lucene.Net.Analysis.Standard.StandardAnalyzer', null],
  ['System.Diagnostics.Process, System.Diagnostics.Process', 'is not let run'],
  ['Raven.Server.ServerWide.ServerStore', 'is not let run'],
])('an index may name the analyzer %s: %s', (Analyzer, refusal) => {
  for (const Maps of [['from r in docs.t select new { r.A }'], ["map('t', r => ({ A: r.A }))"]]) {
    const vet = () => vetIndexes([{ Name: 't/x', Maps, Fields: { A: { Analyzer } } }]);
    if (refusal === null) expect(vet).not.toThrow();
    else expect(vet).toThrow(refusal);
  }
});
