import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AnsweredRows } from '#engine-api/statement.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { findListFiles } from '#workspace/library/list-files.ts';
import type { Control } from '../worker/control.ts';
import { readLists } from './statement-lists.ts';

/** The lists of the parameters of one statement, from a file keys.csv and a server with this answer. */
async function listsOf(parameters: object, csv = 'a,b\n1,x\n2,\n', answer: Partial<AnsweredRows> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-lists-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'keys.csv'), csv);
  const { experiment } = parseFile(
    JSON.stringify({
      dyno: 1,
      name: 'Lists',
      question: 'What is drawn?',
      workload: { operation: 'statement', method: 'bind' },
      statements: { s: { text: 'SELECT 1', parameters } },
      targets: ['sqlite'],
    }),
  );
  const asked: unknown[] = [];
  const ask = async (request: unknown) => {
    asked.push(request);
    return { columns: ['a', 'b'], rows: [], count: 0, ...answer };
  };
  const files = findListFiles(folder, [experiment!]);
  const choice = { target: 'sqlite', engine: 'sqlite' };
  const context = { control: { ask } as unknown as Control, experiment: experiment!, choice, files, isTry: false };
  const lists = await readLists({ ...context, tables: {}, options: {} }, ['s'], new AbortController().signal);
  return { lists, asked };
}

const csv = (column: string, more: object = {}) => ({ type: 'csv', file: 'keys.csv', column, ...more });
const query = (more: object = {}) => ({ type: 'query', text: 'SELECT a, b FROM t', ...more });

test('columns of a file have one source, unless another row is named; text is the default', async () => {
  const { lists } = await listsOf({ a: csv('a'), b: csv('b'), other: csv('a', { row: 'other', as: 'integer' }) });
  expect(lists.get('s a')).toMatchObject({ as: 'text', values: ['1', '2'] });
  expect(lists.get('s b')).toMatchObject({ as: 'text', values: ['x', null] });
  expect(lists.get('s other')).toMatchObject({ as: 'integer', values: ['1', '2'] });
  expect(lists.get('s a')!.source).toBe(lists.get('s b')!.source);
  expect(lists.get('s other')!.source).not.toBe(lists.get('s a')!.source);
});

test('columns of a query come from one answer, with the types of the server', async () => {
  const answer = {
    rows: [['5', '2024-03-11']],
    exact: [['5', '2024-03-11 00:00:00.0000001']],
    types: ['integer', 'timestamp'],
    declared: [null, 'datetime2(7)'],
  } as const;
  const { lists, asked } = await listsOf({ a: query(), b: query({ column: 'B' }) }, undefined, answer);
  expect(asked).toHaveLength(1);
  expect(lists.get('s a')).toMatchObject({ as: 'integer', values: ['5'] });
  expect(lists.get('s b')).toMatchObject({ as: 'timestamp', declared: 'datetime2(7)', values: [answer.exact[0][1]] });
  await expect(listsOf({ a: query({ column: 'c' }) }, undefined, answer)).rejects.toThrow(/without a column “c”/);
});

test('values in the engine’s own notation are kept in it, and `as` overrides it', async () => {
  const own = { rows: [['507f']], own: [['{"$oid":"507f"}']], types: ['own'], columns: ['_id'] } as const;
  const { lists } = await listsOf({ a: query(), b: query({ as: 'text' }) }, undefined, own);
  expect(lists.get('s a')).toMatchObject({ as: 'own', values: ['{"$oid":"507f"}'] });
  expect(lists.get('s b')).toMatchObject({ as: 'text', values: ['507f'] });
});

test('a value that is not of the type is named with its line, and a list that is too long with the limit', async () => {
  await expect(listsOf({ a: csv('a', { as: 'integer' }) }, 'a\n1\n\nx\n')).rejects.toThrow(
    'keys.csv, line 4, column “a”: “x” is no integer.',
  );
  await expect(listsOf({ a: csv('a') }, `a\n${'1\n'.repeat(2_000_001)}`)).rejects.toThrow(/more than 2,000,000 values/);
  expect((await listsOf({ a: csv('a') }, `a\n${'1\n'.repeat(300_000)}`)).lists.get('s a')!.values).toHaveLength(
    300_000,
  );
}, 60_000);
