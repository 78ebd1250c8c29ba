import type { Db } from 'mongodb';
import type { FreeSpace } from '#engine-api/database.ts';

/** Manual, "dbStats": fsTotalSize and fsUsedSize are of the file system that has the database. */
export async function freeSpace(db: Db): Promise<FreeSpace | null> {
  const { fsTotalSize, fsUsedSize } = await db.command({ dbStats: 1, freeStorage: 0 });
  if (typeof fsTotalSize !== 'number' || typeof fsUsedSize !== 'number') return null;
  return { bytes: fsTotalSize - fsUsedSize, where: 'file system of the database' };
}
