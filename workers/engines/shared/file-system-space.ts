import { statfsSync } from 'node:fs';
import type { FreeSpace } from '#engine-api/database.ts';

/** The free space for unprivileged users in the file system of a folder on this machine. Throws as Node does. */
export function fileSystemSpace(folder: string): FreeSpace {
  const { bavail, bsize } = statfsSync(folder);
  return { bytes: bavail * bsize, where: `file system of ${folder}` };
}
