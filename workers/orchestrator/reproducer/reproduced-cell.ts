import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Cannot, ReproducedWork, Reproducer } from '#engine-api/reproducer.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { changedColumn } from '#model/dataset/changed-column.ts';
import type { Column, Dataset } from '#model/dataset/dataset.ts';
import { variedDataset } from '#model/dataset/varied-dataset.ts';
import { withUuidOrder } from '#model/dataset/with-uuid-order.ts';
import { DynoError } from '#model/error.ts';
import { fillingOperations, readOnlyOperations, type TableOperation } from '#model/settings/vocabulary.ts';
import { planOf } from '#planning/variant-of.ts';
import type { Plan, PlannedTarget, Variant } from '#protocol/plan.ts';
import { hasRest, tableStages } from '../trial/table-build.ts';
import { trialSeed } from '../trial/trial-seed.ts';
import { type ColumnMaker, columnMakers } from './column-makers.ts';
import { notInScripts } from './not-in-scripts.ts';

/** The name of the table of scripts. A script stops if a table of this name exists. */
const tableName = 'dyno_reproducer';

/** One cell of a plan, as a script repeats it. */
export interface ReproducedCell {
  readonly plan: Plan;
  readonly target: PlannedTarget;
  readonly variant: Variant;
  readonly work: ReproducedWork;
  readonly dataset: Dataset;
  readonly columns: readonly (Column & { readonly maker: ColumnMaker; readonly nulls: number })[];
  /** The columns whose values a call sends, as indexes. */
  readonly sent: readonly number[];
  /** The first measured row, and the number of the trial whose keys the script has. */
  readonly loadedRows: number;
  readonly trialSeed: number;
}

/** The target and the variant that words name; the first ones of the plan without them. */
export function cellOf(
  plan: Plan,
  words: { readonly target?: string | undefined; readonly variant?: string | undefined },
) {
  const target = choose(plan.targets, words.target, (one) => [one.name], 'target');
  const isRun = ({ id }: Variant) => plan.trials.some((trial) => trial.variant === id && trial.target === target.name);
  const variant =
    words.variant === undefined
      ? (plan.variants.find(isRun) ?? plan.variants[0]!)
      : choose(plan.variants, words.variant, ({ id, label }) => [label, id], 'variant');
  return { target, variant };
}

function choose<T>(
  all: readonly T[],
  word: string | undefined,
  namesOf: (one: T) => readonly string[],
  what: string,
): T {
  const found = word === undefined ? all[0] : all.find((one) => namesOf(one).includes(word));
  if (found !== undefined) return found;
  throw new DynoError('badInput', `The experiment has no ${what} “${word}”.`, {
    hint: `It has: ${all.map((one) => namesOf(one)[0]).join(', ')}.`,
  });
}

/** A cell as scripts repeat it, or the reason why they cannot. Pure. */
export function reproducedCell(
  whole: Plan,
  { target, variant }: { readonly target: PlannedTarget; readonly variant: Variant },
  engine: EngineDescriptor,
  reproducer: Reproducer,
): ReproducedCell | Cannot {
  const skipped = whole.skipped.find((cell) => cell.target === target.name && cell.variant === variant.id);
  if (skipped) return { cannot: skipped.reason };
  const plan = planOf(whole, variant);
  const { settings } = variant;
  const reason = notInScripts(plan, engine, settings, reproducer.options);
  if (reason !== null) return { cannot: reason };
  const { order } = engine.uuids;
  const dataset = variedDataset(withUuidOrder(plan.experiment, order).dataset, settings, order);
  const makers = columnMakers(dataset);
  if ('cannot' in makers) return makers;
  const stages = tableStages(dataset, settings, tableName, optionsFor(engine, settings), engine.id);
  if (hasRest(stages)) return { cannot: 'Scripts create the key and all indexes before the first row, not after it.' };
  const table = stages.complete;
  const operation = settings.operation as TableOperation; // notInScripts() has refused all others.
  const specs = Object.values(dataset.columns);
  const trial = whole.trials.find((one) => one.target === target.name && one.variant === variant.id);
  const spec = plan.experiment.targets.find((one) => typeof one === 'object' && one.name === target.name);
  return {
    plan,
    target,
    variant,
    dataset,
    work: {
      ...{ table, operation, settings },
      method: settings.method,
      target: typeof spec === 'object' ? spec : {},
    },
    columns: table.columns.map((column, c) => ({ ...column, maker: makers[c]!, nulls: specs[c]!.nulls })),
    sent: sentColumns(operation, table.columns.length, table.key, changedColumn(table)),
    loadedRows: fillingOperations.includes(operation) ? 0 : dataset.rows,
    trialSeed: trialSeed(plan.measure, trial ?? { number: 1 }),
  };
}

function sentColumns(operation: TableOperation, columns: number, key: number | null, changed: number | null) {
  if (operation === 'insert') return Array.from({ length: columns }, (_, c) => c);
  if (operation === 'scan' || key === null) return [];
  return operation === 'update' && changed !== null ? [key, changed] : [key];
}

/** True if the calls of a cell only read. */
export const reads = ({ work }: ReproducedCell): boolean => readOnlyOperations.includes(work.operation);
