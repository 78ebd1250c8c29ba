import type { OwnStatement, StatementPlan } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import { partsOf, wordsOf } from '#contract/statement-text.ts';
import type { OwnTable, ShownRows } from '#contract/statements.ts';
import { supportOf } from '#contract/support-of.ts';
import { shownRows, templateOf } from '../own-statement.ts';
import { descriptor, statementLanguage } from './descriptor.ts';
import { fieldValues } from './documents.ts';
import type { Link } from './link.ts';
import { readOptions } from './options.ts';

interface Answer {
  readonly Results: readonly Readonly<Record<string, unknown>>[];
  readonly IndexName?: string;
}

/** An index that is behind would answer with rows of before. */
const whenFresh = { WaitForNonStaleResults: true, WaitForNonStaleResultsTimeout: '00:00:15' };

/** A query of the user's own in RQL, which names its parameters `$name` by itself. */
export function prepareOwn(link: Link, plan: StatementPlan): OwnStatement {
  supportOf(descriptor, 'statement', plan.method);
  if (wordsOf(partsOf(plan.text, statementLanguage)).includes('update'))
    throw new DynoError(
      'unsupported',
      'RQL with `update` is an operation in the background, which the client asks for until it is over: no statement with an answer of its own.',
    );
  const { dates } = readOptions(plan.options);
  const template = templateOf(plan, statementLanguage, ({ name }) => `'${name}'`);
  const used = [...new Set(template.places)].map((index) => plan.parameters[index]!.name);
  const text = template.render((index) => `$${plan.parameters[index]!.name}`);
  const ask = (path: string, body: object) =>
    link.ask({ method: 'POST', path, body: JSON.stringify(body) }) as Promise<Answer | null>;
  let index: string | null = null;
  const shown = async (request: object, most: number): Promise<ShownRows> => {
    const answer = await ask('/queries', request);
    index = answer?.IndexName ?? null;
    const documents = answer?.Results ?? [];
    const columns = [...new Set(documents.slice(0, most).flatMap((one) => Object.keys(one)))].filter(
      (name) => name !== '@metadata',
    );
    return shownRows(
      columns,
      documents.map((one) => columns.map((name) => one[name])),
      most,
    );
  };
  return {
    encode(batch): { readonly body: string; readonly request: object } {
      const values = plan.parameters.flatMap(({ name, type }, c) =>
        used.includes(name) ? [[name, fieldValues(batch.columns[c]!, type, 1, dates)[0]] as const] : [],
      );
      const request = { Query: text, QueryParameters: Object.fromEntries(values) };
      return { body: JSON.stringify(request), request };
    },
    async run(call) {
      const { body } = call as { readonly body: string };
      const answer = (await link.ask({ method: 'POST', path: '/queries', body })) as Answer | null;
      return answer?.Results.length ?? 0;
    },
    first: (call) => shown((call as { readonly request: object }).request, 1),
    show: (call, most) => shown({ ...(call as { readonly request: object }).request, ...whenFresh }, most),
    async explain(call) {
      const { request } = call as { readonly request: object };
      const answer = await ask('/queries?debug=explain', request);
      const considered = (answer?.Results ?? []).map(({ Index, Reason }) => `${String(Index)}: ${String(Reason)}`);
      return [...(index === null ? [] : [`Answered by the index ${index}`]), ...considered].join('\n');
    },
  };
}

/** Collections, and the fields of their first documents. */
export async function ownTables(link: Link): Promise<readonly OwnTable[]> {
  const { Collections: found } = (await link.ask({ path: '/collections/stats' })) as {
    readonly Collections: Readonly<Record<string, number>>;
  };
  const tables: OwnTable[] = [];
  for (const name of Object.keys(found)
    .filter((one) => !/^(dyno_|dynotables$|@)/i.test(one))
    .sort()) {
    const body = JSON.stringify({ Query: `from '${name}' limit 20` });
    const answer = (await link.ask({ method: 'POST', path: '/queries', body })) as Answer | null;
    const fields = (answer?.Results ?? []).flatMap((one) => Object.keys(one)).filter((one) => one !== '@metadata');
    tables.push({ schema: null, name, columns: [...new Set(fields)] });
  }
  return tables;
}
