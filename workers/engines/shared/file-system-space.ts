import { statfsSync } from 'node:fs';
import type { FreeSpace } from '#engine-api/database.ts';

/** Free space, for users without privileges, of the file system of a folder on this machine. Throws as Node does. */
export function fileSystemSpace(folder: string): FreeSpace {
  const { bavail, bsize } = statfsSync(folder);
  return { bytes: bavail * bsize, where: `file system of ${folder}` };
}
