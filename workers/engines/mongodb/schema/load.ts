import type { ClientSession, Db, Document, ObjectId } from 'mongodb';
import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import { readOptions } from '../options.ts';
import { documentMaker } from '../values/documents.ts';

/**
 * Unordered inserts of whole batches; the next one is made while the server stores the one before. One transaction
 * would not hold a large load (they end after a minute), so where it fails, what it has stored is removed again.
 */
export async function load(
  db: Db,
  session: ClientSession,
  ...[table, batches, onRows, signal]: LoadArguments
): Promise<void> {
  const collection = db.collection(table.name);
  const documents = documentMaker(table, readOptions(table.options).timestamps);
  const wasEmpty = (await collection.findOne({}, { session, projection: { _id: 1 } })) === null;
  /** The documents that were sent; used if the collection also holds documents that are not ours to remove. */
  const sent: ObjectId[] = []; // or whatever the key column holds
  const insert = {
    encode: documents,
    async run(part: Document[]) {
      const { insertedCount } = await collection.insertMany(part, { session, ordered: false });
      if (!wasEmpty) sent.push(...part.map(({ _id }) => _id as ObjectId));
      return insertedCount;
    },
  };
  try {
    await sendBatches(insert, batches, onRows, signal);
  } catch (error) {
    await collection.deleteMany(wasEmpty ? {} : { _id: { $in: sent } }, { session }).catch(() => {});
    throw error;
  }
}
