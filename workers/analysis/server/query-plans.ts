import { planId, planShape, type QueryPlan } from '#engine-api/query-plan.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import type { RunModel, TrialView } from '../run-model/run-model.ts';

/** A plan that a statement had in some trials of a run. */
export interface UsedPlan {
  /** Name of its shape (engine-api/query-plan.ts planId). */
  readonly id: string;
  readonly engine: string;
  /** The plan of the first of these trials; the other plans differ only in constants, rows and costs. */
  readonly plan: QueryPlan;
  /** The cells and repeats with this plan. */
  readonly uses: readonly (Cell & { readonly repeats: readonly number[] })[];
}

/** The plans of one statement over the whole run. */
export interface StatementPlans {
  /** Name of the experiment's statement; null: the operation of the variants. */
  readonly statement: string | null;
  /** The distinct plans, with executed plans and plans of other engines apart. */
  readonly plans: readonly UsedPlan[];
  /** Cells without a plan, with the reason of the first trial that has one. */
  readonly missing: readonly (Cell & { readonly reason: string })[];
}

/** Every statement of a run with its plans, in the order of the trials. */
export function statementPlans({ trials, targets }: Pick<RunModel, 'trials' | 'targets'>): readonly StatementPlans[] {
  const engines = new Map(targets.map(({ name, engine }) => [name, engine]));
  const asked = trials.flatMap((view) => view.queryPlans.map((one) => ({ ...one, view })));
  return [...Map.groupBy(asked, ({ statement }) => statement)].map(([statement, all]) => {
    const planned = all.flatMap(({ plan, view }) => (plan === null ? [] : [{ plan, view }]));
    const shapes = Map.groupBy(planned, ({ plan, view }) =>
      [engines.get(view.trial.target), plan.executed, planShape(plan)].join('\n'),
    );
    const cellsWithPlan = new Set(planned.map(({ view }) => keyOf(view.trial)));
    const without = all.flatMap(({ reason, view: { trial } }) =>
      reason === null || cellsWithPlan.has(keyOf(trial)) ? [] : [{ ...cellOf(trial), reason }],
    );
    return {
      statement,
      plans: [...shapes.values()].map((alike) => ({
        id: planId(alike[0]!.plan),
        engine: engines.get(alike[0]!.view.trial.target) ?? '',
        plan: alike[0]!.plan,
        uses: usesOf(alike.map(({ view }) => view)),
      })),
      missing: [...Map.groupBy(without, keyOf).values()].map(([first]) => first!),
    };
  });
}

const usesOf = (views: readonly TrialView[]): UsedPlan['uses'] =>
  [...Map.groupBy(views, ({ trial }) => keyOf(trial)).values()].map((own) => ({
    ...cellOf(own[0]!.trial),
    repeats: own.map(({ trial }) => trial.repeat).toSorted((a, b) => a - b),
  }));

/**
 * The pairs of plans of a statement that are worth comparing: plans of one engine first, then plans of two engines in a
 * variant that has both.
 */
export function plansToCompare({ plans }: StatementPlans): readonly (readonly [UsedPlan, UsedPlan])[] {
  const byEngine = [...Map.groupBy(plans, ({ engine }) => engine).values()];
  const within = byEngine.flatMap(([first, ...others]) => others.map((other) => [first!, other] as const));
  const [own = [], ...foreign] = byEngine;
  const sharesVariant = (a: UsedPlan) => (b: UsedPlan) =>
    a.uses.some(({ variant }) => b.uses.some((use) => use.variant === variant));
  const across = foreign.flatMap((others) =>
    own
      .flatMap((one) => {
        const other = others.find(sharesVariant(one));
        return other ? [[one, other] as const] : [];
      })
      .slice(0, 1),
  );
  return [...within, ...across];
}
