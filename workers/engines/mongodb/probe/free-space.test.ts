import { expect, test } from 'vitest';
import { freeSpace } from './free-space.ts';

const answering = (stats: object) => ({ command: async () => stats });

test('the free space is what the file system has and does not use', async () => {
  const stats = { fsTotalSize: 1_000, fsUsedSize: 400 };
  expect(await freeSpace(answering(stats))).toEqual({ bytes: 600, where: 'file system of the database' });
});

test('a server that does not tell, or whose database does not exist yet, has no known free space', async () => {
  expect(await freeSpace(answering({ fsTotalSize: 0, fsUsedSize: 0 }))).toBeNull();
  expect(await freeSpace(answering({ dataSize: 0 }))).toBeNull();
});
