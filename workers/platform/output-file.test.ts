import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toErrorData } from '#model/error.ts';
import { writeOutput } from './output-file.ts';
import { canMount, smallDisk } from './small-disk.fixture.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

function failureOf(work: () => void) {
  try {
    work();
  } catch (thrown) {
    return toErrorData(thrown);
  }
  return expect.unreachable('It was written.');
}

test('a file is replaced whole, with its permissions; a link leads to the new text', () => {
  const folder = temporaryFolder();
  const [file, link] = [join(folder, 'results.json'), join(folder, 'link.json')];
  writeFileSync(file, 'older', { mode: 0o600 });
  symlinkSync(file, link);
  writeOutput('The results', link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['link.json', 'results.json']);
});

test.skipIf(!canMount)('on a full disk the older file stays, no other one appears, and the error names it', () => {
  const disk = join(temporaryFolder(), 'disk');
  using _ = smallDisk(disk, '64k');
  const file = join(disk, 'results.json');
  const write = () => writeOutput('The results', file, 'x'.repeat(100_000));
  expect(failureOf(write)).toMatchObject({ kind: 'diskFull', message: expect.stringContaining(file) });
  expect(readdirSync(disk)).toEqual([]);
  writeFileSync(file, 'older');
  expect(failureOf(write)).toMatchObject({ kind: 'diskFull' });
  expect(readFileSync(file, 'utf8')).toBe('older');
  expect(readdirSync(disk)).toEqual(['results.json']);
});

test.skipIf(process.platform !== 'linux')('a device is written to and never replaced', () => {
  expect(failureOf(() => writeOutput('The results', '/dev/full', 'x'))).toMatchObject({ kind: 'diskFull' });
  writeOutput('The results', '/dev/null', 'x');
  for (const device of ['/dev/full', '/dev/null']) expect(lstatSync(device).isCharacterDevice()).toBe(true);
});
