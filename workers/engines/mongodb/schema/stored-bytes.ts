import type { ClientSession, Db } from 'mongodb';
import type { StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { eachIndex } from '../../shared/each-index.ts';

/** Sizes of files at the last checkpoint. A clustered collection has no index on `_id`. */
export async function storedBytes(db: Db, session: ClientSession, table: TablePlan): Promise<StoredBytes> {
  const stages = [{ $collStats: { storageStats: {} } }];
  const shards = await db.collection(table.name).aggregate(stages, { session }).toArray();
  const sum = (field: string) => shards.reduce((total, { storageStats }) => total + Number(storageStats[field]), 0);
  const sizes = new Map<string, number>();
  for (const { storageStats } of shards)
    for (const [index, bytes] of Object.entries(storageStats.indexSizes ?? {}))
      sizes.set(index, (sizes.get(index) ?? 0) + Number(bytes));
  return {
    tableBytes: sum('storageSize'),
    indexBytes: sum('totalIndexSize'),
    eachIndex: eachIndex(table, sizes),
  };
}
