import type { ClientSession, Db } from 'mongodb';
import type { TablePlan } from '#model/dataset/dataset.ts';

/** Sizes of files at the last checkpoint. A clustered collection has no index on `_id`. */
export async function storedBytes(db: Db, session: ClientSession, { name }: TablePlan) {
  const stages = [{ $collStats: { storageStats: {} } }];
  const shards = await db.collection(name).aggregate(stages, { session }).toArray();
  const sum = (field: string) => shards.reduce((total, { storageStats }) => total + Number(storageStats[field]), 0);
  return { tableBytes: sum('storageSize'), indexBytes: sum('totalIndexSize') };
}
