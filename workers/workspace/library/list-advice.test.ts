import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from './plan-context.ts';

/** Diagnostics of a parameter that is drawn from `column` of a file with this text. */
function advised(csv: string, parameter: object, targets: readonly string[] = ['sqlite']) {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-advice-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'keys.csv'), csv);
  const p = { type: 'csv', file: 'keys.csv', column: 'id', ...parameter };
  const text = { default: 'SELECT :p', mongodb: '{ "find": "t", "filter": { "a": "$p" } }' };
  const yaml = JSON.stringify({
    dyno: 1,
    name: 'Advice',
    question: 'What are the values?',
    workload: { operation: 'statement', method: 'bind' },
    statements: { it: { text, parameters: { p } } },
    targets,
  });
  return planExperiment(parseFile(yaml), planContext([], folder));
}

test.each([
  ['id\n1\n22\n', 'integer', 'whole numbers'],
  ['id\n1.50\n', 'decimal', 'decimals'],
  ['id\n2024-03-11\n', 'timestamp', 'dates or times'],
  ['id\nt\nf\n', 'boolean', 'booleans'],
  ['id\n00112233-4455-6677-8899-aabbccddeeff\n', 'uuid', 'UUIDs'],
])('%j: what the values look like is said, with the change that sends them so', (csv, as, words) => {
  const { plan, diagnostics } = advised(csv, {});
  expect(plan).not.toBeNull();
  expect(diagnostics).toMatchObject([
    {
      severity: 'warning',
      path: 'statements.it.parameters.p',
      message: `The values of the column “id” in keys.csv look like ${words}, and are sent as text.`,
      suggestion: expect.stringContaining(`\`as: ${as}\``),
      fix: { kind: 'set', path: ['statements', 'it', 'parameters', 'p', 'as'], value: as },
    },
  ]);
  expect(advised(csv, { as }).diagnostics).toEqual([]);
  expect(advised(csv, { as: 'text' }).diagnostics).toEqual([]);
});

test('texts, codes with zeros before them and days that do not exist are text without a word', () => {
  for (const csv of ['id\nalpha\n', 'id\n007\n', 'id\n2024-03-01\n2024-02-30\n', 'id\n\n', 'id,n\n"",1\n'])
    expect(advised(csv, {}).diagnostics, csv).toEqual([]);
});

test('an engine on which a text finds no number is named', () => {
  const { diagnostics } = advised('id\n1\n', {}, ['sqlite', 'local-mongodb']);
  expect(diagnostics[0]?.suggestion).toMatch(/MongoDB finds no number by a text\.$/);
});

test('a column that is not there, and a value that is not of the type, are named with file and line', () => {
  expect(advised('id\n1\n', { column: 'key' }).diagnostics).toMatchObject([
    { severity: 'warning', message: 'keys.csv has no column “key”.', suggestion: 'Its columns are id.' },
  ]);
  expect(advised('id,n\n2024-03-01,1\n\n2024-02-30,2\n', { as: 'timestamp' }).diagnostics).toMatchObject([
    { severity: 'warning', message: 'keys.csv, line 4, column “id”: “2024-02-30” is no timestamp.' },
  ]);
});

test('the beginning of a large file is enough', () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => String(i)).join('\n');
  expect(advised(`id\n${lines}\nlast`, {}).diagnostics).toHaveLength(1);
});

test('files of parameters and of tables that cannot be read are errors at their places', () => {
  const path = 'statements.it.parameters.p.file';
  const { plan, diagnostics } = advised('id\n1\n', { file: 'other.csv' });
  expect(plan).toBeNull();
  expect(diagnostics).toMatchObject([
    { severity: 'error', path, message: expect.stringMatching(/^other\.csv cannot be read: /) },
  ]);
  expect(advised('id\n1\n', { file: '../keys.csv' }).diagnostics).toMatchObject([
    { severity: 'error', path, message: expect.stringContaining('not in the experiment') },
  ]);
  const columns = { id: { type: 'file', as: 'integer' } };
  const yaml = (file: string) =>
    JSON.stringify({
      ...{ dyno: 1, name: 'Files', question: 'Are they there?', targets: ['sqlite'] },
      tables: { t: { rows: 1, key: 'id', from: { file }, columns } },
      workload: { operation: 'statement', method: 'bind' },
      statements: { it: { text: 'SELECT id FROM {t}' } },
    });
  const folder = mkdtempSync(join(tmpdir(), 'dyno-advice-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'rows.csv'), 'id\n1\n');
  expect(planExperiment(parseFile(yaml('rows.csv')), planContext([], folder)).diagnostics).toEqual([]);
  expect(planExperiment(parseFile(yaml('gone.csv')), planContext([], folder)).diagnostics).toMatchObject([
    { severity: 'error', path: 'tables.t.from.file', message: expect.stringMatching(/^gone\.csv cannot be read: /) },
  ]);
});
