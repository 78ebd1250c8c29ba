import type { PlanComparison } from '#analysis/compare/compare-plans.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { variantText } from '#planning/variant-of.ts';
import { planName, planPairTable } from '../tables/server/query-plan-table.ts';
import type { Block } from './panel.ts';

const titleOf = ({ plan }: RunModel, { statement, variant, target }: PlanComparison['after']): string =>
  `${statement ?? 'The operation'}, ${variantText(plan, variant)} on ${target}`;

/** The plans of two runs side by side. The reader chooses one cell of each run. Empty if neither run has plans. */
export function comparedPlansBlocks(
  before: RunModel,
  after: RunModel,
  compared: readonly PlanComparison[],
  /** The names of both runs. */
  sides: readonly [string, string],
): readonly Block[] {
  if (compared.length === 0) return [];
  const names = (model: RunModel, side: 'before' | 'after') =>
    compared.map((one) => `${titleOf(model, one[side])}${one.hasChanged ? ' – changed' : ''}`);
  return [
    {
      kind: 'pair',
      label: 'Plans of two runs side by side',
      sides,
      left: names(before, 'before'),
      right: names(after, 'after'),
      inReport: compared.flatMap(({ hasChanged }, i) => (hasChanged || i === 0 ? [[i, i] as const] : [])),
      draw: (left, right) => [
        { kind: 'table', table: planPairTable(compared[left]!.before, compared[right]!.after, sides) },
      ],
    },
  ];
}

/** "Of 4 statements in their cells, 1 has a different plan." */
export function comparedPlansText(compared: readonly PlanComparison[]): string {
  const changed = compared.filter(({ hasChanged }) => hasChanged).length;
  if (compared.length === 0) return '';
  const of =
    compared.length === 1
      ? 'The statement of which both runs have plans'
      : `Of ${compared.length} statements in their cells`;
  if (compared.length === 1) return `${of} has ${changed === 1 ? 'a different plan' : 'the same plan'}.`;
  return `${of}, ${changed === 0 ? 'none has a different plan' : changed === 1 ? '1 has a different plan' : `${changed} have different plans`}.`;
}

/** One line for each statement whose plan has changed, with both plans. */
export const changedPlanLines = (after: RunModel, compared: readonly PlanComparison[]): readonly string[] =>
  compared
    .filter(({ hasChanged }) => hasChanged)
    .map(
      (one) => `${titleOf(after, one.after)}: ${planName(one.before.plan.steps)} → ${planName(one.after.plan.steps)}`,
    );
