import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { Link } from '../connection/link.ts';
import { pages } from '../connection/pages.ts';
import { toError } from '../errors.ts';
import { readOptions } from '../options.ts';
import { allOf } from '../queries.ts';
import { idPrefix } from '../values/documents.ts';
import { dropIndexes, makeIndex } from './indexes.ts';

/** A document of this id marks a collection as Dyno's: nothing without it is ever deleted. */
const markPrefix = 'dyno/tables/';
const markId = ({ name }: Pick<TablePlan, 'name'>): string => `${markPrefix}${name}`;
/**
 * The id of a document in every database in which Dyno works, which tells users who find the collections that Dyno made
 * them.
 */
export const aboutId = 'dyno/about';
const about = 'Dyno, a benchmark, works in this database: its collections are those that dyno/tables/… names.';
const marks = { '@metadata': { '@collection': 'DynoTables' } };

async function isMarked(link: Link, table: Pick<TablePlan, 'name'>): Promise<boolean> {
  const answer = (await link.ask({ path: `/docs?id=${encodeURIComponent(markId(table))}` })) as {
    readonly Results: readonly (object | null)[];
  } | null;
  return (answer?.Results[0] ?? null) !== null;
}

const put = (id: string, document: object) => ({ Type: 'PUT', Id: id, ChangeVector: null, Document: document });

/** Documents of a collection; names of collections ignore case. */
async function countOf(link: Link, { name }: Pick<TablePlan, 'name'>): Promise<number> {
  const { Collections: found } = (await link.ask({ path: '/collections/stats' })) as {
    readonly Collections: Readonly<Record<string, number>>;
  };
  return Object.entries(found).reduce((sum, [one, count]) => (one.toLowerCase() === name ? sum + count : sum), 0);
}

/** A collection exists from its first document on, so the mark is all that has to be made. */
export async function createTable(link: Link, table: TablePlan): Promise<void> {
  await ensureDatabase(link);
  await dropTable(link, table);
  const commands = [put(aboutId, { about, ...marks }), put(markId(table), { table: table.name, ...marks })];
  await link.ask({ method: 'POST', path: '/bulk_docs', body: JSON.stringify({ Commands: commands }) });
  if (readOptions(table.options).indexWhen === 'beforeLoad') await makeIndex(link, table);
}

/** The second error comes from a new server, which becomes a cluster of one with its first database. */
const noDatabase = ['DatabaseDoesNotExistException', 'NodeIsPassiveException'];

/** True if the database exists: Dyno makes it with the first table. */
export async function hasDatabase(link: Link): Promise<boolean> {
  try {
    await link.ask({ path: '/collections/stats' });
    return true;
  } catch (error) {
    if (noDatabase.includes(toError(error).code ?? '')) return false;
    throw error;
  }
}

/** Dyno makes the database if it is missing, and leaves it in place, like an empty schema. */
export async function ensureDatabase(link: Link): Promise<void> {
  if (await hasDatabase(link)) return;
  const { database } = link.store;
  const path = `/admin/databases?name=${encodeURIComponent(database)}&replicationFactor=1`;
  const body = JSON.stringify({ DatabaseName: database });
  try {
    await link.ask({ method: 'PUT', path, ofServer: true, body });
  } catch (error) {
    const { kind, code, message } = toError(error);
    if (kind === 'permission')
      throw new DynoError('permission', `Creating the database ${database}: ${message}`, {
        code,
        hint: 'An administrator creates it: `dyno grants TARGET` prints how.',
      });
    // Another process of Dyno was faster.
    if (!/already exists/i.test(message)) throw error;
  }
  while (!(await hasDatabase(link))) await link.pause(20);
}

export async function dropTable(link: Link, table: Pick<TablePlan, 'name'>): Promise<void> {
  if (!(await hasDatabase(link))) return;
  if (!(await isMarked(link, table))) {
    if ((await countOf(link, table)) === 0) return;
    throw new DynoError(
      'notOurs',
      `A collection ${table.name} exists in ${link.store.database} that Dyno did not create.`,
      {
        hint: 'Rename or delete it yourself; Dyno never does.',
      },
    );
  }
  await dropIndexes(link, table);
  await deleteDocuments(link, table);
  const gone = { Type: 'DELETE', Id: markId(table), ChangeVector: null };
  await link.ask({ method: 'POST', path: '/bulk_docs', body: JSON.stringify({ Commands: [gone] }) });
}

export async function leftovers(link: Link, namePrefix: string): Promise<readonly string[]> {
  if (!(await hasDatabase(link))) return [];
  const names: string[] = [];
  for await (const page of pages<object>(link, `${markPrefix}${namePrefix}`))
    names.push(...page.map(({ '@metadata': { '@id': id } }) => id.slice(markPrefix.length)));
  return names;
}

/** Deletes every document of a collection by an operation of the server, and waits for it. */
export async function deleteDocuments(link: Link, table: Pick<TablePlan, 'name'>): Promise<void> {
  const body = JSON.stringify({ Query: allOf(table) });
  const { OperationId: id } = (await link.ask({ method: 'DELETE', path: '/queries', body })) as {
    readonly OperationId: number;
  };
  const longestPauseMs = 200;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const state = (await link.ask({ path: `/operations/state?id=${id}` })) as OperationState | null;
    if (state?.Status === 'Completed') return;
    if (state?.Status === 'Faulted' || state?.Status === 'Canceled')
      throw new DynoError(
        'other',
        `Deleting the documents under ${idPrefix(table)}: ${state.Result?.Message ?? state.Status}`,
      );
    await link.pause(pauseMs);
  }
}

interface OperationState {
  readonly Status: 'InProgress' | 'Completed' | 'Faulted' | 'Canceled';
  readonly Result?: { readonly Message?: string } | null;
}
