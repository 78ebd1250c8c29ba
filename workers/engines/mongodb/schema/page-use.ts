import type { ClientSession, Db } from 'mongodb';
import type { PageUse } from '#engine-api/page-use.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';

interface WiredTigerStats {
  readonly 'block-manager'?: Readonly<Record<string, unknown>>;
}

/**
 * The bytes of WiredTiger's files that later writes can use. WiredTiger compresses pages and writes them at any length,
 * so that they have neither a fill nor an order in the file.
 */
export async function pageUse(db: Db, session: ClientSession, table: TablePlan): Promise<PageUse> {
  const shards = await db
    .collection(table.name)
    .aggregate([{ $collStats: { storageStats: {} } }], { session })
    .toArray();
  const free = new Map<string, number>();
  const add = (part: string, stats: WiredTigerStats | undefined) => {
    const bytes = stats?.['block-manager']?.['file bytes available for reuse'];
    if (bytes !== undefined) free.set(part, (free.get(part) ?? 0) + Number(bytes));
  };
  for (const { storageStats } of shards) {
    add('table', storageStats.wiredTiger);
    const indexes: Readonly<Record<string, WiredTigerStats>> = storageStats.indexDetails ?? {};
    for (const [name, stats] of Object.entries(indexes)) add(name === '_id_' ? 'key' : name, stats);
  }
  return free.size === 0
    ? { why: 'The storage engine of this server is not WiredTiger.' }
    : { parts: [...free].map(([of, freeBytes]) => ({ of, density: null, outOfOrder: null, freeBytes })) };
}
