import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { pem } from '#engines/shared/tls.ts';
import { headerOf } from '#workspace/runs/journal-reader.ts';
import { headOfGiven, openGiven, readGiven } from './given-file.ts';
import { makeFolder } from './make-folder.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

it('is read as a whole, up to a size', () => {
  const file = join(folder, 'x');
  writeFileSync(file, 'x'.repeat(100_000));
  expect(readGiven(file, 100_000, 'a test')).toHaveLength(100_000);
  expect(() => readGiven(file, 99_999, 'a test')).toThrow(/larger than 97\.7\s?KiB: not a test/);
  expect(() => readGiven(join(folder, 'y'), 10, 'a test')).toThrow(/ENOENT/);
});

it.skipIf(process.platform !== 'linux')('has no end although the system says that it is empty', () => {
  expect(() => readGiven('/proc/self/environ', 10, 'a test')).toThrow(/larger than/);
});

it.skipIf(process.platform !== 'linux')(
  'cannot be read: the input is wrong, and the error names the file',
  async () => {
    const cases = [
      ['/proc/self/mem', 'badInput', 'EIO'],
      [join(folder, 'none'), 'badInput', 'ENOENT'],
      [join(folder, 'n'.repeat(300)), 'badInput', 'ENAMETOOLONG'],
    ] as const;
    for (const [file, kind, code] of cases) {
      const error = {
        data: expect.objectContaining({
          kind,
          code,
          message: expect.stringContaining(`the file cannot be read: ${code}`),
        }),
      };
      expect(() => readGiven(file, 1_000, 'a test', 'the file')).toThrow(expect.objectContaining(error));
      expect(() => headOfGiven(file, 1_000, 'the file')).toThrow(expect.objectContaining(error));
      await expect(headerOf(file)).rejects.toMatchObject({
        data: { kind, code, message: expect.stringContaining(`The run file ${file} cannot be read: ${code}`) },
      });
    }
  },
);

it.skipIf(process.platform === 'win32')('is a regular file, or is refused at once', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  symlinkSync('/dev/zero', join(folder, 'zero'));
  const refused: readonly (readonly [string, RegExp])[] = [
    [pipe, /is a pipe, not a file/],
    [folder, /is a folder, not a file/],
    ['/dev/zero', /is a device, not a file/],
    [join(folder, 'zero'), /is a device, not a file/],
  ];
  for (const [file, why] of refused) {
    expect(() => readGiven(file, 1_000, 'a test')).toThrow(why);
    await expect(openGiven(file)).rejects.toThrow(why);
    expect(() => pem('ca', file)).toThrow(why);
  }
});

it.skipIf(process.platform !== 'linux')('a folder that cannot be made is refused, in /proc too', () => {
  makeFolder(join(folder, 'a/b/c'));
  makeFolder(join(folder, 'a/b/c'));
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(folder, 'file/below'))).toThrow(/ENOTDIR/);
  expect(() => makeFolder('/proc/dyno/below')).toThrow(/ENOENT/);
});
