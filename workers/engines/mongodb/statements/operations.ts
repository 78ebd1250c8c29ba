import type { ClientSession, Db, Document } from 'mongodb';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { Connected } from '../connection/connect.ts';
import { descriptor } from '../descriptor.ts';
import { readOptions } from '../options.ts';
import { documentMaker } from '../values/documents.ts';
import { prepareBulk } from './bulk.ts';
import { queryPlanOf } from './query-plan.ts';
import { commandOf, prepareRead } from './reads.ts';
import { keyMaker, type UpdateStatement, updateMaker, type Work } from './statements.ts';

export function prepareOperation(connected: Connected, db: Db, session: ClientSession, plan: OperationPlan): Operation {
  const { table, operation, method } = plan;
  supportOf(descriptor, operation, method);
  const work: Work = {
    connected,
    collection: db.collection(table.name),
    session,
    options: readOptions(table.options),
  };
  if (method === 'bulk') return prepareBulk(work, plan);
  switch (operation) {
    case 'insert':
      return prepareInsert(work, plan);
    case 'update':
      return prepareUpdate(work, plan, db);
    case 'delete':
      return prepareDelete(work, plan, db);
    default: {
      const read = prepareRead(work, plan);
      return { ...read, queryPlan: (batch) => queryPlanOf(db, commandOf(work, read.encode(batch)), true) };
    }
  }
}

function prepareInsert({ collection, session, options }: Work, { table, method }: OperationPlan): Operation {
  const documents = documentMaker(table, options.timestamps);
  if (method === 'bind')
    return {
      encode: (batch) => documents(batch)[0]!,
      run: async (document) => ((await collection.insertOne(document, { session })).acknowledged ? 1 : 0),
    } satisfies Operation<Document>;
  const { ordered } = options;
  return {
    encode: documents,
    run: async (call) => (await collection.insertMany(call, { session, ordered })).insertedCount,
  } satisfies Operation<Document[]>;
}

function prepareUpdate(
  { collection, session, options }: Work,
  { table }: OperationPlan,
  db: Db,
): Operation<UpdateStatement> {
  const statements = updateMaker(table, options);
  return {
    encode: (batch) => statements(batch)[0]!,
    run: async ({ filter, update }) => (await collection.updateOne(filter, update, { session })).matchedCount,
    queryPlan(batch) {
      const [{ filter: q, update: u } = { filter: {}, update: {} }] = statements(batch);
      return queryPlanOf(db, { update: collection.collectionName, updates: [{ q, u }] }, false);
    },
  };
}

function prepareDelete(
  { collection, session, options }: Work,
  { table, method }: OperationPlan,
  db: Db,
): Operation<Document> {
  const keys = keyMaker(table, options);
  const one = method === 'bind';
  const filterOf = (batch: Batch): Document => (one ? { _id: keys(batch)[0] } : { _id: { $in: keys(batch) } });
  return {
    encode: filterOf,
    queryPlan: (batch) =>
      queryPlanOf(
        db,
        { delete: collection.collectionName, deletes: [{ q: filterOf(batch), limit: one ? 1 : 0 }] },
        false,
      ),
    run: async (filter) => {
      const { deletedCount } = one
        ? await collection.deleteOne(filter, { session })
        : await collection.deleteMany(filter, { session });
      return deletedCount;
    },
  };
}
