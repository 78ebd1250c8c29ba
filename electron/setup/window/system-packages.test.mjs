import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { onPath } from './system-packages.mjs';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
  for (const name of ['a', 'b']) mkdirSync(join(folder, name));
});

test('a program is found in the folders of the PATH, as each system writes them', () => {
  writeFileSync(join(folder, 'b/makensis.exe'), '');
  writeFileSync(join(folder, 'b/makeself'), '');
  // Relative, because a drive's colon separates nothing on Windows.
  const [a, b] = ['a', 'b'].map((name) => relative(process.cwd(), join(folder, name)));
  expect(onPath('makensis', `;C:\\x;${a};${b}`, 'win32')).toBe(join(b ?? '', 'makensis.exe'));
  expect(onPath('makeself', `${a}:${b}`, 'linux')).toBe(join(b ?? '', 'makeself'));
  expect(onPath('makeself', `${a};${b}`, 'win32')).toBeNull();
  expect(onPath('makensis', `${a}:${b}`, 'linux')).toBeNull();
});
