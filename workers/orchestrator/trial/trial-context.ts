import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { OpenLoadHosts } from '#load-hosts/coordinator/open-load-hosts.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { Dataset, TablePlan } from '#model/dataset/dataset.ts';
import { datasetName } from '#model/dataset/tables.ts';
import { variedDataset } from '#model/dataset/varied-dataset.ts';
import type { FoundFiles, JournalRecord } from '#protocol/journal.ts';
import type { BuiltPart, TableLoad, TrialResult } from '#protocol/measurement.ts';
import type { LoadedTables } from '#protocol/messages.ts';
import type { Plan, PlannedTrial, Variant } from '#protocol/plan.ts';
import type { Control } from '../worker/control.ts';
import type { PhaseClock } from './phase-clock.ts';
import type { RowStore } from './row-store.ts';
import { setupObjects } from './set-up.ts';
import type { SpaceGuard } from './space-guard.ts';
import type { TableStages } from './table-build.ts';

/** Loaded tables that the next trial may use with its own indexes. */
export interface KeptTable {
  /** The name of the trial that made the tables (`tableNameOf`). */
  readonly name: string;
  readonly stages: TableStages;
  readonly loaded: TableChecksum | null;
  readonly loadedBytes?: number;
  readonly beside: LoadedTables;
}

/** The parts of a run that its trials need. */
export interface TrialContext {
  readonly plan: Plan;
  readonly trial: PlannedTrial;
  readonly variant: Variant;
  readonly control: Control;
  /**
   * Gives the server of a target or source the variant's parameters, and returns their values as the server reports
   * them; null: the experiment has no parameters for the server.
   */
  readonly setServer: (
    control: Control,
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, string | null>> | null>;
  /** The source target of a copy, if it is not the trial's own target. */
  readonly sourceControl: Control | null;
  /** First part of the names of this run's tables. */
  readonly tablePrefix: string;
  readonly tag: string;
  /** The files of parameters. */
  readonly files: FoundFiles;
  /** The rows of files that fill tables. */
  readonly rows: RowStore;
  readonly kept: KeptTable | null;
  readonly loadHosts: OpenLoadHosts;
  /** True if the next trial on this target reads the same rows, perhaps by other indexes. */
  readonly keepTable: boolean;
  readonly space: SpaceGuard;
  readonly signal: AbortSignal;
  readonly write: (record: JournalRecord) => void;
  readonly onActivity: (text: string) => void;
  /** Called with target and name of a table that could not be dropped at the end of the trial. */
  readonly onTableLeft?: (target: string, table: string) => void;
  /** Called when nothing is timed any more in this trial. */
  readonly onMeasured?: () => void;
}

export interface TrialOutcome {
  readonly result: TrialResult;
  readonly kept: KeptTable | null;
}

/** A running trial. The run aborts `signal`, and so does the end of the trial's own time. */
export interface TrialWork extends TrialContext {
  readonly clock: PhaseClock;
}

/** The objects that a trial has created on the servers so far. */
export interface TrialState {
  readonly stages: TableStages | null;
  readonly loaded: TableChecksum | null;
  /** The bytes of the values of the loaded rows, or of the source of a copy; absent: none were loaded. */
  readonly loadedBytes?: number;
  /** The source table of a copy; absent if the trial copies nothing. */
  readonly source?: SourceTable;
  /** The additional tables in the order of creation; absent if there are none. */
  readonly beside?: LoadedTables;
  /** Keys and indexes created after loading; absent if there are none, or an earlier trial created them. */
  readonly builds?: readonly BuiltPart[];
  /** The loads of tables that a file fills; absent if there are none, or an earlier trial loaded the tables. */
  readonly tableLoads?: readonly TableLoad[];
}

/** A second table of Dyno's with the rows that are read. */
export interface SourceTable {
  readonly control: Control;
  readonly table: TablePlan;
  readonly loaded: TableChecksum;
}

/** The dataset as this trial loads it into its target. */
export const datasetOf = ({ plan, variant, control }: TrialContext): Dataset =>
  variedDataset(plan.experiment.dataset, variant.settings, control.descriptor.uuids.order);

/** Custom statements may need no table of Dyno's. */
export const hasTable = ({ complete }: TableStages): boolean => complete.columns.length > 0;

/** The name of a trial's first table. The names of its other tables and of its objects begin with it. */
export const tableNameOf = ({ tablePrefix, trial }: TrialContext): string => `${tablePrefix}${trial.number}`;

/** All tables and objects of the trial by the names that statements use, the dataset's included. */
export function loadedTables(context: TrialContext, { stages, loaded, beside = {} }: TrialState): LoadedTables {
  const { control, plan, variant } = context;
  const options = optionsFor(control.descriptor, variant.settings);
  const objects = setupObjects(control, plan.experiment, tableNameOf(context), options);
  if (!stages || !hasTable(stages)) return { ...objects, ...beside };
  const dataset = datasetOf(context);
  const table = loaded ? stages.complete : stages.first;
  return { ...objects, ...beside, [datasetName(dataset)]: { table, dataset, rows: loaded?.rows ?? 0 } };
}
