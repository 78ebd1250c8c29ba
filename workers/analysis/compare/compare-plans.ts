import { planShape, type QueryPlan } from '#engine-api/query-plan.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** The plan of a statement in a cell, from the last trial that has one. */
interface CellPlan extends Cell {
  /** Name of the experiment's statement; null: the operation. */
  readonly statement: string | null;
  readonly engine: string;
  readonly plan: QueryPlan;
}

/** The plans of a run, one for each statement of each cell. */
function cellPlans({ trials, targets }: Pick<RunModel, 'trials' | 'targets'>): readonly CellPlan[] {
  const engines = new Map(targets.map(({ name, engine }) => [name, engine]));
  const last = new Map<string, CellPlan>();
  for (const { trial, queryPlans } of trials)
    for (const { statement, plan } of queryPlans) {
      const { variant, target } = trial;
      if (plan !== null)
        last.set(`${keyOf(trial)}\n${statement}`, {
          variant,
          target,
          statement,
          engine: engines.get(target) ?? '',
          plan,
        });
    }
  return [...last.values()];
}

/** The plans of a statement in two cells: of two runs, or of two variants of a run. */
export interface PlanComparison {
  readonly before: CellPlan;
  readonly after: CellPlan;
  /**
   * True if their steps differ. Executed plans are not compared with estimated plans, because servers print the two
   * differently.
   */
  readonly hasChanged: boolean;
}

/** The statements with plans in both runs, statements with a changed plan first. */
export function comparePlans(before: RunModel, after: RunModel): readonly PlanComparison[] {
  return paired(cellPlans(before), cellPlans(after), (old, now) => old.variant === now.variant).toSorted(
    (a, b) => Number(b.hasChanged) - Number(a.hasChanged),
  );
}

/** The plans of all cells beside those of this variant on the same target, which itself is among them. */
export function plansBeside(model: Pick<RunModel, 'trials' | 'targets'>, variant: string): readonly PlanComparison[] {
  const all = cellPlans(model);
  return paired(
    all.filter((one) => one.variant === variant),
    all,
    () => true,
  );
}

/** The plans of a statement on two targets of a run. */
interface PlansAcross {
  readonly before: CellPlan;
  readonly after: CellPlan;
  /** Null: two engines, or an executed and an estimated plan, whose steps have other names. */
  readonly hasChanged: boolean | null;
}

/** The plans of all cells beside those of the same variant on this target. */
export function plansAcross(model: Pick<RunModel, 'trials' | 'targets'>, target: string): readonly PlansAcross[] {
  const all = cellPlans(model);
  return all.flatMap((after) => {
    const before = all.find(
      (one) => one.target === target && one.variant === after.variant && one.statement === after.statement,
    );
    if (before === undefined || after.target === target) return [];
    const isAlike = before.engine === after.engine && before.plan.executed === after.plan.executed;
    return [{ before, after, hasChanged: isAlike ? planShape(before.plan) !== planShape(after.plan) : null }];
  });
}

function paired(
  before: readonly CellPlan[],
  after: readonly CellPlan[],
  isPair: (old: CellPlan, now: CellPlan) => boolean,
): readonly PlanComparison[] {
  return after.flatMap((now): readonly PlanComparison[] => {
    const own = before.find((one) => isPair(one, now) && one.target === now.target && one.statement === now.statement);
    if (own === undefined || own.engine !== now.engine || own.plan.executed !== now.plan.executed) return [];
    return [{ before: own, after: now, hasChanged: planShape(own.plan) !== planShape(now.plan) }];
  });
}
