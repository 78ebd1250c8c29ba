import type { ClientSession, Db, Document, ObjectId } from 'mongodb';
import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import { readOptions } from '../options.ts';
import { documentMaker } from '../values/documents.ts';

/**
 * Loads by unordered inserts of whole batches; the next batch is made while the server stores the current one. A
 * transaction could not hold a large load, because transactions end after a minute, so a failed load removes the
 * documents that it has stored.
 */
export async function load(
  db: Db,
  session: ClientSession,
  ...[table, batches, onRows, signal]: LoadArguments
): Promise<void> {
  const collection = db.collection(table.name);
  const documents = documentMaker(table, readOptions(table.options).timestamps);
  const wasEmpty = (await collection.findOne({}, { session, projection: { _id: 1 } })) === null;
  /** The documents that were sent. They are removed one by one if the collection also holds documents of others. */
  const sent: ObjectId[] = []; // or any other value of the key column
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
