import { type IMetadataDictionary, PatchCommandData, PatchRequest, type QueryStatistics } from 'ravendb';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { DynoError } from '#model/error.ts';
import { openSession, saveChanges } from '../connection/sessions.ts';
import { type DocumentRow, keyMaker, rowMaker } from '../values/documents.ts';
import { type RangeQuestion, rangeQuestions } from './range-questions.ts';
import { type Patch, patchMaker, type Work } from './work.ts';

/** Calls as applications make them, with a session or a bulk insert for each. The driver serialises within the call. */
export function prepareSessionCall(work: Work, plan: OperationPlan): Operation {
  const { operation, method } = plan;
  switch (operation) {
    case 'insert':
      return method === 'bulk' ? bulkInsert(work) : store(work);
    case 'update':
      return patch(work, method === 'literal');
    case 'delete':
      return remove(work);
    case 'readRange':
      return readRange(work, plan);
    default:
      return method === 'bind' ? loadOne(work) : loadMany(work);
  }
}

function store({ link, table, options }: Work): Operation<readonly DocumentRow[]> {
  const { optimisticConcurrency, transactionMode } = options;
  // An empty change vector means that there is no document yet. Cluster-wide transactions refuse all change vectors.
  const expecting = optimisticConcurrency && transactionMode === 'singleNode' ? { changeVector: '' } : {};
  return {
    encode: rowMaker(table, options.dates),
    run: (rows) =>
      link.guard(async () => {
        const session = openSession(link, options, false);
        for (const { id, entity } of rows) await session.store(entity, id, expecting);
        return saveChanges(link, session);
      }),
  };
}

function bulkInsert({ link, table, options }: Work): Operation<readonly DocumentRow[]> {
  // Without this the driver would name the collection by the class of the objects, which is Object.
  const metadata = () => ({ '@collection': table.name }) as unknown as IMetadataDictionary;
  return {
    encode: rowMaker(table, options.dates),
    async run(rows) {
      const bulk = link.store.bulkInsert();
      try {
        return await link.guard(async () => {
          for (const { id, entity } of rows) await bulk.store(entity, id, metadata());
          // Resolves when the server has stored them all.
          await bulk.finish();
          return rows.length;
        });
      } catch (error) {
        // Ends the timer of the driver's heartbeats, and a request that is still open.
        bulk.finish().catch(() => {});
        throw error;
      }
    },
  };
}

function patch(work: Work, literal: boolean): Operation<readonly Patch[]> {
  const { link, options } = work;
  return {
    encode: patchMaker(work, literal),
    run: (patches) =>
      link.guard(async () => {
        const session = openSession(link, options, false);
        for (const one of patches) session.defer(patchCommand(one));
        return saveChanges(link, session);
      }),
  };
}

function patchCommand({ id, script, values }: Patch): PatchCommandData {
  const request = PatchRequest.forScript(script);
  request.values = { ...values };
  // There is neither a change vector nor a patch for a missing document; the driver's types do not allow null.
  return new PatchCommandData(id, null as unknown as string, request, null as unknown as PatchRequest);
}

function remove({ link, table, options }: Work): Operation<string[]> {
  const keys = keyMaker(table, options.dates);
  return {
    encode: (batch) => keys(batch).map(({ id }) => id),
    run: (ids) =>
      link.guard(async () => {
        const session = openSession(link, options, false);
        for (const id of ids) await session.delete(id);
        return saveChanges(link, session);
      }),
  };
}

function loadOne({ link, table, options }: Work): Operation<string> {
  const keys = keyMaker(table, options.dates);
  return {
    encode: (batch) => keys(batch)[0]!.id,
    run: (id) => link.guard(async () => ((await openSession(link, options, true).load(id)) === null ? 0 : 1)),
  };
}

function loadMany({ link, table, options }: Work): Operation<string[]> {
  const keys = keyMaker(table, options.dates);
  return {
    encode: (batch) => keys(batch).map(({ id }) => id),
    run: (ids) =>
      link.guard(async () => {
        const found = await openSession(link, options, true).load(ids);
        return Object.values(found).reduce((rows, one) => rows + (one === null ? 0 : 1), 0);
      }),
  };
}

/** The most ms that a query waits for its index. */
export const staleWaitMs = 60_000;

function readRange(work: Work, plan: OperationPlan): Operation<RangeQuestion> {
  const { link, options } = work;
  const { most, ask } = rangeQuestions(work, plan);
  return {
    encode: ask,
    run: ({ query, parameters }) =>
      link.guard(async () => {
        const asked = openSession(link, options, true).advanced.rawQuery(query);
        if (most !== null) asked.take(most);
        for (const [name, value] of Object.entries(parameters)) asked.addParameter(name, value);
        if (options.waitForNonStale) asked.waitForNonStaleResults(staleWaitMs);
        let statistics: QueryStatistics | null = null;
        // The object is handed over at once, and filled in with the answer.
        asked.statistics((one) => {
          statistics = one;
        });
        const rows = (await asked.all()).length;
        if ((statistics as QueryStatistics | null)?.isStale !== false) throw stale();
        return rows;
      }),
  };
}

/** An answer that lacks the latest writes may be right by chance, so it counts as an error. */
export const stale = (): DynoError =>
  new DynoError('other', 'The index answered without the last writes (stale).', {
    code: 'stale',
    hint: 'ravendb.waitForNonStale: true waits until the index knows them.',
    retryable: true,
  });
