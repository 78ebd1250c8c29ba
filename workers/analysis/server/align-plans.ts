import type { PlanStep, QueryPlan } from '#engine-api/query-plan.ts';
import { isFarOff } from './misestimates.ts';

/** A plan with the engine that printed it. */
export interface EnginePlan {
  readonly engine: string;
  readonly plan: QueryPlan;
}

/**
 * The kind of a difference between two steps in the same place of two plans. estimates, rows, rowsRead: they differ by
 * a factor of 10. nesting: they are below different steps.
 */
export type StepDifference =
  | 'operator'
  | 'object'
  | 'filter'
  | 'estimates'
  | 'rows'
  | 'rowsRead'
  | 'executions'
  | 'memory'
  | 'nesting';

/** Two steps in the same place of two plans; null: the other plan has no step there. */
export interface StepPair {
  readonly left: PlanStep | null;
  readonly right: PlanStep | null;
  readonly differences: readonly StepDifference[];
}

/**
 * Aligns the steps of two plans: the pairing in order with the most similar pairs. Similar steps do the same with the
 * same table; on one engine also by the same operator and index. Pairs at the same depth are preferred, so that a step
 * is not paired with a step of another branch if its counterpart exists.
 */
export function alignPlans(a: EnginePlan, b: EnginePlan): readonly StepPair[] {
  const [left, right] = [a.plan.steps, b.plan.steps];
  const isOneEngine = a.engine === b.engine;
  const score = (i: number, j: number): number => likeness(left[i]!, right[j]!, isOneEngine);
  // best[i][j]: the score of the best pairing of left from i on and right from j on.
  const best = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      best[i]![j] = Math.max(
        best[i + 1]![j]!,
        best[i]![j + 1]!,
        score(i, j) > 0 ? best[i + 1]![j + 1]! + score(i, j) : 0,
      );
  const pairs: (readonly [PlanStep | null, PlanStep | null])[] = [];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const isPair =
      i < left.length && j < right.length && score(i, j) > 0 && best[i]![j] === best[i + 1]![j + 1]! + score(i, j);
    if (isPair) pairs.push([left[i++]!, right[j++]!]);
    else if (i < left.length && (j === right.length || best[i]![j] === best[i + 1]![j])) pairs.push([left[i++]!, null]);
    else pairs.push([null, right[j++]!]);
  }
  return withDifferences(pairs, isOneEngine);
}

/** 0: the steps are never paired. One similar pair outweighs any two roughly similar pairs. */
function likeness(a: PlanStep, b: PlanStep, isOneEngine: boolean): number {
  const isSameTable = a.table === b.table;
  const isSame =
    a.kind === b.kind &&
    isSameTable &&
    (isOneEngine ? a.operator === b.operator && a.index === b.index : a.kind !== 'other' || a.operator === b.operator);
  const alike = isSame ? 8 : a.table !== null && isSameTable ? 4 : a.kind === b.kind && a.kind !== 'other' ? 2 : 0;
  return alike === 0 ? 0 : alike + (a.depth === b.depth ? 1 : 0);
}

function withDifferences(
  pairs: readonly (readonly [PlanStep | null, PlanStep | null])[],
  isOneEngine: boolean,
): readonly StepPair[] {
  // The pairs above the current step of each side, by depth; null: an unpaired step.
  const above: [(number | null)[], (number | null)[]] = [[], []];
  const nearest = (side: 0 | 1, depth: number): number | null => {
    const own = above[side];
    own.length = Math.min(own.length, depth);
    return own.findLast((pair) => pair !== null && pair !== undefined) ?? null;
  };
  return pairs.map(([left, right], i) => {
    const parents = [left, right].map((step, side) => (step ? nearest(side as 0 | 1, step.depth) : null));
    const isPair = left !== null && right !== null;
    for (const [side, step] of [left, right].entries()) if (step) above[side as 0 | 1][step.depth] = isPair ? i : null;
    if (!isPair) return { left, right, differences: [] };
    const differences = differencesOf(left, right, isOneEngine);
    return { left, right, differences: parents[0] === parents[1] ? differences : [...differences, 'nesting'] };
  });
}

/** True if both plans have a number of rows, and the numbers are far from each other. */
const areFarApart = (a: number | null, b: number | null): boolean => a !== null && b !== null && isFarOff(a, b);

/** A condition without parts that may differ from call to call. */
const withoutConstants = (filter: string | null): string | null =>
  filter?.replaceAll(/'(?:[^']|'')*'|(?<![\w$@:])-?\d+(?:\.\d+)?|[$@:]\w+|\?/g, '?') ?? null;

function differencesOf(a: PlanStep, b: PlanStep, isOneEngine: boolean): readonly StepDifference[] {
  const differs: Readonly<Record<Exclude<StepDifference, 'nesting'>, boolean>> = {
    operator: isOneEngine ? a.operator !== b.operator : a.kind !== b.kind,
    object: a.table !== b.table || (isOneEngine && a.index !== b.index),
    // An index seek contains its condition.
    filter: isOneEngine && a.kind === b.kind && withoutConstants(a.filter) !== withoutConstants(b.filter),
    estimates: areFarApart(a.estimatedRows, b.estimatedRows),
    rows: areFarApart(a.actualRows, b.actualRows),
    rowsRead: areFarApart(a.examinedRows, b.examinedRows),
    executions: areFarApart(a.loops, b.loops) || (a.loops === 0) !== (b.loops === 0),
    memory: a.spilled !== null && b.spilled !== null && a.spilled !== b.spilled,
  };
  return (Object.keys(differs) as (keyof typeof differs)[]).filter((name) => differs[name]);
}
