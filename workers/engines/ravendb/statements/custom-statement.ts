import type { AnsweredRows, CustomStatement, KeptAnswer, StatementPlan } from '#engine-api/statement.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import { DynoError } from '#model/error.ts';
import { type JsonRequest, looksLikeRequest, requestOf } from '#model/statements/json-request.ts';
import { partsOf, wordsOf } from '#model/statements/statement-text.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { parseExactly } from '#model/text/exact-json.ts';
import { firstRows, shownRows, templateOf, withoutRows } from '../../shared/custom-statement.ts';
import type { Link } from '../connection/link.ts';
import { descriptor, statementLanguage } from '../descriptor.ts';
import { readOptions } from '../options.ts';
import { anyValue } from '../queries.ts';
import type { BatchCommand, Changes } from './changes.ts';
import { vetIndexes } from './index-code.ts';
import { queryPlanOf } from './query-plan.ts';
import { type JsonMaker, jsonMaker, type Values, valuesOf } from './requests.ts';
import { stale } from './session-calls.ts';

interface Answer {
  readonly Results: readonly (Readonly<Record<string, unknown>> | null)[];
  readonly IndexName?: string;
  readonly IsStale?: boolean;
}

/** An index that lags behind would answer with old rows. */
const whenFresh = { WaitForNonStaleResults: true, WaitForNonStaleResultsTimeout: '00:00:15' };

/**
 * A statement of the user's own: a query in RQL, which names its parameters `$name` by itself, or one of the API's
 * requests in JSON (json-request.ts).
 */
export async function prepareCustomStatement(
  link: Link,
  plan: StatementPlan,
  changes: Changes,
): Promise<CustomStatement> {
  supportOf(descriptor, 'statement', plan.method);
  if (!looksLikeRequest(plan.text)) return prepareQuery(link, plan, plan.text, rqlMaker(plan));
  const request = requestOf(plan.text);
  if (request === null)
    throw new DynoError(
      'syntax',
      'The text is no JSON, has a name twice in one object, or has none of the keys Ids, Query, Commands and Type.',
    );
  const { kind, body } = request;
  if (kind === 'load') return prepareLoad(link, plan, body);
  if (kind === 'changes') return prepareChanges(plan, Array.isArray(body.Commands) ? body.Commands : [body], changes);
  const { Indexes: indexes, ...query } = body;
  if (indexes !== undefined) await makeIndexes(link, plan, indexes);
  return prepareQuery(link, plan, String(query.Query), jsonMaker(query, plan));
}

function rqlMaker(plan: StatementPlan): JsonMaker {
  const template = templateOf(plan, statementLanguage, ({ name }) => `'${name}'`);
  const text = JSON.stringify(template.render((index) => `$${plan.parameters[index]!.name}`));
  const used = new Set(template.places.map((index) => plan.parameters[index]!.name));
  const parameters = jsonMaker(Object.fromEntries([...used].map((name) => [name, `$${name}`])), plan);
  return (values) => `{"Query":${text},"QueryParameters":${parameters(values)}}`;
}

/** The server may create the query's index with the first query. When prepare ends, the index has all documents. */
async function prepareQuery(
  link: Link,
  plan: StatementPlan,
  text: string,
  make: JsonMaker,
): Promise<CustomStatement<string>> {
  if (wordsOf(partsOf(text, statementLanguage)).includes('update'))
    throw new DynoError(
      'unsupported',
      'RQL with `update` is an operation in the background, which the client asks for until it is over: no statement with an answer of its own.',
      { hint: 'A PATCH by id, in JSON, changes documents at once.' },
    );
  const { dates } = readOptions(plan.options);
  const values = valuesOf(plan, dates);
  const ask = (path: string, body: string, exactly = false) =>
    link.ask({ method: 'POST', path, body, exactly }) as Promise<Answer | null>;
  const and = (body: string, more: object) => JSON.stringify({ ...(parseExactly(body) as object), ...more });
  const any = make(plan.parameters.map(({ type }) => anyValue(type, dates)));
  while ((await ask('/queries', and(any, { PageSize: 0, ...whenFresh })))?.IsStale) await link.pause(0);
  let index: string | null = null;
  return {
    encode: (batch) => make(values(batch)),
    run: async (body) => documentsIn(await ask('/queries', body)).length,
    answer: async (body, most) => keptDocuments(documentsIn(await ask('/queries', body, true)), most),
    async show(body, most) {
      const { PageSize: own = most + 1 } = parseExactly(body) as { readonly PageSize?: unknown };
      const limited = { ...whenFresh, PageSize: Math.min(Number(own), most + 1) };
      const answer = await ask('/queries', and(body, limited), true);
      if (answer?.IsStale) throw stale();
      index = answer?.IndexName ?? null;
      return shownDocuments(documentsIn(answer), most, false);
    },
    queryPlan: (body) =>
      queryPlanOf(
        link,
        and(body, whenFresh),
        Object.values(plan.tables).map(({ name }) => name),
      ),
    async explain(body) {
      const considered = documentsIn(await ask('/queries?debug=explain', body));
      return [
        ...(index === null ? [] : [`Answered by the index ${index}`]),
        ...considered.map(({ Index, Reason }) => `${String(Index)}: ${String(Reason)}`),
      ].join('\n');
    },
  };
}

/** Missing documents are null. */
const documentsIn = (answer: Answer | null) => (answer?.Results ?? []).filter((one) => one !== null);

/** `isWhole`: all documents were fetched; else at most one more than `most`. */
function shownDocuments(documents: ReturnType<typeof documentsIn>, most: number, isWhole = true): AnsweredRows {
  const columns = [...new Set(documents.slice(0, most).flatMap((one) => Object.keys(one)))].filter(
    (name) => name !== '@metadata',
  );
  return {
    ...(isWhole ? shownRows : firstRows)(
      columns,
      documents.map((one) => columns.map((name) => one[name])),
      most,
    ),
    types: columns.map(() => 'own'),
    own: documents.slice(0, most).map((one) => columns.map((name) => ownText(one[name]))),
  };
}

const keptDocuments = (documents: ReturnType<typeof documentsIn>, most: number): KeptAnswer => ({
  count: documents.length,
  read: () => shownDocuments(documents, most),
});

/** A value of a document with all its digits, as fieldValues() reads it. */
const ownText = (value: unknown): string | null => (value === null ? null : (JSON.stringify(value) ?? null));

/** Creates indexes whose names begin with the name of a table, so that they are dropped with its collection. */
async function makeIndexes(link: Link, plan: StatementPlan, indexes: unknown): Promise<void> {
  const named = Array.isArray(indexes) && indexes.every(({ Name: name }) => /^\{\w+\}\/./.test(String(name)));
  if (!named)
    throw new DynoError('badInput', 'The Name of each of Indexes begins with a table of the experiment: "{table}/…".', {
      hint: 'So Dyno knows that it may delete the index again. Those of collections of your own are yours to make.',
    });
  const body = jsonMaker({ Indexes: indexes }, plan)([]);
  vetIndexes(JSON.parse(body).Indexes);
  await link.ask({ method: 'PUT', path: '/admin/indexes', body });
}

/**
 * `Includes` come with the documents and are no rows. The columns are the documents' fields and their change vectors.
 */
function prepareLoad(link: Link, plan: StatementPlan, { Ids, Includes = [], ...others }: JsonRequest['body']) {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new DynoError('badInput', `A load has Ids and Includes, and no ${other}.`);
  const make = jsonMaker({ Ids }, plan);
  const includes: unknown = JSON.parse(jsonMaker(Includes, { ...plan, parameters: [] })([]));
  const path = `/docs?${[includes]
    .flat()
    .map((one) => `include=${encodeURIComponent(String(one))}`)
    .join('&')}`;
  const values = valuesOf(plan, readOptions(plan.options).dates);
  const ask = async (body: string, exactly = false) =>
    documentsIn((await link.ask({ method: 'POST', path, body, exactly })) as Answer | null);
  const answer = async (body: string, most: number) => {
    const documents = await ask(body, true);
    return keptDocuments(
      documents.map((one) => ({ ...one, [changeVector]: (one['@metadata'] as Metadata)[changeVector] })),
      most,
    );
  };
  return {
    encode: (batch) => make(values(batch)),
    run: async (body) => (await ask(body)).length,
    answer,
    show: async (body, most) => (await answer(body, most)).read(),
    explain: noPlan,
  } satisfies CustomStatement<string>;
}

const changeVector = '@change-vector';
type Metadata = Readonly<Record<string, unknown>>;

function prepareChanges(
  plan: StatementPlan,
  commands: readonly unknown[],
  changes: Changes,
): CustomStatement<readonly BatchCommand[]> {
  const makers = commands.map((one) => changeMaker(one, plan));
  const values = valuesOf(plan, readOptions(plan.options).dates);
  return {
    encode(batch) {
      const row = values(batch);
      return makers.map((make) => make(row));
    },
    run: (batch) => changes.make(batch),
    answer: async (batch) => withoutRows(await changes.make(batch)),
    async show(batch, most) {
      const count = await changes.attempt(batch);
      return shownRows(
        ['Type', 'Id'],
        batch.map(({ type, id }) => [type, JSON.parse(id)]),
        most,
        count,
      );
    },
    explain: noPlan,
  };
}

const types: readonly unknown[] = ['PUT', 'PATCH', 'DELETE'] satisfies readonly BatchCommand['type'][];

function changeMaker(command: unknown, plan: StatementPlan): (values: Values) => BatchCommand {
  const { Type: type, Id: id, PatchIfMissing: otherwise } = (command ?? {}) as Readonly<Record<string, unknown>>;
  if (!types.includes(type) || typeof id !== 'string')
    throw new DynoError('badInput', `A change has an Id, and a Type of ${types.join(', ')}.`);
  const [makeId, make] = [jsonMaker(id, plan), jsonMaker(command, plan)];
  return (values) => ({
    type: type as BatchCommand['type'],
    id: makeId(values),
    json: make(values),
    always: type === 'PUT' || (otherwise ?? null) !== null,
  });
}

const noPlan = async (): Promise<never> => {
  throw new DynoError('unsupported', 'The server has plans of queries alone.');
};

/** Lists collections, with the fields of their first documents. */
export async function userTables(link: Link): Promise<readonly UserTable[]> {
  const { Collections: found } = (await link.ask({ path: '/collections/stats' })) as {
    readonly Collections: Readonly<Record<string, number>>;
  };
  const tables: UserTable[] = [];
  for (const name of Object.keys(found)
    .filter((one) => !/^(dyno_|dynotables$|@)/i.test(one))
    .sort()) {
    const body = JSON.stringify({ Query: `from '${name}' limit 20` });
    const answer = (await link.ask({ method: 'POST', path: '/queries', body })) as Answer | null;
    tables.push({ schema: null, name, columns: shownDocuments(documentsIn(answer), 20).columns });
  }
  return tables;
}
