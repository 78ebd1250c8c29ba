import type { Experiment } from '#experiment/schema/experiment.ts';
import { keyIndex, tableColumns, tableForeignKeys, tableIndexes } from '#model/dataset/columns.ts';
import type { Dataset, TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import { allTables, datasetTable } from '#model/dataset/tables.ts';
import type { Options } from '#model/settings/options.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { BuiltPart } from '#protocol/measurement.ts';
import type { Control } from '../worker/control.ts';

/** A table as its first row finds it (`first`), and with everything that its settings require (`complete`). */
export interface TableStages {
  readonly first: TablePlan;
  readonly complete: TablePlan;
}

/** The settings that decide how a table is created. */
type BuildSettings = Pick<
  Settings,
  'dates' | 'documents' | 'keyCreation' | 'indexCreation' | 'partitions' | 'foreignKeys' | 'fillFactor'
>;

/**
 * A table's stages. `engine`: its id, for which texts of indexes are chosen. `referred`: the tables to which its
 * columns may refer, by their names in the file. Pure.
 */
export function tableStages(
  dataset: Dataset,
  settings: BuildSettings,
  name: string,
  options: Options,
  engine: string,
  referred: Readonly<Record<string, TableStages>> = {},
): TableStages {
  const { keyCreation, indexCreation, partitions, foreignKeys, fillFactor } = settings;
  const key = keyIndex(dataset);
  const indexes = tableIndexes(dataset, name, engine);
  const spread = partitions > 1 && key !== null ? { partitions: { count: partitions, by: key } } : {};
  const keys = foreignKeys ? tableForeignKeys(dataset, (table) => keyOf(referred[table]!.complete)) : [];
  const checked = keys.length > 0 ? { foreignKeys: keys } : {};
  const plain = {
    name,
    columns: tableColumns(dataset, settings),
    options,
    ...spread,
    ...checked,
    ...(fillFactor > 0 && { fillFactor }),
  };
  return {
    first: {
      ...plain,
      key: keyCreation === 'beforeLoad' ? key : null,
      indexes: indexCreation === 'beforeLoad' ? indexes : [],
    },
    complete: {
      ...plain,
      key: keyCreation === 'none' ? null : key,
      indexes: indexCreation === 'none' ? [] : indexes,
    },
  };
}

const keyOf = ({ name, columns, key }: TablePlan) => ({ table: name, key: columns[key ?? 0]!.name });

export interface StagedTable {
  readonly dataset: Dataset;
  readonly stages: TableStages;
}

/** The stages of an experiment's tables, by the names that statements use, in the order of creation. Pure. */
export function stagedTables(
  experiment: Pick<Experiment, 'dataset' | 'tables'>,
  settings: BuildSettings,
  name: string,
  options: Options,
  engine: string,
): Readonly<Record<string, StagedTable>> {
  const made: Record<string, StagedTable> = {};
  const stages: Record<string, TableStages> = {};
  const beside = Object.keys(experiment.tables ?? {}).length;
  for (const [index, [table, dataset]] of Object.entries(allTables(experiment)).entries()) {
    const own = serverName(name, beside - index, table);
    stages[table] = tableStages(dataset, settings, own, options, engine, stages);
    made[table] = { dataset, stages: stages[table] };
  }
  return made;
}

/**
 * The name of a table on the server. Tables can be dropped in the order of their names: first the dataset's, whose turn
 * is 0, then the others in reverse order of creation. The table of a dataset without a name has the trial's name alone.
 */
export const serverName = (ofTrial: string, turn: number, table: string): string =>
  table === datasetTable ? ofTrial : `${ofTrial}_${String(turn).padStart(2, '0')}_${table}`;

/** True if anything is left to create after the last row. */
export const hasRest = ({ first, complete }: TableStages): boolean =>
  first.key !== complete.key || first.indexes?.length !== complete.indexes?.length;

/** Creates the indexes that exist before the first row. */
export async function makeFirstIndexes(control: Control, { first }: TableStages, signal: AbortSignal): Promise<void> {
  for (const index of first.indexes ?? []) await control.ask({ call: 'addIndex', table: first, index }, signal);
}

/** Creates the rest, one object after the other: the key, then the indexes. `counted`: see BuiltPart. */
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
  return [...built, ...(await buildIndexes(control, complete, complete.indexes ?? [], signal, counted))];
}

/** Creates indexes of a loaded table, one after the other. */
export async function buildIndexes(
  control: Control,
  table: TablePlan,
  indexes: readonly IndexPlan[],
  signal: AbortSignal,
  counted = false,
): Promise<readonly BuiltPart[]> {
  const built: BuiltPart[] = [];
  for (const index of indexes) {
    const { ms } = await control.ask({ call: 'addIndex', table, index }, signal);
    built.push({ part: `index on ${index.label}`, ms, counted });
  }
  return built;
}
