import { keyIndex, tableColumns, tableIndexes } from '#contract/columns.ts';
import type { Dataset, TablePlan } from '#contract/dataset.ts';
import type { BuiltPart } from '#contract/measurement.ts';
import type { Options, Settings } from '#contract/settings.ts';
import type { StoredAs } from '#contract/stored-type.ts';
import type { Control } from './control.ts';

/** The same table as its first row finds it, and with all that its settings ask for. */
export interface TableStages {
  readonly first: TablePlan;
  readonly complete: TablePlan;
}

/** Runs of older versions have none of these. */
type Built = StoredAs & Partial<Pick<Settings, 'keyBuild' | 'indexBuild' | 'partitions'>>;

/** What the settings make of a dataset's table. Pure. */
export function tableStages(
  dataset: Dataset,
  { keyBuild = 'withTable', indexBuild = 'withTable', partitions = 1, ...storedAs }: Built,
  name: string,
  options: Options,
): TableStages {
  const key = keyIndex(dataset);
  const indexes = tableIndexes(dataset, name);
  const spread = partitions > 1 && key !== null ? { partitions: { count: partitions, by: key } } : {};
  const plain = { name, columns: tableColumns(dataset, storedAs), options, ...spread };
  return {
    first: {
      ...plain,
      key: keyBuild === 'withTable' ? key : null,
      indexes: indexBuild === 'withTable' ? indexes : [],
    },
    complete: {
      ...plain,
      key: keyBuild === 'none' ? null : key,
      indexes: indexBuild === 'none' ? [] : indexes,
    },
  };
}

/** Whether anything is left to make when the rows are there. */
export const hasRest = ({ first, complete }: TableStages): boolean =>
  first.key !== complete.key || first.indexes?.length !== complete.indexes?.length;

/** Makes the indexes that the first row finds. */
export async function makeFirstIndexes(control: Control, { first }: TableStages, signal: AbortSignal): Promise<void> {
  for (const index of first.indexes ?? []) await control.ask({ call: 'addIndex', table: first, index }, signal);
}

/** Makes what is left, one thing after the other: the key, then the indexes. `counted`: see BuiltPart. */
export async function buildRest(
  control: Control,
  stages: TableStages,
  counted: boolean,
  signal: AbortSignal,
): Promise<readonly BuiltPart[]> {
  const { first, complete } = stages;
  const built: BuiltPart[] = [];
  if (first.key !== complete.key) {
    const { ms } = await control.ask({ call: 'addKey', table: { ...complete, indexes: first.indexes ?? [] } }, signal);
    built.push({ part: 'key', ms, counted });
  }
  if (first.indexes?.length === complete.indexes?.length) return built;
  for (const index of complete.indexes ?? []) {
    const { ms } = await control.ask({ call: 'addIndex', table: complete, index }, signal);
    built.push({ part: `index on ${index.columns.map((c) => complete.columns[c]?.name).join(', ')}`, ms, counted });
  }
  return built;
}
