import type { Dataset } from '#model/dataset/dataset.ts';
import { columnsWithin, type IndexSpec, indexText, orderedColumns } from '#model/dataset/indexes.ts';
import { allTables } from '#model/dataset/tables.ts';
import { type AdviceKind, type AdvisedWork, type Candidate, withIndexes } from './candidate.ts';

/** The indexes that could be dropped: as one candidate all that another index contains, and each that no plan reads. */
export function dropCandidates(work: AdvisedWork): readonly Candidate[] {
  const { experiment, statements } = work;
  const used = new Set(statements.flatMap(({ plan }) => plan?.steps.flatMap(({ index }) => index ?? []) ?? []));
  const arePlansKnown = statements.every(({ plan, shape }) => plan !== null || shape?.verb === 'insert');
  return Object.entries(allTables(experiment)).flatMap(([table, dataset]): readonly Candidate[] => {
    const { indexes = [], columns } = dataset;
    const servers = new Map(indexes.map((index) => [index, serverOf(dataset, index)]));
    const redundant = indexes.filter((index) => servers.get(index) !== null);
    // A plan that reads a redundant index will read the index that contains it.
    const isNeeded = (index: IndexSpec) => redundant.some((one) => contains(index, one, indexes));
    const isUnused = (index: IndexSpec, i: number): boolean => {
      const names = [`${table}_i${i + 1}`, ...(index.name === undefined ? [] : [`${table}_i_${index.name}`])];
      const isForeignKey = columns[orderedColumns(index)[0] ?? '']?.type === 'reference';
      return !index.unique && arePlansKnown && !isForeignKey && !names.some((name) => used.has(name));
    };
    const unread = 'No plan of the statements reads it, and each write keeps it up to date.';
    const begins = (index: IndexSpec) =>
      `(${indexText(index)}) begins like ${servers.get(index)}, which serves its queries too.`;
    return [
      ...(redundant.length === 0
        ? []
        : [dropped(work, 'redundantIndex', table, redundant, redundant.map(begins).join(' '))]),
      ...indexes
        .filter((index, i) => isUnused(index, i) && !redundant.includes(index) && !isNeeded(index))
        .map((index) => dropped(work, 'unusedIndex', table, [index], unread)),
    ];
  });
}

/** The widest index, or the key, that serves whatever an index serves, in words; null: there is none. */
function serverOf({ indexes = [], key }: Dataset, index: IndexSpec): string | null {
  if (index.unique) return null;
  const [widest] = indexes
    .filter((other) => other !== index && contains(other, index, indexes))
    .toSorted((a, b) => columnsWithin(b).length - columnsWithin(a).length);
  if (widest) return `the index (${indexText(widest)})`;
  const isOfKey = key !== undefined && orderedColumns(index).join() === key && index.include === undefined;
  return isOfKey ? 'the primary key' : null;
}

/**
 * True if the wider index serves whatever the narrow one serves. Of two equal indexes, the later one is the narrow one.
 */
function contains(wide: IndexSpec, narrow: IndexSpec, all: readonly IndexSpec[]): boolean {
  const [long, short] = [orderedColumns(wide), orderedColumns(narrow)];
  if (
    short.length === 0 ||
    narrow.kind !== wide.kind ||
    directions(wide, short.length) !== directions(narrow, short.length)
  )
    return false;
  const isPrefix = short.every((name, i) => long[i] === name);
  const hasAll = columnsWithin(narrow).every((name) => columnsWithin(wide).includes(name));
  const isEqual = long.length === short.length && columnsWithin(wide).length === columnsWithin(narrow).length;
  return isPrefix && hasAll && (!isEqual || all.indexOf(wide) < all.indexOf(narrow));
}

const directions = ({ columns }: IndexSpec, count: number): string =>
  columns
    .slice(0, count)
    .map((part) => (typeof part === 'string' ? 'asc' : (part.order ?? 'asc')))
    .join();

function dropped(
  { experiment }: AdvisedWork,
  kind: AdviceKind,
  table: string,
  gone: readonly IndexSpec[],
  why: string,
): Candidate {
  const { indexes = [] } = allTables(experiment)[table]!;
  const words = gone.map((index) => `(${indexText(index)})`).join(', ');
  return {
    kind,
    title: `no index on ${table} ${words}`.replaceAll(/\s+/g, ' ').slice(0, 110),
    why,
    tables: [table],
    statements: [],
    steps: gone.map((index) => ({ do: 'dropIndex', table, index }) as const),
    change: withIndexes(
      experiment,
      table,
      indexes.filter((one) => !gone.includes(one)),
    ),
  };
}
