import type { RunModel } from '#analysis/run-model/run-model.ts';
import { plansToCompare, type StatementPlans, statementPlans, type UsedPlan } from '#analysis/server/query-plans.ts';
import { variantText } from '#planning/variant-of.ts';
import { placeOf, planNames, planPairTable, planUseTable, stepTable } from '../tables/server/query-plan-table.ts';
import { rowsExaminedNote, rowsExaminedTable } from '../tables/server/rows-examined-table.ts';
import { shortenedRows } from '../text/shortened-rows.ts';
import { blocks, hasRows, inTab, table } from './entry-parts.ts';
import type { Block } from './panel.ts';

const note =
  'How each server executes each statement, asked outside the measured time. Rows are per execution: “3 × 20” means 20 executions, and “≥ 3” means that a step above stopped early, so that there may be more.';

/** The most pairs of plans in a report. In the window readers choose any two. */
const mostPairs = 5;

/** The panels about query plans and the rows that servers read. */
export const queryPlanPanels = inTab('plans', [
  {
    id: 'query-plans',
    title: 'Query plans',
    when: ({ trials }) => trials.some(({ queryPlans }) => queryPlans.length > 0),
    draw: ({ model }) => {
      const all = statementPlans(model);
      const shared = Map.groupBy(all, (one) => (one.plans.length > 0 ? one : JSON.stringify(one.missing)));
      return blocks(note, ...[...shared.values()].map((ones) => statementGroup(model, ones)));
    },
  },
  {
    id: 'rows-examined',
    title: 'Rows read by the servers',
    when: hasRows(rowsExaminedTable),
    draw: table(rowsExaminedTable, rowsExaminedNote),
  },
]);

const nameOf = ({ statement }: StatementPlans): string => statement ?? 'The operation';

/** A statement with its plans, or all statements that have no plan for the same reasons. */
function statementGroup(model: RunModel, statements: readonly StatementPlans[]): Block {
  const found = statements[0]!;
  const first = ({ uses }: UsedPlan) => Math.min(...uses.map((use) => placeOf(model, use)));
  const of = { ...found, plans: found.plans.toSorted((a, b) => first(a) - first(b)) };
  const { statement, plans, missing } = of;
  const names = planNames(plans);
  const isOne = plans.length === 1;
  return {
    kind: 'group',
    title: statements.map(nameOf).join(', '),
    blocks: [
      ...textBlocks(model, statement),
      ...(isOne && missing.length === 0
        ? []
        : [{ kind: 'table' as const, table: planUseTable(model, of), label: 'Plans of the cells' }]),
      ...pairBlock(model, of, names),
      ...plans.map((used) => ({
        kind: 'fold' as const,
        summary: `${names.get(used)}: ${usersOf(model, used)}`,
        blocks: [{ kind: 'table' as const, table: stepTable(used) }, ...printedBlocks(used)],
        isOpen: isOne,
        isOpenInReport: isOne,
      })),
    ],
  };
}

/** More texts of a statement than these are folded. */
const mostTexts = 4;

/** The texts of a statement, each with the engines and variants that it is for. An anonymous report has no texts. */
function textBlocks(model: RunModel, statement: string | null): readonly Block[] {
  const { plan, targets, trials } = model;
  const asked = trials
    .toSorted((a, b) => placeOf(model, a.trial) - placeOf(model, b.trial))
    .flatMap(({ trial, queryPlans }) =>
      queryPlans.flatMap((one) =>
        one.statement !== statement || one.plan === null || one.plan.text === ''
          ? []
          : [
              {
                engine: targets.find(({ name }) => name === trial.target)?.descriptor.label ?? trial.target,
                variant: variantText(plan, trial.variant),
                text: shortenedRows(one.plan.text),
              },
            ],
      ),
    );
  // Texts of one variant differ in the values of their calls alone.
  const own = [...Map.groupBy(asked, ({ engine, variant }) => JSON.stringify([engine, variant])).values()].map(
    ([first]) => first!,
  );
  const texts = Map.groupBy(own, ({ text }) => text);
  const enginesOf = (used: typeof own) => [...new Set(used.map(({ engine }) => engine))];
  const isSame = [...texts.values()].flatMap(enginesOf).length === enginesOf(own).length;
  const blocks = [...texts].map(([text, used]) => {
    const [first, ...others] = [...new Set(used.map(({ variant }) => variant))];
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const engines = enginesOf(used).join(', ');
    return { kind: 'code' as const, text, label: `${isSame ? 'Statement' : `${first}${more},`} for ${engines}` };
  });
  return blocks.length > mostTexts
    ? [
        {
          kind: 'fold',
          summary: `The ${blocks.length} texts of the statement`,
          blocks,
          isOpen: false,
          isOpenInReport: false,
        },
      ]
    : blocks;
}

const printedBlocks = ({ plan: { command, printed } }: UsedPlan): readonly Block[] =>
  printed === null
    ? []
    : [
        {
          kind: 'fold',
          summary: 'As the server prints it',
          blocks: [{ kind: 'code', text: printed, label: command }],
          isOpenInReport: false,
        },
      ];

/** Two cells of a statement side by side. Empty if all cells have the same plan. */
function pairBlock(model: RunModel, of: StatementPlans, planNameOf: ReadonlyMap<UsedPlan, string>): readonly Block[] {
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
    return `${variantText(model.plan, use.variant)} on ${use.target}${repeats}: ${planNameOf.get(used)}`;
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
