import type { TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import { DynoError } from '#model/error.ts';
import type { Link } from '../connection/link.ts';
import { readOptions } from '../options.ts';
import {
  anyBounds,
  anyKey,
  betweenQuery,
  fieldsOf,
  indexMap,
  indexOver,
  isIndexOf,
  mapReduce,
  orderedQuery,
  ownIndex,
  plainField,
  rangeQuery,
  staticIndex,
  staticIndexMap,
} from '../queries.ts';

/**
 * Makes the index that a table's options ask for, if they do, and waits until it is up to date. It may already exist.
 */
export async function makeIndex(link: Link, table: TablePlan): Promise<void> {
  const options = readOptions(table.options);
  if (options.index === 'none' || table.key === null) return;
  if (options.index === 'static') {
    const definition = { Name: staticIndex(table), Maps: [staticIndexMap(table)], Type: 'Map' };
    await link.ask({ method: 'PUT', path: '/admin/indexes', body: JSON.stringify({ Indexes: [definition] }) });
  } else {
    // The server makes and keeps the index that a query needs, without reading a document for it.
    const body = { Query: rangeQuery(table, options), QueryParameters: { key: anyKey(table, options) }, PageSize: 0 };
    await link.ask({ method: 'POST', path: '/queries', body: JSON.stringify(body) });
  }
  await waitForIndexes(link, table);
}

/**
 * Makes the index for ranges over a column: one of dataset.indexes, or the one that the server makes for the first
 * query.
 */
export async function makeRangeIndex(link: Link, table: TablePlan, column: number): Promise<void> {
  if (indexOver(table, column) === undefined) {
    const [low, high] = anyBounds(table, column, readOptions(table.options));
    const body = { Query: betweenQuery(table, column), QueryParameters: { low, high }, PageSize: 0 };
    await link.ask({ method: 'POST', path: '/queries', body: JSON.stringify(body) });
  }
  await waitForIndexes(link, table);
}

/** Makes the index for an order in the same way. */
export async function makeOrderIndex(link: Link, table: TablePlan, column: number): Promise<void> {
  if (indexOver(table, column) === undefined) {
    const body = { Query: orderedQuery(table, column, readOptions(table.options)), PageSize: 0 };
    await link.ask({ method: 'POST', path: '/queries', body: JSON.stringify(body) });
  }
  await waitForIndexes(link, table);
}

/** Makes an index of dataset.indexes, and waits until it is up to date. */
export async function addIndex(link: Link, table: TablePlan, index: IndexPlan): Promise<void> {
  const body = JSON.stringify({ Indexes: [indexDefinition(table, index)] });
  await link.ask({ method: 'PUT', path: '/admin/indexes', body });
  await waitForIndexes(link, table);
}

/** The definition of an index as /admin/indexes takes it. Pure. */
function indexDefinition(table: TablePlan, index: IndexPlan) {
  const name = ownIndex(index);
  const included = (index.include ?? []).map((c) => table.columns[c]!.name);
  const fields = fieldsOf(table, index.parts, included);
  if (index.kind === 'mapReduce') return { Name: name, Type: 'MapReduce', ...mapReduce(table, fields, included) };
  const searched = index.kind === 'fulltext' ? fields.map(({ name: field }) => [field, { Indexing: 'Search' }]) : [];
  const stored = included.map((field) => [field, { Indexing: 'No', Storage: 'Yes' }]);
  return {
    Name: name,
    Type: 'Map',
    Maps: [indexMap(table, [...fields, ...included.map(plainField)])],
    Fields: Object.fromEntries([...searched, ...stored]),
  };
}

interface Index {
  readonly Name: string;
  readonly IsStale: boolean;
  /** The state: Normal, Idle, Disabled or Error. */
  readonly State: string;
}

/** The indexes of one table; indexes of other tables may go on working for hours. */
async function indexesOf(link: Link, table: Pick<TablePlan, 'name'>): Promise<readonly Index[]> {
  const stats = (await link.ask({ path: '/stats' })) as { readonly Indexes?: readonly Index[] };
  return (stats.Indexes ?? []).filter(({ Name: name }) => isIndexOf(table, name));
}

const longestPauseMs = 250;

/** Waits until the indexes have every document. */
export async function waitForIndexes(link: Link, table: Pick<TablePlan, 'name'>): Promise<void> {
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const indexes = await indexesOf(link, table);
    const failed = indexes.find(({ State: state }) => state === 'Error' || state === 'Disabled');
    if (failed)
      throw new DynoError('other', `The index ${failed.Name} does not work: it is in the state ${failed.State}.`, {
        hint: 'The Studio shows its errors.',
      });
    if (!indexes.some((index) => index.IsStale)) return;
    await link.pause(pauseMs);
  }
}

export async function dropIndexes(link: Link, table: Pick<TablePlan, 'name'>): Promise<void> {
  for (const { Name: name } of await indexesOf(link, table))
    await link.ask({ method: 'DELETE', path: `/indexes?name=${encodeURIComponent(name)}` });
}
