import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConnectionDraft } from '#model/connections.ts';
import { createKeptConnections } from './kept-connections.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-drafts-'));
  file = join(folder, 'connection-drafts.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const draft = (more: Partial<ConnectionDraft> = {}): ConnectionDraft => ({
  id: null,
  name: 'staging',
  engine: 'postgres',
  values: { host: 'db', port: 5433 },
  passwords: { password: { place: 'stored', typed: null } },
  ...more,
});

test('a form is restored after the app has ended, for this user only', () => {
  createKeptConnections(file).keep([draft()]);
  expect(createKeptConnections(file).list()).toEqual([draft()]);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
});

test('a typed password is never written, and counts as not kept', () => {
  const kept = createKeptConnections(file);
  kept.keep([draft({ passwords: { password: { place: 'stored', typed: 'hunter2' } } })]);
  expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
  expect(kept.list()).toEqual([draft()]);
  expect(kept.unkept()).toEqual(['staging']);
});

test.each([
  draft({ values: { host: 'postgres://u:hunter2@h/d' } }),
  draft({ values: { options: { password: 'hunter2' } } }),
  draft({ passwords: { password: { place: { command: ['print', '--token=hunter2'] }, typed: null } } }),
])('a form with a secret in plain is not written', (one) => {
  const kept = createKeptConnections(file);
  kept.keep([one]);
  expect(existsSync(file)).toBe(false);
  expect(kept.unkept()).toEqual(['staging']);
});

test('saved or discarded changes are not kept; a damaged file counts as empty', () => {
  const kept = createKeptConnections(file);
  kept.keep([draft()]);
  kept.keep([]);
  expect(existsSync(file)).toBe(false);
  kept.keep([draft()]);
  kept.forget();
  expect(createKeptConnections(file).list()).toEqual([]);
  writeFileSync(file, '[{"id":1}]');
  expect(createKeptConnections(file).list()).toEqual([]);
});
