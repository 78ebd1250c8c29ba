import type { ClientSession, MongoClient } from 'mongodb';
import { toError } from '../errors.ts';

/** A checkpoint: what was loaded is in the collection's files, whose sizes are known from then on. */
export async function settle(client: MongoClient, session: ClientSession): Promise<void> {
  try {
    await client.db('admin').command({ fsync: 1 }, { session });
  } catch (error) {
    // The fingerprint lists it as unavailable. Routers of a cluster do not have it.
    if (!['permission', 'unsupported'].includes(toError(error).kind)) throw error;
  }
}
