import { columnsWithin } from '#model/dataset/indexes.ts';
import type { AdvisedIndex } from '#protocol/advice.ts';
import type { AdviceStep, Candidate } from './candidate.ts';

/** Rows of the catalog about the user's own table: an index, and one of its columns. */
export type IndexRows = readonly (readonly (string | null)[])[];

/** The tables with an index that a candidate drops. */
export const tablesWithDrops = (candidates: readonly Candidate[]): readonly string[] => [
  ...new Set(candidates.flatMap(({ steps }) => steps.flatMap((step) => (step.do === 'dropIndex' ? [step.table] : [])))),
];

/** The candidates, with the names of their indexes in the user's own tables if a table has the indexes. */
export function withOwnNames(
  candidates: readonly Candidate[],
  rowsByTable: ReadonlyMap<string, IndexRows>,
): readonly Candidate[] {
  const named = (step: AdviceStep): AdviceStep => {
    if (step.do !== 'dropIndex') return step;
    const ownName = nameIn(rowsByTable.get(step.table) ?? [], step.index);
    return ownName === null ? step : { ...step, ownName };
  };
  return candidates.map((one) => ({ ...one, steps: one.steps.map(named) }));
}

/** The name of the only index with these columns; null: there is none, or more than one. */
function nameIn(rows: IndexRows, index: AdvisedIndex): string | null {
  const hasOnlyColumns = index.columns.every(
    (part) => typeof part === 'string' || ('column' in part && part.path === undefined),
  );
  if (index.where !== undefined || !hasOnlyColumns) return null;
  const wanted = columnsWithin(index).join();
  const byName = Map.groupBy(rows, ([name]) => name);
  const [only, ...more] = [...byName].filter(
    ([, own]) => own.map(([, column]) => (column ?? '(expression)').toLowerCase()).join() === wanted,
  );
  return only === undefined || more.length > 0 ? null : only[0]!;
}
