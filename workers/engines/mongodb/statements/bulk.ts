import type { AnyClientBulkWriteModel, BulkOperationBase, BulkWriteResult, Document } from 'mongodb';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import type { Batch } from '#model/batch/batch.ts';
import { DynoError } from '#model/error.ts';
import { documentMaker } from '../values/documents.ts';
import { keyMaker, updateMaker, type Work } from './statements.ts';

/** The bulkWrite command came with MongoDB 8.0. */
const bulkWriteWireVersion = 25;

/** Sends many writes in one command. */
export function prepareBulk(work: Work, plan: OperationPlan): Operation {
  if (work.options.bulkApi === 'collection') return collectionBulk(work, plan);
  if (work.connected.maxWireVersion < bulkWriteWireVersion)
    throw new DynoError('unsupported', 'The server has no bulkWrite command: it came with MongoDB 8.0.', {
      hint: 'Option bulkApi: collection.',
    });
  return clientBulk(work, plan);
}

/** The parts of a bulk write for each row, all of one kind: insert, update or delete. */
interface Steps {
  readonly count: 'insertedCount' | 'matchedCount' | 'deletedCount';
  of(batch: Batch): readonly Step[];
}
type Step =
  | { readonly name: 'insertOne'; readonly document: Document }
  | { readonly name: 'updateOne'; readonly filter: Document; readonly update: Document }
  | { readonly name: 'deleteOne'; readonly filter: Document };

function stepsOf({ options }: Work, { table, operation }: OperationPlan): Steps {
  switch (operation) {
    case 'insert': {
      const documents = documentMaker(table, options.timestamps);
      return {
        count: 'insertedCount',
        of: (batch) => documents(batch).map((document) => ({ name: 'insertOne', document })),
      };
    }
    case 'update': {
      const statements = updateMaker(table, options);
      return { count: 'matchedCount', of: (batch) => statements(batch).map((one) => ({ name: 'updateOne', ...one })) };
    }
    default: {
      const keys = keyMaker(table, options);
      return {
        count: 'deletedCount',
        of: (batch) => keys(batch).map((_id) => ({ name: 'deleteOne', filter: { _id } })),
      };
    }
  }
}

/** The driver's builder serialises each document as it is added; executing sends them. A builder is executed once. */
function collectionBulk(work: Work, plan: OperationPlan): Operation<BulkOperationBase> {
  const { collection, session, options } = work;
  const { count, of } = stepsOf(work, plan);
  const build = () =>
    options.ordered
      ? collection.initializeOrderedBulkOp({ session })
      : collection.initializeUnorderedBulkOp({ session });
  return {
    encode(batch) {
      const bulk = build();
      for (const step of of(batch))
        if (step.name === 'insertOne') bulk.insert(step.document);
        else if (step.name === 'updateOne') bulk.find(step.filter).updateOne(step.update);
        else bulk.find(step.filter).deleteOne();
      return bulk;
    },
    run: async (call) => {
      const result: BulkWriteResult = await call.execute({ session });
      return result[count];
    },
  };
}

function clientBulk(work: Work, plan: OperationPlan): Operation<AnyClientBulkWriteModel<Document>[]> {
  const { connected, collection, session, options } = work;
  const { count, of } = stepsOf(work, plan);
  const { namespace } = collection;
  const { ordered } = options;
  return {
    encode: (batch) => of(batch).map((step) => ({ ...step, namespace })),
    run: async (models) => (await connected.client.bulkWrite(models, { session, ordered }))[count],
  };
}
