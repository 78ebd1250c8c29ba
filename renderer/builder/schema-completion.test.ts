import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { pathAt, schemaCompletion } from './schema-completion.ts';

const schema = {
  properties: {
    name: {},
    workload: { properties: { operation: { enum: ['insert', 'scan'] }, connections: { description: 'How many.' } } },
    factors: { additionalProperties: { anyOf: [{ items: { enum: ['bulk', 'bind'] } }] } },
  },
};

async function complete(text: string): Promise<readonly string[]> {
  const state = EditorState.create({ doc: text });
  const result = await schemaCompletion(schema)(new CompletionContext(state, text.length, true));
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

test('finds the way through nested keys and lists', () => {
  const lines = ['targets:', '  - name: a', '    engine: x', 'dataset:', '  columns:', '    id:', '      '];
  expect(pathAt(lines, 2, 4)).toEqual(['targets', '-']);
  expect(pathAt(lines, 6, 6)).toEqual(['dataset', 'columns', 'id']);
});
