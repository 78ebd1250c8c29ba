import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { QueryPlan } from '#engine-api/query-plan.ts';
import type { Mapping } from '#experiment/schema/changes.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { IndexSpec } from '#model/dataset/indexes.ts';
import { datasetName } from '#model/dataset/tables.ts';
import type { StatementShape } from './statement-shape.ts';

/** The kinds of advice. The simpler one comes first where two of them are equally fast. */
export const adviceKinds = [
  'redundantIndex',
  'unusedIndex',
  'sortMemory',
  'statistics',
  'rewrite',
  'lookUps',
  'columnOrder',
  'partialIndex',
  'missingIndex',
  'pathIndex',
  'expressionIndex',
  'coveringIndex',
  'rewriteAndIndex',
] as const;
/** A kind of advice. */
export type AdviceKind = (typeof adviceKinds)[number];

/** A part of a candidate, as the user would carry it out. */
export type AdviceStep =
  | { readonly do: 'createIndex'; readonly table: string; readonly index: IndexSpec }
  | {
      readonly do: 'dropIndex';
      readonly table: string;
      readonly index: IndexSpec;
      /** The name that the index has in the user's own table; absent: no table of theirs has it. */
      readonly ownName?: string;
    }
  | { readonly do: 'set'; readonly name: string; readonly value: string }
  | { readonly do: 'setUp'; readonly name: string; readonly text: string }
  | { readonly do: 'replaceText'; readonly statement: string; readonly text: string };

/** A change that may make the statements faster. It is a level of the experiment that measures it. */
export interface Candidate {
  readonly kind: AdviceKind;
  /** The name of the level, which says what is changed: "index on orders (customer, sold)". */
  readonly title: string;
  /** The reason to try it, as a sentence. */
  readonly why: string;
  /** The tables whose writes it may make slower or faster. */
  readonly tables: readonly string[];
  /** The statements that it is meant for. Empty: those that write. */
  readonly statements: readonly string[];
  readonly steps: readonly AdviceStep[];
  /** The change of the file, as a level has it. */
  readonly change: Mapping;
}

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
