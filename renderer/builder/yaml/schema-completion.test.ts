import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import { experimentSchema } from '#experiment/schema/experiment.ts';
import { settingNames } from '#model/settings/settings.ts';
import { methods, operations } from '#model/settings/vocabulary.ts';
import { completeKeys, flowAt, pathAt } from './schema-completion.ts';

function complete(text: string): readonly string[] {
  const state = EditorState.create({ doc: text });
  const result = completeKeys(new CompletionContext(state, text.length, true));
  return result?.options.map((option) => option.label) ?? [];
}

test('completes top-level keys', () => {
  expect(complete('na')).toEqual(Object.keys(experimentSchema.entries));
});

test('completes settings as factors', () => {
  expect(complete('factors:\n  ro')).toEqual(settingNames);
});

test('completes keys of the section the cursor is in', () => {
  expect(complete('name: x\nworkload:\n  op')).toEqual([...settingNames, 'options']);
});

test('completes fixed values of a key', () => {
  expect(complete('workload:\n  operation: in')).toEqual(operations);
});

test('completes items of a list written on one line', () => {
  expect(complete('factors:\n  method: [bulk, b')).toEqual(methods);
});

test('offers nothing in a comment', () => {
  expect(complete('# na')).toEqual([]);
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
  const named = 'factors:\n  method:\n    one row: { method: literal }\n';

  test('completes settings within a named level', () => {
    expect(complete(`${named}    bulk load:\n      row`)).toContain('rowsPerCall');
    expect(complete(`${named}    bulk load: { method: bulk, row`)).toContain('rowsPerCall');
    expect(complete(`${named}    bulk load: { method: bu`)).toContain('bulk');
  });

  test('completes levels of a factor, one a line or in brackets', () => {
    expect(complete('factors:\n  method: [bulk, pre')).toContain('prepared');
  });

  test('completes types and details of a column written in braces', () => {
    expect(complete('dataset:\n  columns:\n    id: { type: uu')).toContain('uuid7');
    expect(complete('dataset:\n  columns:\n    id: { type: text, le')).toContain('length');
  });
});

test('completes values within documents, which refer to themselves', () => {
  const text =
    'dataset:\n  columns:\n    doc:\n      type: document\n      fields:\n        lines:\n          of:\n            type: li';
  expect(complete(text)).toEqual(expect.arrayContaining(['uuid4', 'list', 'object']));
});
