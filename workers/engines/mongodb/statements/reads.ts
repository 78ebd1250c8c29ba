import type { AggregationCursor, Document, FindCursor } from 'mongodb';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { orderColumnOf, rangeColumnOf } from '#model/dataset/named-columns.ts';
import { fieldNames } from '../values/documents.ts';
import { keyMaker, rangeFilter, type Work } from './statements.ts';

/** A read, in a form that becomes a find or a pipeline. */
interface Question {
  readonly filter: Document;
  readonly sort?: Document;
  readonly limit?: number;
  readonly batchSize?: number;
  /**
   * Lets large sorts use the disk. Servers do so by default from 6.0 on; before, sorts of more than 100 MiB fail
   * without it.
   */
  readonly allowDiskUse?: boolean;
}

export function prepareRead(work: Work, { table, operation, method, settings }: OperationPlan): Operation<Question> {
  const ask = questioner(work);
  if (operation === 'scan') {
    const order = orderColumnOf(table, settings);
    const sort = order && { sort: { [fieldNames(table)[order.index]!]: 1 }, allowDiskUse: true };
    const all: Question = { filter: {}, batchSize: settings.fetchSize, ...sort };
    return { encode: () => all, run: (question) => drain(ask(question)) } satisfies Operation<Question>;
  }
  const over = operation === 'readRange' ? rangeColumnOf(table, settings) : null;
  if (over) {
    const filter = rangeFilter(table, over.index, work.options);
    const { fetchSize: batchSize } = settings;
    return {
      encode: (batch) => ({ filter: filter(batch), batchSize }),
      run: (question) => drain(ask(question)),
    } satisfies Operation<Question>;
  }
  const keys = keyMaker(table, work.options);
  if (operation === 'readRange') {
    const { rangeRows: limit, fetchSize } = settings;
    const batchSize = wholeBatch(limit, fetchSize);
    return {
      encode: (batch) => ({ filter: { _id: { $gte: keys(batch)[0] } }, sort: { _id: 1 }, limit, batchSize }),
      run: (question) => drain(ask(question)),
    } satisfies Operation<Question>;
  }
  if (method === 'multiRow')
    return {
      // Without a size the first batch has 101 documents, and the rest costs a second round trip.
      encode: (batch) => ({ filter: { _id: { $in: keys(batch) } }, batchSize: batch.rows + 1 }),
      run: (question) => drain(ask(question)),
    } satisfies Operation<Question>;
  const { collection, session, options } = work;
  return {
    encode: (batch) => ({ filter: { _id: keys(batch)[0] }, limit: 1 }),
    run:
      options.read === 'aggregate'
        ? (question) => drain(ask(question))
        : async (question) => ((await collection.findOne(question.filter, { session })) === null ? 0 : 1),
  } satisfies Operation<Question>;
}

/**
 * A batch that the last document fills leaves its cursor open, and closing it costs a round trip. So one more document
 * is asked for.
 */
const wholeBatch = (rows: number, fetchSize: number): number => (fetchSize >= rows ? rows + 1 : fetchSize);

type Cursor = FindCursor<Document> | AggregationCursor<Document>;

function questioner({ collection, session, options }: Work): (question: Question) => Cursor {
  return options.read === 'aggregate'
    ? (question) => collection.aggregate(pipeline(question), { session, ...optionsOf(question) })
    : ({ filter, ...rest }) => collection.find(filter, { session, ...rest });
}

const optionsOf = ({ batchSize, allowDiskUse }: Question) => ({
  ...(batchSize !== undefined && { batchSize }),
  ...(allowDiskUse !== undefined && { allowDiskUse }),
});

/** The command of a read. */
export const commandOf = ({ collection, options }: Work, question: Question): Document => {
  const { batchSize, ...rest } = question;
  return options.read === 'aggregate'
    ? { aggregate: collection.collectionName, pipeline: pipeline(question), cursor: {} }
    : { find: collection.collectionName, ...rest };
};

export const pipeline = ({ filter, sort, limit }: Question): Document[] => [
  ...(Object.keys(filter).length > 0 ? [{ $match: filter }] : []),
  ...(sort ? [{ $sort: sort }] : []),
  ...(limit === undefined ? [] : [{ $limit: limit }]),
];

/**
 * Every document is decoded, as an application would do, and not kept, because a collection need not fit into the
 * client's memory. The driver closes a cursor that is read to its end, or fails.
 */
async function drain(cursor: Cursor): Promise<number> {
  let rows = 0;
  while (await cursor.hasNext()) rows += cursor.readBufferedDocuments().length;
  return rows;
}
