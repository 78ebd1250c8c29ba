import { type PlanStep, type PlanStepKind, planTexts, type QueryPlan, unknownStep } from '#engine-api/query-plan.ts';
import { parseExactly } from '#model/text/exact-json.ts';
import { mayStopEarly } from '../../shared/query-plan.ts';
import type { Link } from '../connection/link.ts';
import { toError } from '../errors.ts';

/** The durations of a query's parts (include timings()). QueryPlan has the work of Corax, the newer indexing engine. */
interface Timings {
  readonly DurationInMs: number;
  readonly Timings?: Readonly<Record<string, Timings>> | null;
  readonly QueryPlan?: IndexOperation | null;
}

/** An operation on the terms of an index. */
interface IndexOperation {
  readonly Operation: string;
  readonly Children?: readonly IndexOperation[];
  readonly Parameters?: Readonly<Record<string, unknown>>;
}

/** The part of a query's answer about the query itself. */
export interface QueryAnswer {
  readonly IndexName?: string | null;
  readonly TotalResults?: number;
  /** The documents that a `filter` read, and those that it left out. */
  readonly ScannedResults?: number;
  readonly SkippedResults?: number;
  readonly Timings?: Timings | null;
}

/**
 * The plan of a query, from a request in JSON: the index that answers it, which the server chooses or makes, and the
 * work in the index. Servers without timings report the index alone.
 */
export async function queryPlanOf(link: Link, body: string, tables: readonly string[]): Promise<QueryPlan> {
  const request = parseExactly(body) as { readonly Query: string };
  const ask = async (query: string): Promise<QueryAnswer> =>
    (await link.ask({
      method: 'POST',
      path: '/queries',
      body: JSON.stringify({ ...request, Query: query }),
    })) as QueryAnswer;
  const { Query: text } = request;
  const timed = /\binclude\b/i.test(text) ? `${text}, timings()` : `${text}\ninclude timings()`;
  const planOf = (command: string, answer: QueryAnswer): QueryPlan => {
    const { IndexName, TotalResults, ScannedResults, SkippedResults, Timings } = answer;
    const printed = JSON.stringify({ IndexName, TotalResults, ScannedResults, SkippedResults, Timings }, undefined, 2);
    return { command, executed: true, steps: planSteps(answer, text, tables), ...planTexts(text, printed) };
  };
  try {
    return planOf('include timings()', await ask(timed));
  } catch (error) {
    const { kind } = toError(error);
    if (kind === 'serverGone' || kind === 'unreachable' || kind === 'cancelled') throw error;
    return planOf('IndexName of the answer', await ask(text));
  }
}

/** The steps of a query, from its answer: the read of an index or a collection, and the work in the index. Pure. */
export function planSteps(answer: QueryAnswer, text: string, tables: readonly string[]): readonly PlanStep[] {
  const name = answer.IndexName ?? '';
  const within = answer.Timings?.QueryPlan ? operationSteps(answer.Timings.QueryPlan, 1) : [];
  const collection = /^collection\/(.*)$/i.exec(name)?.[1];
  const auto = /^Auto\/([^/]+)\//i.exec(name)?.[1];
  const isWholeIndex = within.some(({ operator }) => operator === 'AllEntriesMatch');
  // Without an index a query reads documents by their ids, or all documents of a collection.
  const byId = collection !== undefined && /\bwhere\b/i.test(text);
  const kind: PlanStepKind =
    collection !== undefined ? (byId ? 'indexSeek' : 'fullScan') : isWholeIndex ? 'indexScan' : 'indexSeek';
  const scanned = answer.ScannedResults ?? 0;
  const found = scanned > 0 ? scanned - (answer.SkippedResults ?? 0) : (answer.TotalResults ?? null);
  const operator =
    collection !== undefined
      ? byId
        ? 'Documents by id'
        : 'Collection'
      : auto === undefined
        ? 'Index'
        : 'Automatic index';
  return [
    {
      ...unknownStep,
      kind,
      operator,
      table:
        collection ?? auto ?? tables.toSorted((a, b) => b.length - a.length).find((one) => name.includes(one)) ?? null,
      index: collection === undefined && name !== '' ? name : null,
      actualRows: found,
      examinedRows: scanned > 0 ? scanned : found,
      loops: 1,
      extent: mayStopEarly(text) ? 'mayStop' : 'toEnd',
      filter: /\bfilter\b([\s\S]*?)(?:\b(?:limit|include|order by|select)\b|$)/i.exec(text)?.[1]?.trim() ?? null,
      details: answer.Timings ? durationsIn(answer.Timings) : [],
    },
    ...within,
  ];
}

const operationKinds: readonly (readonly [RegExp, PlanStepKind])[] = [
  [/^Sorting/, 'sort'],
  [/^AllEntries/, 'indexScan'],
  [/^(?:Term|MultiTerm|SpatialMatch|Vector)/, 'indexSeek'],
];

function operationSteps(
  { Operation: name, Children = [], Parameters = {} }: IndexOperation,
  depth: number,
): readonly PlanStep[] {
  // "TermMatch [SmallSet]" is a TermMatch, however its terms are kept.
  const operator = name.replace(/ \[.*$/, '');
  const count = Number(Parameters.Count);
  return [
    {
      ...unknownStep,
      depth,
      kind: operationKinds.find(([pattern]) => pattern.test(operator))?.[1] ?? 'other',
      operator,
      estimatedRows: Parameters.Count === undefined || Number.isNaN(count) ? null : count,
      details: [
        ...(operator === name ? [] : [name]),
        ...Object.entries(Parameters).map(([parameter, value]) => `${parameter}: ${String(value)}`),
      ],
    },
    ...Children.flatMap((child) => operationSteps(child, depth + 1)),
  ];
}

/** "Query: 72 ms", "Query, Filter: 39 ms". */
const durationsIn = ({ Timings: parts }: Timings, above = ''): readonly string[] =>
  Object.entries(parts ?? {}).flatMap(([name, part]) => [
    `${above}${name}: ${part.DurationInMs} ms`,
    ...durationsIn(part, `${above}${name}, `),
  ]);
