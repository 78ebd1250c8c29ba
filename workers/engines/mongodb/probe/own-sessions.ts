import type { MongoClient } from 'mongodb';

/**
 * Connections by the name that clients gave themselves (manual, "$currentOp"). Without the privilege inprog a user sees
 * the connections of that user alone, which Dyno's are. `ownName`: of this connection's client, which has several.
 */
export async function sessionsOf(client: MongoClient, ownName: string, tag: string): Promise<number | null> {
  const begins = new RegExp(`^${tag.replaceAll(/[^\w]/g, '\\$&')}`);
  const count = async (allUsers: boolean) => {
    const [found] = await client
      .db('admin')
      .aggregate<{ readonly sessions: number }>([
        { $currentOp: { allUsers, idleConnections: true } },
        { $match: { appName: begins, $nor: [{ appName: ownName }] } },
        { $group: { _id: '$connectionId' } },
        { $count: 'sessions' },
      ])
      .toArray();
    return found?.sessions ?? 0;
  };
  return count(true)
    .catch(() => count(false))
    .catch(() => null);
}
