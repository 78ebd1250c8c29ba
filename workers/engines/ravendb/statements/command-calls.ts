import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import type { HttpRequest } from '../connection/http-command.ts';
import { type CommandResult, touched } from '../connection/sessions.ts';
import { keyMaker, rowMaker } from '../values/documents.ts';
import { rangeQuestions } from './range-questions.ts';
import { stale, staleWaitMs } from './session-calls.ts';
import { patchMaker, type Work } from './work.ts';

/**
 * Sends the requests of the driver's sessions by its request executor, but writes them before the call, and parses
 * answers as a whole. Of the driver only that executor is used, over undici.
 */
export function prepareCommandCall(work: Work, plan: OperationPlan): Operation {
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
      return load(work);
  }
}

/** One batch is one transaction. */
function batchRequest({ options }: Work, commands: readonly object[]): HttpRequest {
  const isClusterWide = options.transactionMode === 'clusterWide';
  const mode = isClusterWide ? { TransactionMode: 'ClusterWide' } : {};
  return {
    method: 'POST',
    path: isClusterWide ? '/bulk_docs?disableAtomicDocumentWrites=true' : '/bulk_docs',
    body: JSON.stringify({ Commands: commands, ...mode }),
  };
}

const runBatch =
  ({ link }: Work) =>
  async (request: HttpRequest): Promise<number> => {
    const { Results: results } = (await link.ask(request)) as {
      readonly Results: readonly CommandResult[];
    };
    return touched(results);
  };

function store(work: Work): Operation<HttpRequest> {
  const { table, options } = work;
  const rows = rowMaker(table, options.dates);
  const ChangeVector = options.optimisticConcurrency && options.transactionMode === 'singleNode' ? '' : null;
  return {
    encode: (batch) =>
      batchRequest(
        work,
        rows(batch).map(({ id, entity }) => ({
          Id: id,
          ChangeVector,
          OriginalChangeVector: ChangeVector,
          Document: entity,
          Type: 'PUT',
        })),
      ),
    run: runBatch(work),
  };
}

function patch(work: Work, literal: boolean): Operation<HttpRequest> {
  const patches = patchMaker(work, literal);
  return {
    encode: (batch) =>
      batchRequest(
        work,
        patches(batch).map(({ id, script, values }) => ({
          Id: id,
          ChangeVector: null,
          Patch: { Script: script, ...(literal ? {} : { Values: values }) },
          ReturnDocument: false,
          Type: 'PATCH',
        })),
      ),
    run: runBatch(work),
  };
}

function remove(work: Work): Operation<HttpRequest> {
  const keys = keyMaker(work.table, work.options.dates);
  return {
    encode: (batch) =>
      batchRequest(
        work,
        keys(batch).map(({ id }) => ({ Id: id, ChangeVector: null, Type: 'DELETE' })),
      ),
    run: runBatch(work),
  };
}

interface BulkCall {
  readonly rows: number;
  readonly body: string;
}

function bulkInsert({ link, table, options }: Work): Operation<BulkCall> {
  const rows = rowMaker(table, options.dates);
  return {
    encode(batch) {
      const documents = rows(batch).map(({ id, entity }) => ({ Id: id, Type: 'PUT', Document: entity }));
      return { rows: batch.rows, body: JSON.stringify(documents) };
    },
    async run({ rows: count, body }) {
      const { Id: id } = (await link.ask({ path: '/operations/next-operation-id' })) as { readonly Id: number };
      // The empty answer comes when all documents are stored.
      await link.ask({ method: 'POST', path: `/bulk_insert?id=${id}`, body });
      return count;
    },
  };
}

/** From this length on a list of ids is sent in the body, as the driver does; shorter ones are in the URL. */
const urlBytes = 1_024;

function load({ link, table, options }: Work): Operation<HttpRequest> {
  const keys = keyMaker(table, options.dates);
  return {
    encode(batch) {
      const ids = keys(batch).map(({ id }) => id);
      if (ids.reduce((sum, { length }) => sum + length, 0) < urlBytes)
        return { path: `/docs?${ids.map((id) => `id=${encodeURIComponent(id)}`).join('&')}` };
      return { method: 'POST', path: '/docs', body: JSON.stringify({ Ids: ids }) };
    },
    async run(request) {
      const answer = (await link.ask(request)) as { readonly Results: readonly unknown[] } | null;
      return answer === null ? 0 : answer.Results.reduce<number>((rows, one) => rows + (one === null ? 0 : 1), 0);
    },
  };
}

function readRange(work: Work, plan: OperationPlan): Operation<HttpRequest> {
  const { link, options } = work;
  const { most, ask } = rangeQuestions(work, plan);
  const waits = options.waitForNonStale
    ? { WaitForNonStaleResults: true, WaitForNonStaleResultsTimeout: `00:00:${staleWaitMs / 1_000 - 1}` }
    : {};
  const bounded = most === null ? {} : { PageSize: most };
  return {
    encode(batch) {
      const { query, parameters } = ask(batch);
      const asked = { Query: query, QueryParameters: parameters, ...bounded, ...waits };
      return { method: 'POST', path: '/queries', body: JSON.stringify(asked) };
    },
    async run(request) {
      const { Results: results, IsStale: isStale } = (await link.ask(request)) as {
        readonly Results: readonly unknown[];
        readonly IsStale: boolean;
      };
      if (isStale) throw stale();
      return results.length;
    },
  };
}
