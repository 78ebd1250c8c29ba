import { columnsWithin, type IndexSpec, indexText, orderedColumns } from '#model/dataset/indexes.ts';
import { allTables } from '#model/dataset/tables.ts';
import { type AdviceKind, type AdvisedWork, type Candidate, withIndexes } from './candidate.ts';

/** The indexes that could be dropped: those that another one contains, and those that no plan reads. */
export function dropCandidates(work: AdvisedWork): readonly Candidate[] {
  const { experiment, statements } = work;
  const used = new Set(statements.flatMap(({ plan }) => plan?.steps.flatMap(({ index }) => index ?? []) ?? []));
  const arePlansKnown = statements.every(({ plan, shape }) => plan !== null || shape?.verb === 'insert');
  return Object.entries(allTables(experiment)).flatMap(([table, { indexes = [], key, columns }]) =>
    indexes.flatMap((index, i): readonly Candidate[] => {
      if (index.unique) return [];
      const wider = indexes.find((other) => other !== index && contains(other, index, indexes));
      const isOfKey = key !== undefined && orderedColumns(index).join() === key && index.include === undefined;
      if (wider || isOfKey) {
        const by = wider ? `the index (${indexText(wider)})` : 'the primary key';
        return [dropped(work, 'redundantIndex', table, index, `It begins like ${by}, which serves its queries too.`)];
      }
      const names = [`${table}_i${i + 1}`, ...(index.name === undefined ? [] : [`${table}_i_${index.name}`])];
      const isForeignKey = columns[orderedColumns(index)[0] ?? '']?.type === 'reference';
      if (!arePlansKnown || isForeignKey || names.some((name) => used.has(name))) return [];
      return [
        dropped(
          work,
          'unusedIndex',
          table,
          index,
          'No plan of the statements reads it, and each write keeps it up to date.',
        ),
      ];
    }),
  );
}

/** True if the wider index serves whatever the narrow one serves. Of two equal ones, the later is narrow. */
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
  index: IndexSpec,
  why: string,
): Candidate {
  const { indexes = [] } = allTables(experiment)[table]!;
  return {
    kind,
    title: `no index on ${table} (${indexText(index)})`.replaceAll(/\s+/g, ' ').slice(0, 110),
    why,
    tables: [table],
    statements: [],
    steps: [{ do: 'dropIndex', table, index }],
    change: withIndexes(
      experiment,
      table,
      indexes.filter((one) => one !== index),
    ),
  };
}
