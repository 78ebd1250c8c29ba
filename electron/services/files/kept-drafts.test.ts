import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeptDraft } from '#protocol/opened.ts';
import { createKeptDrafts, mayHoldSecret } from './kept-drafts.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-drafts-'));
  file = join(folder, 'drafts.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const draft = (key: number, text: string): KeptDraft => ({
  key,
  id: null,
  origin: 'mine',
  lineEnd: '\n',
  savedText: '',
  text,
});

test('drafts are restored after any end of the app, for this user only', () => {
  createKeptDrafts(file).keep([draft(1, 'name: a'), draft(2, 'name: b')]);
  expect(createKeptDrafts(file).list()).toEqual([draft(1, 'name: a'), draft(2, 'name: b')]);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
});

test('saved or discarded changes are not kept', () => {
  const drafts = createKeptDrafts(file);
  drafts.keep([draft(1, 'name: a')]);
  drafts.keep([]);
  expect(existsSync(file)).toBe(false);
  drafts.keep([draft(1, 'name: a')]);
  drafts.forget();
  expect(createKeptDrafts(file).list()).toEqual([]);
});

test('a secret in plain is never written; the draft stays as it was before', () => {
  const drafts = createKeptDrafts(file);
  drafts.keep([draft(1, 'name: a')]);
  drafts.keep([draft(1, 'targets: [{ name: x, password: hunter2 }]'), draft(2, 'targets: [postgres://u:hunter2@h/d]')]);
  expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
  expect(drafts.list()).toEqual([draft(1, 'name: a')]);
  expect(drafts.unkept()).toEqual(['New experiment', 'New experiment']);
});

test.each(['{', '[]', '[{"key":1}]', 'null'])('the damaged file %j counts as none', (content) => {
  writeFileSync(file, content);
  expect(createKeptDrafts(file).list()).toEqual([]);
});

test.each([
  'targets: [{ name: x, password: hunter2 }]',
  'targets:\n  - name: x\n    url: postgres://u:hunter2@h/d',
  'sizes: { big: { targets: [{ name: x, token: abc }] } }',
  // The text is currently not YAML.
  'targets: [{ name: x, password: hunter2 }\nname: [',
  'url: "postgres://u:hunter2@h/d\nname: [',
])('the text %j holds a secret', (text) => {
  expect(mayHoldSecret(text)).toBe(true);
});

test.each([
  '',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a file says
  'targets: [{ name: x, password: "${env:PG}" }]',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a file says
  'targets: [{ name: x, password: ${env:PG}\nname: [',
  'dataset: { columns: { password: { type: text } } }',
  'statements: { a: { text: "UPDATE users SET password = :p" } }',
])('the text %j holds none', (text) => {
  expect(mayHoldSecret(text)).toBe(false);
});
