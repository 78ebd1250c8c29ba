import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from '@electron-internal/extract-zip';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { writeZip } from './zip.mjs';

let folder;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'in/bin'), { recursive: true });
  writeFileSync(join(folder, 'in/bin/program'), '#!/bin/sh\n');
  chmodSync(join(folder, 'in/bin/program'), 0o644);
  writeFileSync(join(folder, 'in/Zürich.txt'), 'x'.repeat(100_000));
});

it.each([0, 6])('writes what the unzipper of Electron’s packager reads (level %i)', async (level) => {
  const file = join(folder, `${level}.zip`);
  await writeZip(join(folder, 'in'), file, { level, prefix: 'dyno/', isProgram: (path) => path.startsWith('bin/') });
  const out = join(folder, `out-${level}`);
  await extract(file, { dir: out });
  expect(readFileSync(join(out, 'dyno/Zürich.txt'), 'utf8')).toBe('x'.repeat(100_000));
  expect(statSync(file).size).toBeGreaterThan(level === 0 ? 100_000 : 300);
  if (level > 0) expect(statSync(file).size).toBeLessThan(1_000);
  if (process.platform !== 'win32') {
    expect(statSync(join(out, 'dyno/bin/program')).mode & 0o777).toBe(0o755);
    expect(execFileSync('sh', ['-c', `"${out}/dyno/bin/program" && echo ran`], { encoding: 'utf8' })).toBe('ran\n');
  }
});

it('writes the same file of the same content, whenever its files were written', async () => {
  const [one, other] = ['one.zip', 'other.zip'].map((name) => join(folder, name));
  await writeZip(join(folder, 'in'), one);
  utimesSync(join(folder, 'in/bin/program'), 1, 1);
  await writeZip(join(folder, 'in'), other);
  expect(readFileSync(other).equals(readFileSync(one))).toBe(true);
});

it.skipIf(process.platform === 'win32')(
  'fails where a file cannot be read or the ZIP file cannot be written',
  async () => {
    symlinkSync('nowhere', join(folder, 'in/broken'));
    await expect(writeZip(join(folder, 'in'), join(folder, 'x.zip'))).rejects.toThrow('ENOENT');
    await expect(writeZip(join(folder, 'in/bin'), join(folder, 'absent/x.zip'))).rejects.toThrow('ENOENT');
  },
);
