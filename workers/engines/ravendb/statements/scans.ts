import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { orderColumnOf } from '#model/dataset/named-columns.ts';
import { openSession } from '../connection/sessions.ts';
import { allOf, orderedQuery } from '../queries.ts';
import { idPrefix } from '../values/documents.ts';
import { queryPlanOf } from './query-plan.ts';
import type { Work } from './work.ts';

/** Every document becomes an object, as an application would read it, and is not kept. */
export function prepareScan(work: Work, { settings }: OperationPlan): Operation {
  const { table, options } = work;
  const order = orderColumnOf(table, settings);
  const query = order ? orderedQuery(table, order.index, options) : allOf(table);
  const read = options.scan === 'pages' ? () => readPages(work, settings.fetchSize) : () => readStream(work, query);
  return {
    encode: () => null,
    run: () => work.link.guard(read),
    // Pages are read by the ids of their documents, without query and index.
    ...(options.scan !== 'pages' && {
      queryPlan: () => queryPlanOf(work.link, JSON.stringify({ Query: query, PageSize: 1 }), [table.name]),
    }),
  };
}

async function readStream({ link, options }: Work, query: string): Promise<number> {
  const { advanced } = openSession(link, options, true);
  const stream = await advanced.stream(advanced.rawQuery(query));
  let rows = 0;
  for await (const _ of stream) rows++;
  return rows;
}

interface Loaded {
  readonly '@metadata': { readonly '@id': string };
}

async function readPages({ link, table, options }: Work, pageSize: number): Promise<number> {
  let rows = 0;
  let startAfter: string | null = null;
  for (;;) {
    const page: readonly Loaded[] = await openSession(link, options, true).advanced.loadStartingWith<Loaded>(
      idPrefix(table),
      // The driver puts the text into the URL unescaped.
      { start: 0, pageSize, ...(startAfter !== null && { startAfter: encodeURIComponent(startAfter) }) },
    );
    rows += page.length;
    if (page.length < pageSize) return rows;
    startAfter = page.at(-1)!['@metadata']['@id'];
  }
}
