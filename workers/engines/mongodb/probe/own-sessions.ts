import type { MongoClient } from 'mongodb';
import type { SessionOwners } from '#engine-api/database.ts';

/**
 * Counts connections by the name that clients gave themselves (manual, "$currentOp"). Without the privilege inprog a
 * user sees only that user's connections, which include a run's. `ownName`: the name of this connection's client, which
 * has several.
 */
export async function sessionsOf(
  client: MongoClient,
  ownName: string,
  tag: string,
  of: SessionOwners,
): Promise<number | null> {
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
    .catch(() => (of === 'user' ? count(false) : null))
    .catch(() => null);
}
