import type { ClientSession, MongoClient } from 'mongodb';
import { toError } from '../errors.ts';

/** Makes a checkpoint: the loaded documents are then in the collection's files, and their sizes are known. */
export async function settle(client: MongoClient, session: ClientSession): Promise<void> {
  try {
    await client.db('admin').command({ fsync: 1 }, { session });
  } catch (error) {
    // The fingerprint lists it as unavailable. Routers of a cluster lack it.
    if (!['permission', 'unsupported'].includes(toError(error).kind)) throw error;
  }
}
