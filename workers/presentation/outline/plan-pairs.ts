import type { EnginePlan } from '#analysis/server/align-plans.ts';
import { planPairTable } from '../tables/server/query-plan-table.ts';
import type { Block } from './panel.ts';

/** The most pairs of plans in a report. In the window readers choose any two. */
const mostPairs = 5;

/** A plan as a list names it. */
interface NamedPlan {
  readonly name: string;
  readonly plan: EnginePlan;
}

/**
 * Two lists of plans, of which one of each is shown beside the other. `notable`: the pairs that a report shows; without
 * any it shows the first plans.
 */
export function planPairs(
  summary: string,
  label: string,
  sides: readonly [left: string, right: string],
  plans: readonly [left: readonly NamedPlan[], right: readonly NamedPlan[]],
  notable: readonly (readonly [left: number, right: number])[],
): Extract<Block, { readonly kind: 'fold' }> {
  const [left, right] = plans;
  return {
    kind: 'fold',
    summary,
    isOpenInReport: true,
    blocks: [
      {
        kind: 'pair',
        label,
        sides,
        left: left.map(({ name }) => name),
        right: right.map(({ name }) => name),
        inReport: notable.length > 0 ? notable.slice(0, mostPairs) : [[0, 0]],
        draw: (l, r) => [{ kind: 'table', table: planPairTable(left[l]!.plan, right[r]!.plan, sides) }],
      },
    ],
  };
}
