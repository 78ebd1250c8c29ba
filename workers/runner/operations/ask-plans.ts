import { mostPlanMs, type QueryPlan } from '#engine-api/query-plan.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { datasetName } from '#model/dataset/tables.ts';
import type { ErrorData } from '#model/error.ts';
import type { ClientJob } from '#protocol/messages.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';

/** The parts of a session that asking for plans needs. */
export interface Asking {
  readonly toError: (thrown: unknown) => ErrorData;
  /** Stops the running statement of the session. */
  readonly cancel: () => Promise<void>;
}

/** Engines that can limit the time of a statement have already done so. */
const cancelledAfterMs = mostPlanMs * 1.5;

/**
 * Asks for one query plan and cancels the request if it takes too long. An error becomes the reason why there is no
 * plan; a plan never fails a trial.
 */
export async function askPlan(
  statement: string | null,
  ask: (() => Promise<QueryPlan>) | undefined,
  why: string,
  { toError, cancel }: Asking,
): Promise<AskedPlan> {
  if (!ask) return { statement, plan: null, reason: why };
  // If the cancel request fails, the statement ends by itself.
  const tooLong = setTimeout(() => void cancel().catch(() => {}), cancelledAfterMs);
  try {
    return { statement, plan: await ask(), reason: null };
  } catch (thrown) {
    return { statement, plan: null, reason: toError(thrown).message };
  } finally {
    clearTimeout(tooLong);
  }
}

/**
 * Replaces the table names of this trial by the names in the experiment, so that plans of two trials can be compared.
 * This also applies to index names that contain a table's name.
 */
export function withLogicalNames(
  asked: readonly AskedPlan[],
  { table, dataset, tables = {} }: Pick<ClientJob, 'table' | 'dataset' | 'tables'>,
): readonly AskedPlan[] {
  const all: readonly (readonly [string, TablePlan])[] = [
    [datasetName(dataset), table],
    ...Object.entries(tables).map(([name, loaded]) => [name, loaded.table] as const),
  ];
  const names = new Map(all.flatMap(([name, { name: stored }]) => (stored === '' ? [] : [[stored, name]])));
  // Longer names come first, because a name may be the beginning of another. Some servers write them in upper case.
  const known = [...names]
    .toSorted(([a], [b]) => b.length - a.length)
    .flatMap(([stored, name]) => [[stored, name] as const, [stored.toUpperCase(), name] as const]);
  const renamed = <T extends string | null>(text: T): T =>
    text === null
      ? text
      : (known.reduce((written, [stored, name]) => written.replaceAll(stored, name), `${text}`) as T);
  return asked.map((one) => ({
    ...one,
    reason: renamed(one.reason),
    plan: one.plan && {
      ...one.plan,
      text: renamed(one.plan.text),
      printed: renamed(one.plan.printed),
      steps: one.plan.steps.map((step) => ({
        ...step,
        operator: renamed(step.operator),
        table: renamed(step.table),
        index: renamed(step.index),
        filter: renamed(step.filter),
        details: step.details.map(renamed),
      })),
    },
  }));
}
