import type { PlanStep } from '#engine-api/query-plan.ts';

/** Below this factor, a wrong join order costs little (Leis et al., How Good Are Query Optimizers, Really?, 2015). */
export const leastFactor = 10;
/** With fewer rows, all plans are about as fast. */
const leastRows = 100;

/** True if two numbers of rows differ by more than constants and chance explain. */
export const isFarOff = (a: number, b: number): boolean =>
  Math.max(a, b) >= leastRows && Math.max(a, b) >= leastFactor * Math.max(1, Math.min(a, b));

/** A step whose number of rows differs from the optimizer's estimate by a factor of ten or more. */
export interface Misestimate {
  readonly estimated: number;
  readonly actual: number;
  /** The larger number over the smaller one. */
  readonly factor: number;
}

/** True if a step has a count of its rows beside the optimizer's estimate. */
export const isCounted = ({ estimatedRows, actualRows, loops }: PlanStep): boolean =>
  estimatedRows !== null && actualRows !== null && loops !== null && loops > 0;

/** True if the optimizer estimates no share of a condition that leaves few of the rows that are read. */
export const isUnestimated = ({ estimatedRows, actualRows, examinedRows, loops, filter }: PlanStep): boolean =>
  estimatedRows === null &&
  filter !== null &&
  actualRows !== null &&
  examinedRows !== null &&
  // A look-up by a key reads one row in each of its many executions.
  isFarOff(examinedRows * Math.max(1, loops ?? 1), actualRows * Math.max(1, loops ?? 1));

/** The misestimate of a step. Null: the estimate is right, or there is no count to compare it with. */
export function misestimateOf(step: PlanStep): Misestimate | null {
  if (!isCounted(step)) return null;
  const [estimated, actual] = [step.estimatedRows!, step.actualRows!];
  // A step that was stopped early may have more rows than were counted, so a low count is no evidence.
  const isComparable = step.extent === 'toEnd' || (step.extent === 'mayStop' && actual > estimated);
  if (!isComparable || !isFarOff(estimated, actual)) return null;
  return { estimated, actual, factor: Math.max(estimated, actual) / Math.max(1, Math.min(estimated, actual)) };
}
