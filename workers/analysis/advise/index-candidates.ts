import { columnType } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { columnsWithin, type IndexFeature, type IndexSpec, indexText, orderedColumns } from '#model/dataset/indexes.ts';
import { allTables } from '#model/dataset/tables.ts';
import {
  type AdviceKind,
  type AdvisedStatement,
  type AdvisedWork,
  type Candidate,
  indexOf,
  withIndexes,
} from './candidate.ts';
import type { Condition, StatementShape } from './statement-shape.ts';

/** Columns that a covering index may store besides those of the conditions. */
const mostCovered = 4;
/** Longer texts make an index about as large as its table. */
const longestCovered = 100;
const mostParts = 4;

type Part = IndexSpec['columns'][number];

/** The indexes that the conditions and the order of statements call for. */
export const indexCandidates = (work: AdvisedWork): readonly Candidate[] =>
  work.statements.flatMap((statement) =>
    statement.shape === null || work.descriptor.indexes?.btree === undefined
      ? []
      : [...new Set(statement.shape.tables)].flatMap((table) => ofTable(work, statement, statement.shape!, table)),
  );

function ofTable(
  work: AdvisedWork,
  statement: AdvisedStatement,
  shape: StatementShape,
  table: string,
): readonly Candidate[] {
  const dataset = allTables(work.experiment)[table];
  if (dataset === undefined) return [];
  const own = shape.conditions.filter((one) => one.table === table && isIndexable(dataset, one.column, one.path));
  const order = shape.order.filter((one) => one.table === table);
  const filters = own.filter(({ kind }) => kind !== 'join');
  const joins = own.filter(({ kind }) => kind === 'join');
  const sets = [filters, ...(joins.length > 0 ? [[...joins, ...filters.filter(({ kind }) => kind === 'equal')]] : [])];
  const isSorted = order.length > 0 && order.length === shape.order.length;
  const wanted = sets.flatMap((conditions) => orders(conditions, isSorted ? order : []));
  const unique = [...new Map(wanted.map((parts) => [JSON.stringify(parts), parts])).values()];
  const reads = shape.reads?.get(table) ?? null;
  return [
    ...unique.flatMap((parts) => plain(work, statement, table, dataset, parts)),
    ...unique.flatMap((parts) => covering(work, statement, table, dataset, parts, reads)),
    ...partial(work, statement, table, dataset, filters, isSorted ? order : []),
  ];
}

const isIndexable = ({ columns }: Dataset, column: string, path?: string): boolean => {
  const spec = columns[column];
  if (spec === undefined) return false;
  const type = columnType(spec);
  return path !== undefined || type.kind !== 'text' || (!type.document && type.maxLength <= 500);
};

const partOf = ({ column, path }: Pick<Condition, 'column' | 'path'>): Part =>
  path === undefined ? column : { column, path };
const nameOf = (part: Part): string =>
  typeof part === 'string' ? part : 'column' in part ? `${part.column}.${part.path ?? ''}` : '';

/** The orders of columns that serve conditions: equalities first, then one range, or the order of the rows. */
function orders(conditions: readonly Condition[], order: StatementShape['order']): readonly (readonly Part[])[] {
  const of = (...kinds: readonly Condition['kind'][]) =>
    conditions.filter(({ kind }) => kinds.includes(kind)).map(partOf);
  const equal = distinct([...of('equal', 'isNull', 'join'), ...of('in')]);
  const range = distinct(of('range', 'prefix')).filter((part) => !equal.some((one) => nameOf(one) === nameOf(part)));
  const sorted = order.map(partOf).filter((part) => !equal.some((one) => nameOf(one) === nameOf(part)));
  const behind = [
    ...(range.length > 0 ? [range.slice(0, 1)] : []),
    ...(sorted.length > 0 ? [sorted] : []),
    ...(range.length === 0 && sorted.length === 0 ? [[]] : []),
  ];
  return behind.map((more) => distinct([...equal, ...more]).slice(0, mostParts)).filter((parts) => parts.length > 0);
}

const distinct = (parts: readonly Part[]): readonly Part[] => [
  ...new Map(parts.map((part) => [nameOf(part), part])).values(),
];

/** The key and the indexes of a table, by their columns. */
const presentOrders = ({ key, indexes = [] }: Dataset): readonly (readonly string[])[] => [
  ...(key === undefined ? [] : [[key]]),
  ...indexes.map(orderedColumns),
];

/** True if an index begins with these columns, or with a part of them that a unique key makes sufficient. */
function isServed(dataset: Dataset, parts: readonly Part[]): boolean {
  const names = parts.map((part) => (typeof part === 'string' ? part : nameOf(part)));
  if (dataset.key !== undefined && names[0] === dataset.key) return true;
  const paths = (dataset.indexes ?? []).map(({ columns }) => columns.map(nameOf));
  return [...presentOrders(dataset), ...paths].some((present) => names.every((name, i) => present[i] === name));
}

/** An index with the same columns in another order. */
const reordered = ({ indexes = [] }: Dataset, parts: readonly Part[]): IndexSpec | undefined =>
  indexes.find((index) => {
    const columns = orderedColumns(index);
    const names = parts.map(nameOf);
    return (
      !index.unique &&
      columns.length === names.length &&
      columns.length > 1 &&
      names.every((name) => columns.includes(name)) &&
      columns.join() !== names.join()
    );
  });

function plain(
  work: AdvisedWork,
  statement: AdvisedStatement,
  table: string,
  dataset: Dataset,
  parts: readonly Part[],
): readonly Candidate[] {
  if (isServed(dataset, parts)) return [];
  const takesPath = takes(work, 'path');
  const hasPath = parts.some((part) => typeof part !== 'string');
  if (hasPath && !takesPath) return [];
  const index = indexOf([...parts]);
  const old = reordered(dataset, parts);
  if (old)
    return [
      added(work, 'columnOrder', table, index, [statement.name], {
        instead: old,
        why: `“${statement.name}” looks for ${partsText(index)}, and the index (${indexText(old)}) has these columns in another order.`,
      }),
    ];
  const kind = hasPath ? 'pathIndex' : 'missingIndex';
  const why = `“${statement.name}” looks for ${partsText(index)} of ${table}, and no index begins with that.`;
  return [added(work, kind, table, index, [statement.name], { why })];
}

function covering(
  work: AdvisedWork,
  statement: AdvisedStatement,
  table: string,
  dataset: Dataset,
  parts: readonly Part[],
  reads: readonly string[] | null,
): readonly Candidate[] {
  if (reads === null || parts.some((part) => typeof part !== 'string')) return [];
  const names = parts.map(nameOf);
  const rest = reads.filter((name) => !names.includes(name) && name !== dataset.key);
  if (rest.length === 0 || rest.length > mostCovered || names[0] === dataset.key) return [];
  const isLong = (name: string) => {
    const type = columnType(dataset.columns[name]!);
    return (type.kind === 'text' && (type.document || type.maxLength > longestCovered)) || type.kind === 'bytes';
  };
  if (rest.some(isLong)) return [];
  const { indexes = [] } = dataset;
  if (
    indexes.some(
      (one) => orderedColumns(one).length > 0 && [...names, ...rest].every((name) => columnsWithin(one).includes(name)),
    )
  )
    return [];
  const index = takes(work, 'include') ? indexOf([...parts], { include: [...rest] }) : indexOf([...parts, ...rest]);
  const shorter = indexes.find(
    (one) => !one.unique && orderedColumns(one).join() === names.join() && one.include === undefined,
  );
  return [
    added(work, 'coveringIndex', table, index, [statement.name], {
      ...(shorter && { instead: shorter }),
      why: `“${statement.name}” reads ${rest.join(', ')} besides the columns of its condition: an index with all of them saves the look-ups in ${table}.`,
    }),
  ];
}

function partial(
  work: AdvisedWork,
  statement: AdvisedStatement,
  table: string,
  dataset: Dataset,
  filters: readonly Condition[],
  order: StatementShape['order'],
): readonly Candidate[] {
  if (!takes(work, 'where')) return [];
  const fixed = filters.filter(({ constant, path }) => constant !== null && path === undefined);
  if (fixed.length === 0) return [];
  const others = filters.filter((one) => !fixed.includes(one));
  const found = orders(others, order);
  const all = found.length > 0 ? found : dataset.key === undefined ? [] : [[dataset.key]];
  const where = fixed.map(({ constant }) => constant).join(' AND ');
  return all
    .filter((parts) => parts.every((part) => typeof part === 'string'))
    .map((parts) =>
      added(work, 'partialIndex', table, indexOf([...parts], { where }), [statement.name], {
        why: `“${statement.name}” always asks for ${where}: an index of these rows alone is smaller, and other writes skip it.`,
      }),
    );
}

/** True if the engine's ordinary index has this option. */
export const takes = ({ descriptor }: Pick<AdvisedWork, 'descriptor'>, feature: IndexFeature): boolean =>
  descriptor.indexes?.btree?.takes?.[feature] !== undefined;

const partsText = (index: IndexSpec): string => index.columns.map((part) => nameOf(part).replace(/\.$/, '')).join(', ');

/** The candidate that adds an index, or puts it in the place of another one. */
export function added(
  { experiment }: Pick<AdvisedWork, 'experiment'>,
  kind: AdviceKind,
  table: string,
  index: IndexSpec,
  statements: readonly string[],
  { why, instead }: { readonly why: string; readonly instead?: IndexSpec },
): Candidate {
  const { indexes = [] } = allTables(experiment)[table]!;
  const condition = typeof index.where === 'string' ? ` where ${index.where}` : '';
  const words = `index on ${table} (${indexText({ ...index, where: undefined })})${condition}`;
  return {
    kind,
    title: `${words}${instead ? ` instead of (${indexText(instead)})` : ''}`.replaceAll(/\s+/g, ' ').slice(0, 110),
    why,
    tables: [table],
    statements,
    steps: [
      { do: 'createIndex', table, index },
      ...(instead ? [{ do: 'dropIndex', table, index: instead } as const] : []),
    ],
    change: withIndexes(experiment, table, [...indexes.filter((one) => one !== instead), index]),
  };
}
