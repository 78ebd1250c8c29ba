import type { RunModel } from '#analysis/run-model/run-model.ts';
import { plansToCompare, type StatementPlans, statementPlans, type UsedPlan } from '#analysis/server/query-plans.ts';
import { variantText } from '#planning/variant-of.ts';
import { placeOf, planPairTable, planUseTable, stepTable } from '../tables/server/query-plan-table.ts';
import { rowsExaminedNote, rowsExaminedTable } from '../tables/server/rows-examined-table.ts';
import { blocks, hasRows, inTab, table } from './entry-parts.ts';
import type { Block } from './panel.ts';

const note =
  'The plan by which each server executes each statement. Dyno asks for plans outside the measured time, in a session that has run the statement: after the warm-up, or after the measured phase if there is no warm-up. If the server counts the rows of each step, Dyno executes reads once more for that; it does not repeat changes. Rows are per execution: “3 × 20” means 20 executions, and “≥ 3” means that a step above stopped early, so that there may be more. Plans with the same name differ only in constants, rows and costs.';

/** The most pairs of plans in a report. In the window readers choose any two. */
const mostPairs = 5;

/** The panels about query plans and the rows that servers read. */
export const queryPlanPanels = inTab('plans', [
  {
    id: 'query-plans',
    title: 'Query plans',
    when: ({ trials }) => trials.some(({ queryPlans }) => queryPlans.length > 0),
    draw: ({ model }) => blocks(note, ...statementPlans(model).map((one) => statementGroup(model, one))),
  },
  {
    id: 'rows-examined',
    title: 'Rows read by the servers',
    when: hasRows(rowsExaminedTable),
    draw: table(rowsExaminedTable, rowsExaminedNote),
  },
]);

function statementGroup(model: RunModel, found: StatementPlans): Block {
  const first = ({ uses }: UsedPlan) => Math.min(...uses.map((use) => placeOf(model, use)));
  const of = { ...found, plans: found.plans.toSorted((a, b) => first(a) - first(b)) };
  const { statement, plans } = of;
  return {
    kind: 'group',
    title: statement ?? 'The operation',
    blocks: [
      { kind: 'table', table: planUseTable(model, of), label: 'Plans of the cells' },
      ...pairBlock(model, of),
      ...plans.map((used) => ({
        kind: 'fold' as const,
        summary: `Plan ${used.id}: ${used.plan.command}${used.plan.command === '' ? '' : ', '}${usersOf(model, used)}`,
        blocks: [{ kind: 'table' as const, table: stepTable(used) }],
        isOpenInReport: plans.length === 1,
      })),
    ],
  };
}

/** Two cells of a statement side by side. Empty if all cells have the same plan. */
function pairBlock(model: RunModel, of: StatementPlans): readonly Block[] {
  const pairs = plansToCompare(of).slice(0, mostPairs);
  if (pairs.length === 0) return [];
  const sides = of.plans
    .flatMap((used) => used.uses.map((use) => ({ used, use })))
    .toSorted((a, b) => placeOf(model, a.use) - placeOf(model, b.use));
  const isUnique = ({ use }: (typeof sides)[number]) =>
    sides.filter((one) => one.use.variant === use.variant && one.use.target === use.target).length === 1;
  const names = sides.map((side) => {
    const { used, use } = side;
    const repeats = isUnique(side) ? '' : `, repeat ${use.repeats.join(', ')}`;
    return `${variantText(model.plan, use.variant)} on ${use.target}${repeats} (plan ${used.id})`;
  });
  const indexOf = (used: UsedPlan) => sides.findIndex((side) => side.used === used);
  return [
    {
      kind: 'pair',
      label: `Plans of ${of.statement ?? 'the operation'} side by side`,
      sides: ['Left', 'Right'],
      left: names,
      right: names,
      inReport: pairs.map(([left, right]) => [indexOf(left), indexOf(right)] as const),
      draw: (left, right) => [{ kind: 'table', table: planPairTable(sides[left]!.used, sides[right]!.used) }],
    },
  ];
}

/** The cells of a plan, by name if they are few, otherwise as a count. */
function usersOf({ plan }: RunModel, { uses }: UsedPlan): string {
  const [first] = uses;
  if (first === undefined) return '';
  const more = uses.length > 1 ? ` and ${uses.length - 1} more` : '';
  return `${variantText(plan, first.variant)} on ${first.target}${more}`;
}
