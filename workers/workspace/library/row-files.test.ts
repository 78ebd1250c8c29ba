import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { createRowFiles } from './row-files.ts';

function opened() {
  const folder = temporaryFolder();
  const files = createRowFiles(folder);
  onTestFinished(() => files.close());
  return { folder, files };
}

test('a chosen file is copied beside the experiments once, and one below them stays where it is', async () => {
  const { folder, files } = opened();
  const path = join(temporaryFolder(), 'Größe & more.csv');
  writeFileSync(path, 'id,name\n1,a\n');
  for (let i = 0; i < 2; i++) {
    const { table } = await files.propose(path);
    expect(table).toMatchObject({ from: { file: 'Gr-e - more.csv' }, rows: 1, key: 'id' });
  }
  writeFileSync(path, 'id,name\n2,b\n');
  expect((await files.propose(path)).table.from).toEqual({ file: 'Gr-e - more-2.csv' });
  const packed = join(temporaryFolder(), 'rows.csv.gz');
  for (const text of ['id\n1\n', 'id\n2\n']) {
    writeFileSync(packed, gzipSync(text));
    await files.propose(packed);
  }
  mkdirSync(join(folder, 'data'));
  const below = join(folder, 'data', 'own.csv');
  writeFileSync(below, 'id\n7\n');
  expect((await files.propose(below)).table.from).toEqual({ file: 'data/own.csv' });
  const copies = ['Gr-e - more-2.csv', 'Gr-e - more.csv'];
  expect(readdirSync(folder).toSorted()).toEqual([...copies, 'data', 'rows-2.csv.gz', 'rows.csv.gz']);
});

test('a file that is no table is an error, and is not copied', async () => {
  const { folder, files } = opened();
  const path = join(temporaryFolder(), 'rows.csv');
  writeFileSync(path, 'id,name\n1\n');
  await expect(files.propose(path)).rejects.toThrow('rows.csv, line 2: the record has 1 fields');
  await expect(files.propose(`${path}.none`)).rejects.toThrow('ENOENT');
  expect(readdirSync(folder)).toEqual([]);
});
