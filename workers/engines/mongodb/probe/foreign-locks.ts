import type { MongoClient } from 'mongodb';
import type { ForeignLock } from '#engine-api/probe.ts';
import { holderText } from '../../shared/foreign-locks.ts';

/**
 * An operation, or a session whose transaction is open, as $currentOp tells it (manual, "$currentOp", Output Fields).
 */
interface Holder {
  readonly opid?: number | string;
  readonly connectionId?: number;
  readonly appName?: string;
  readonly client?: string;
  readonly effectiveUsers?: readonly { readonly user?: string }[];
  readonly microsecs_running?: number;
  readonly transaction?: { readonly timeOpenMicros?: number };
}

/**
 * S and X locks of the whole server, a database or a collection; intent locks (r, w) exclude nobody who works on
 * documents.
 */
const excludes = ['R', 'W'];
const lockable = ['Global', 'Database', 'Collection', 'ReplicationStateTransition', 'ParallelBatchWriterMode'];

/**
 * The operations of others for which the run's operations wait. MongoDB does not report who waits for whom, so the
 * result names operations of others that hold (or queue ahead for) a lock that excludes all work on a collection, a
 * database or the server, while `waiting` operations of the run wait for one. Write conflicts of documents name nobody.
 */
export async function foreignLocks(client: MongoClient, tag: RegExp, waiting: number): Promise<readonly ForeignLock[]> {
  const holders = await client
    .db('admin')
    .aggregate<Holder>([
      { $currentOp: { allUsers: true, idleSessions: true } },
      {
        $match: {
          appName: { $not: tag },
          $or: lockable.map((name) => ({ [`locks.${name}`]: { $in: excludes } })),
        },
      },
    ])
    .toArray();
  return holders.map(
    ({ opid, connectionId, appName, client: host, effectiveUsers, microsecs_running, transaction }): ForeignLock => {
      const microseconds = transaction?.timeOpenMicros ?? microsecs_running;
      return {
        holder: holderText({
          program: appName ?? null,
          user: effectiveUsers?.[0]?.user ?? null,
          host: host?.replace(/:\d+$/, '') ?? null,
          holder: connectionId ?? opid ?? 'without a number',
        }),
        waiting,
        heldMs: microseconds === undefined ? null : microseconds / 1_000,
      };
    },
  );
}
