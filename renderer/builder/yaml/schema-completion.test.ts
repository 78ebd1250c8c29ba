import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import { experimentJsonSchema } from '#experiment/schema/json-schema.ts';
import { flowAt, pathAt, schemaCompletion } from './schema-completion.ts';

const schema = {
  properties: {
    name: {},
    workload: { properties: { operation: { enum: ['insert', 'scan'] }, connections: { description: 'How many.' } } },
    factors: { additionalProperties: { anyOf: [{ items: { enum: ['bulk', 'bind'] } }] } },
  },
};

async function complete(text: string, of: unknown = schema): Promise<readonly string[]> {
  const state = EditorState.create({ doc: text });
  const result = await schemaCompletion(of)(new CompletionContext(state, text.length, true));
  return result?.options.map((option) => option.label) ?? [];
}

test('completes top-level keys', async () => {
  expect(await complete('na')).toEqual(['name', 'workload', 'factors']);
});

test('completes keys of the section the cursor is in', async () => {
  expect(await complete('name: x\nworkload:\n  op')).toEqual(['operation', 'connections']);
});

test('completes fixed values of a key', async () => {
  expect(await complete('workload:\n  operation: in')).toEqual(['insert', 'scan']);
});

test('completes items of a list written on one line', async () => {
  expect(await complete('factors:\n  method: [bulk, b')).toEqual(['bulk', 'bind']);
});

test('offers nothing in a comment', async () => {
  expect(await complete('# na')).toEqual([]);
});

test('finds the path through nested keys and lists', () => {
  const lines = ['targets:', '  - name: a', '    engine: x', 'dataset:', '  columns:', '    id:', '      '];
  expect(pathAt(lines, 2, 4)).toEqual(['targets', '-']);
  expect(pathAt(lines, 6, 6)).toEqual(['dataset', 'columns', 'id']);
});

test('knows where it is within braces and brackets of one line', () => {
  expect(flowAt('  method: { method: bulk, ')).toEqual({ path: ['method'], rest: ' ' });
  expect(flowAt('  a, "b": { c: [1, { d: x }, { e: ')).toEqual({ path: ['a, "b"', 'c', '-'], rest: ' e: ' });
  expect(flowAt('  method: [bulk, bind]')).toBeNull();
  expect(flowAt('  text: "{ not open"')).toBeNull();
});

describe('with the schema of experiments', () => {
  const real = experimentJsonSchema();
  const named = 'factors:\n  method:\n    one row: { method: literal }\n';

  test('completes settings within a named level', async () => {
    expect(await complete(`${named}    bulk load:\n      row`, real)).toContain('rowsPerCall');
    expect(await complete(`${named}    bulk load: { method: bulk, row`, real)).toContain('rowsPerCall');
    expect(await complete(`${named}    bulk load: { method: bu`, real)).toContain('bulk');
  });

  test('completes levels of a factor, one a line or in brackets', async () => {
    expect(await complete('factors:\n  method: [bulk, pre', real)).toContain('prepared');
  });

  test('completes types and details of a column written in braces', async () => {
    expect(await complete('dataset:\n  columns:\n    id: { type: uu', real)).toContain('uuid7');
    expect(await complete('dataset:\n  columns:\n    id: { type: text, le', real)).toContain('length');
  });
});

test('completes values within documents, which refer to themselves', async () => {
  const text =
    'dataset:\n  columns:\n    doc:\n      type: document\n      fields:\n        lines:\n          of:\n            type: li';
  expect(await complete(text, experimentJsonSchema())).toEqual(expect.arrayContaining(['uuid4', 'list', 'object']));
});
