import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newExperimentText } from '../../library/new-experiment.ts';
import { draft } from '../draft/draft-store.ts';
import { readRaw } from '../draft/raw-experiment.ts';
import { edit, editAll } from './edit.ts';

const parsed = vi.hoisted((): string[] => []);
vi.mock('yaml', async (original) => {
  const library = await original<typeof import('yaml')>();
  const parseDocument: typeof library.parseDocument = (text, ...rest) => {
    parsed.push(text);
    return library.parseDocument(text, ...rest);
  };
  return { ...library, parseDocument };
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a default is not written, and a mapping without keys is not left behind', () => {
  const text = newExperimentText;
  const file = { id: null, origin: 'mine', lineEnd: '\n', checked: null, checkedText: null } as const;
  draft.set({ ...file, key: 1, text, savedText: text });
  const now = () => draft.get()!.text;
  edit(['dataset', 'columns', 'payload', 'nulls'], 0.5);
  expect(now()).toContain('payload: { type: text, length: 20, nulls: 0.5 }');
  edit(['dataset', 'columns', 'payload', 'nulls'], 0);
  edit(['workload', 'connections'], 8);
  edit(['workload', 'connections'], 1);
  edit(['workload', 'options'], { 'postgres.path': 'lean' });
  edit(['workload', 'options', 'postgres.path'], undefined);
  expect(now()).toBe(text);
  // The file says what it measures.
  edit(['workload', 'operation'], 'insert');
  expect(now()).toBe(text);
  edit(['factors', 'method'], undefined);
  expect(now()).toBe(text.replace('factors:\n  method: [prepared, multiRow]\n\n', ''));
});

test('a default in a size takes the place of another value', () => {
  const text = `${newExperimentText}size: quick\nsizes:\n  quick:\n    workload: { connections: 4 }\n`;
  const file = { id: null, origin: 'mine', lineEnd: '\n', checked: null, checkedText: null } as const;
  draft.set({ ...file, key: 1, text, savedText: text });
  edit(['workload', 'connections'], 1);
  expect(draft.get()!.text).toBe(text.replace('connections: 4', 'connections: 1'));
});

test('edits by form parse no text twice, neither for the edit nor for the form that shows it', () => {
  const text = newExperimentText;
  const file = { id: null, origin: 'mine', lineEnd: '\n', checked: null, checkedText: null } as const;
  draft.set({ ...file, key: 1, text, savedText: text });
  parsed.length = 0;
  edit(['name'], 'Another');
  expect(readRaw(draft.get()!.text)?.name).toBe('Another');
  edit(['factors', 'connections'], [1, 2]);
  editAll([
    { path: ['measure', 'repeats'], value: 7 },
    { path: ['dataset', 'rows'], value: 99 },
  ]);
  expect(readRaw(draft.get()!.text)).toMatchObject({ factors: { connections: [1, 2] }, dataset: { rows: 99 } });
  expect(parsed).toContain(text);
  expect(parsed).toHaveLength(new Set(parsed).size);
});
