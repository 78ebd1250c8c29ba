import type { Db } from 'mongodb';
import type { FreeSpace } from '#engine-api/database.ts';

/**
 * Manual, "dbStats": fsTotalSize and fsUsedSize are of the file system that has the database. Of a database that has no
 * collection yet, the server says that both are 0.
 */
export async function freeSpace(db: Pick<Db, 'command'>): Promise<FreeSpace | null> {
  const { fsTotalSize, fsUsedSize } = await db.command({ dbStats: 1, freeStorage: 0 });
  if (typeof fsTotalSize !== 'number' || typeof fsUsedSize !== 'number' || fsTotalSize === 0) return null;
  return { bytes: fsTotalSize - fsUsedSize, where: 'file system of the database' };
}
