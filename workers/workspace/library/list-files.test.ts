import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { planExperiment } from '#planning/plan-experiment.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { findListFiles, readListFile, requireListFiles } from './list-files.ts';
import { planContext } from './plan-context.ts';

let folder: string;
let own: string;
beforeEach(() => {
  folder = temporaryFolder();
  own = join(folder, 'own');
  mkdirSync(own);
});

const experimentWith = (file: string) =>
  planExperiment(
    parseFile(`
dyno: 1
name: A test
question: Does it read?
workload: { operation: statement }
statements: { look: { text: "SELECT :x", parameters: { x: { type: csv, file: ${JSON.stringify(file)}, column: word } } } }
targets: [sqlite]
measure: { repeats: 1 }
`),
    planContext([]),
  ).plan!.experiment;
const find = (file: string) => findListFiles(own, [experimentWith(file)]);

describe('the file that parameters are drawn from', () => {
  it('is read where the run has found it, as long as it holds the same', async () => {
    const path = join(own, 'words.csv');
    writeFileSync(path, 'word\nalpha\n');
    const found = find('words.csv');
    expect(found).toMatchObject({ folder: own, files: [{ file: 'words.csv' }] });
    expect(readListFile(found, 'words.csv')).toBe('word\nalpha\n');
    await requireListFiles(found);
    writeFileSync(path, 'word\nbeta\n');
    await expect(requireListFiles(found)).rejects.toThrow(/words\.csv has changed since the run began/);
    rmSync(path);
    await expect(requireListFiles(found)).rejects.toThrow(/words\.csv cannot be read: ENOENT/);
  });

  it('may be a link to a file in the same folder, and to no other one', () => {
    writeFileSync(join(own, 'words.csv'), 'word\nalpha\n');
    writeFileSync(join(folder, 'secret.csv'), 'word\nsecret\n');
    symlinkSync('words.csv', join(own, 'inside.csv'));
    symlinkSync('../secret.csv', join(own, 'outside.csv'));
    symlinkSync('..', join(own, 'up'));
    expect(find('inside.csv').files).toHaveLength(1);
    for (const file of ['outside.csv', 'up/secret.csv', '../secret.csv', join(folder, 'secret.csv')])
      expect(() => find(file), file).toThrow(/not in the experiment's own folder/);
  });

  it('may lie in a folder that a link leads to', () => {
    writeFileSync(join(own, 'words.csv'), 'word\nalpha\n');
    symlinkSync(own, join(folder, 'link'));
    expect(findListFiles(join(folder, 'link'), [experimentWith('words.csv')]).files).toHaveLength(1);
  });

  it('may have a name that begins with two dots', () => {
    writeFileSync(join(own, '..words.csv'), 'word\nalpha\n');
    expect(find('..words.csv').files).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')('is nothing but a file: a pipe would never end', () => {
    execFileSync('mkfifo', [join(own, 'pipe.csv')]);
    expect(() => find('pipe.csv')).toThrow(/pipe\.csv is a pipe, not a file/);
    mkdirSync(join(own, 'folder.csv'));
    expect(() => find('folder.csv')).toThrow(/folder\.csv is a folder, not a file/);
  });
});
