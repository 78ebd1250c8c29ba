import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { QueryPlan } from '#engine-api/query-plan.ts';
import type { Mapping } from '#experiment/schema/changes.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { IndexSpec } from '#model/dataset/indexes.ts';
import { datasetName } from '#model/dataset/tables.ts';
import type { AdviceKind, AdviceStep, Candidate } from '#protocol/advice.ts';
import type { StatementShape } from './statement-shape.ts';

export type { AdviceKind, AdviceStep, Candidate };

/** A statement with everything that candidates are made from. */
export interface AdvisedStatement {
  readonly name: string;
  readonly text: string;
  readonly shape: StatementShape | null;
  /** Null: the server was not asked, or gave none. */
  readonly plan: QueryPlan | null;
}

/** The experiment of one variant on one target, as candidates change it. */
export interface AdvisedWork {
  readonly experiment: Experiment;
  readonly descriptor: EngineDescriptor;
  /** The name of the target. */
  readonly target: string;
  readonly statements: readonly AdvisedStatement[];
}

const defaults: Partial<IndexSpec> = { unique: false, kind: 'btree', visible: true };

/** An index as a file writes it, without the defaults. */
const writtenIndex = (index: IndexSpec): Mapping =>
  Object.fromEntries(
    Object.entries(index).filter(([key, value]) => value !== undefined && defaults[key as keyof IndexSpec] !== value),
  );

/** The change of a file that gives a table these indexes. */
export function withIndexes({ dataset }: Experiment, table: string, indexes: readonly IndexSpec[]): Mapping {
  const change = { indexes: indexes.map(writtenIndex) };
  return table === datasetName(dataset) ? { dataset: change } : { tables: { [table]: change } };
}

/** An index of these parts, with the defaults. */
export const indexOf = (parts: IndexSpec['columns'], more: Partial<IndexSpec> = {}): IndexSpec => ({
  columns: parts,
  unique: false,
  kind: 'btree',
  visible: true,
  ...more,
});

/** True if a candidate takes indexes away, and does nothing else. */
export const isDrop = ({ steps }: Candidate): boolean => steps.every((step) => step.do === 'dropIndex');
