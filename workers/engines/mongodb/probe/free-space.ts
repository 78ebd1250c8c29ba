import type { Db } from 'mongodb';
import type { FreeSpace } from '#engine-api/database.ts';

/**
 * fsTotalSize and fsUsedSize describe the file system of the database (manual, "dbStats"). For a database without a
 * collection the server reports 0 for both.
 */
export async function freeSpace(db: Pick<Db, 'command'>): Promise<FreeSpace | null> {
  const { fsTotalSize, fsUsedSize } = await db.command({ dbStats: 1, freeStorage: 0 });
  if (typeof fsTotalSize !== 'number' || typeof fsUsedSize !== 'number' || fsTotalSize === 0) return null;
  return { bytes: fsTotalSize - fsUsedSize, where: 'file system of the database' };
}
