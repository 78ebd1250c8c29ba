import type { RunModel } from '#analysis/run-model/run-model.ts';
import { alignPlans, type EnginePlan, type StepDifference, type StepPair } from '#analysis/server/align-plans.ts';
import { misestimateOf } from '#analysis/server/misestimates.ts';
import type { StatementPlans, UsedPlan } from '#analysis/server/query-plans.ts';
import type { PlanStep, PlanStepKind, QueryPlan } from '#engine-api/query-plan.ts';
import { formatCount } from '#model/format/format.ts';
import {
  asides,
  cellColumns,
  cellTexts,
  heads,
  numbers,
  type PanelCell,
  type PanelColumn,
  type PanelTable,
  remarks,
  words,
} from '../shared/panel-table.ts';

/** The label for each kind of step. */
export const stepKindLabels: Readonly<Record<PlanStepKind, string>> = {
  fullScan: 'full scan',
  indexSeek: 'index seek',
  indexScan: 'index scan',
  sort: 'sort',
  hash: 'hash',
  join: 'join',
  aggregate: 'aggregate',
  change: 'change',
  other: 'other',
};

const objectOf = ({ table, index }: PlanStep): string =>
  [table === null ? '' : ` on ${table}`, index === null ? '' : ` by ${index}`].join('');

/** "orders_created", or "orders PRIMARY" if the index's name does not contain the table's. */
const readOf = ({ table, index }: PlanStep): string =>
  index === null ? (table ?? '') : table === null || index.includes(table) ? index : `${table} ${index}`;

/** Names a plan by the work it does, without minor steps: "full scan orders, sort", "index seek orders_created". */
export const planName = (steps: readonly PlanStep[]): string => {
  const told = steps.filter(({ kind }) => kind !== 'other' && kind !== 'change');
  const names = told.map((step) => {
    const name = `${stepKindLabels[step.kind]} ${readOf(step)}`.trim();
    return step.spilled ? `${name} (spilled)` : name;
  });
  return names.length > 0 ? [...new Set(names)].join(', ') : (steps[0]?.operator ?? '');
};

/** The names of a statement's plans. Plans of one engine that do the same in another order are numbered. */
export function planNames(plans: readonly UsedPlan[]): ReadonlyMap<UsedPlan, string> {
  const seen = new Map<string, number>();
  return new Map(
    plans.map((used) => {
      const name = planName(used.plan.steps);
      const place = `${used.engine} ${used.plan.executed} ${name}`;
      const count = (seen.get(place) ?? 0) + 1;
      seen.set(place, count);
      return [used, count === 1 ? name : `${name} (${count})`];
    }),
  );
}

/** Formats consecutive whole numbers as ranges: "1–3, 7". */
function rangesText(ascending: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const one of ascending) {
    const last = ranges.at(-1);
    if (last?.[1] === one - 1) last[1] = one;
    else ranges.push([one, one]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

/** Each cell with its plan, or the reason why it has none. */
export const planUseTable = (model: RunModel, { plans, missing }: StatementPlans): PanelTable => ({
  columns: [...cellColumns, ...words('Repeats'), ...remarks('Plan')],
  rows: [
    ...[...planNames(plans)].flatMap(([{ uses }, name]) =>
      uses.map((use) => ({ use, cells: [rangesText(use.repeats), name] })),
    ),
    ...missing.map((use) => ({ use, cells: ['–', use.reason] })),
  ]
    .toSorted((a, b) => placeOf(model, a.use) - placeOf(model, b.use))
    .map(({ use, cells }) => ({ cells: [...cellTexts(model, use), ...cells] })),
});

/** The position of a cell in the run. */
export const placeOf = ({ cells }: RunModel, use: { readonly variant: string; readonly target: string }): number =>
  cells.findIndex(({ variant, target }) => variant === use.variant && target === use.target);

/** Consecutive em spaces keep their width in HTML. */
const indent = '\u2003';
const stepText = (step: PlanStep): string => `${indent.repeat(step.depth)}${step.operator}${objectOf(step)}`;
const countText = (rows: number | null): string => (rows === null ? '–' : formatCount(Math.round(rows)));
/** "100× too low": the optimizer expected a hundredth of the rows. Empty for an estimate that is right. */
function misestimateText(step: PlanStep): string {
  const found = misestimateOf(step);
  if (found === null) return '';
  const { estimated, actual, factor } = found;
  return `${formatCount(Math.round(factor))}× too ${estimated < actual ? 'low' : 'high'}`;
}
const hasEstimates = ({ steps }: Pick<QueryPlan, 'steps'>): boolean =>
  steps.some(({ estimatedRows }) => estimatedRows !== null);

/** The rows of one execution. "≥ 3" means that a step above may have stopped it, "3 × 20" means 20 executions. */
function rowsText({ actualRows, loops, sharedBy, extent }: PlanStep): string {
  if (loops === 0) return 'never executed';
  if (actualRows === null) return '–';
  const times = loops === null ? 1 : loops / sharedBy;
  const rows = formatCount(Math.round(actualRows * sharedBy));
  return `${extent === 'mayStop' ? '≥ ' : ''}${rows}${times > 1 ? ` × ${formatCount(Math.round(times))}` : ''}`;
}

/** The rows that a step returned, of those that it read: "1 of 30,000". */
function rowsOfReadText(step: PlanStep): string {
  const { actualRows, examinedRows, sharedBy, loops } = step;
  if (loops === 0 || actualRows === null || examinedRows === null || examinedRows < actualRows + 0.5)
    return rowsText(step);
  return `${formatCount(Math.round(actualRows * sharedBy))} of ${rowsText({ ...step, actualRows: examinedRows })}`;
}

/** The steps of one plan with all details of the server. */
export const stepTable = ({ plan }: Pick<UsedPlan, 'plan'>): PanelTable => {
  const { steps } = plan;
  const wereExecuted = steps.some(({ loops }) => loops !== null);
  const haveEstimates = hasEstimates(plan);
  const areOff = steps.some((step) => misestimateOf(step) !== null);
  return {
    columns: [
      ...heads('Step'),
      ...words('Kind'),
      ...numbers(...(haveEstimates ? ['rows estimated', 'cost'] : [])),
      ...numbers(...(wereExecuted ? ['rows', 'rows read'] : [])),
      ...words(...(areOff ? ['Estimate'] : [])),
      ...asides('Server’s output'),
    ],
    rows: steps.map((step) => ({
      cells: [
        stepText(step),
        `${stepKindLabels[step.kind]}${step.spilled ? ', spilled' : ''}`,
        ...(haveEstimates ? [countText(step.estimatedRows), countText(step.cost)] : []),
        ...(wereExecuted
          ? [rowsText(step), countText(step.examinedRows === null ? null : step.examinedRows * step.sharedBy)]
          : []),
        ...(areOff ? [{ text: misestimateText(step), tone: 'differs' as const }] : []),
        { text: [...new Set([...(step.filter === null ? [] : [`Filter: ${step.filter}`]), ...step.details])] },
      ],
    })),
  };
};

/** The label for each kind of difference between two steps. */
const differenceLabels: Readonly<Record<StepDifference, string>> = {
  operator: 'operator',
  object: 'table or index',
  filter: 'condition',
  estimates: 'estimate (by 10 times or more)',
  rows: 'rows (by 10 times or more)',
  rowsRead: 'rows read (by 10 times or more)',
  executions: 'executions',
  memory: 'memory',
  nesting: 'what it stands below',
};

/** The names of two plans, capitalised. */
type Sides = readonly [left: string, right: string];

/** Two plans side by side. Steps that only one plan has are marked, and so are differences between steps. */
export const planPairTable = (left: EnginePlan, right: EnginePlan, sides: Sides = ['Left', 'Right']): PanelTable => {
  const haveEstimates = hasEstimates(left.plan) || hasEstimates(right.plan);
  const wereExecuted = left.plan.executed || right.plan.executed;
  const columns = (side: string): readonly PanelColumn[] => [
    ...heads(side),
    ...numbers(...(haveEstimates ? [`estimated, ${side.toLowerCase()}`] : [])),
    ...numbers(...(wereExecuted ? [`rows, ${side.toLowerCase()}`] : [])),
  ];
  const cells = (step: PlanStep | null, { left: a, right: b, differences }: StepPair): readonly PanelCell[] => {
    const empty = ['', ...(haveEstimates ? [''] : []), ...(wereExecuted ? [''] : [])];
    if (step === null) return empty;
    const isAlone = a === null || b === null;
    const marked = (text: string, ...by: readonly StepDifference[]): PanelCell =>
      isAlone || by.some((one) => differences.includes(one)) ? { text, tone: 'differs' } : text;
    return [
      marked(stepText(step), 'operator', 'object', 'nesting', 'filter', 'memory'),
      ...(haveEstimates ? [marked(countText(step.estimatedRows), 'estimates')] : []),
      ...(wereExecuted ? [marked(rowsOfReadText(step), 'rows', 'rowsRead', 'executions')] : []),
    ];
  };
  const pairs = alignPlans(left, right);
  const differs = ({ left: a, right: b, differences }: StepPair): string =>
    a === null || b === null ? 'only on one side' : differences.map((one) => differenceLabels[one]).join(', ');
  // Plans that agree in every step need no column for differences.
  const haveDifferences = pairs.some((pair) => differs(pair) !== '');
  return {
    columns: [...columns(sides[0]), ...columns(sides[1]), ...(haveDifferences ? asides('Differs in') : [])],
    rows: pairs.map((pair) => ({
      cells: [...cells(pair.left, pair), ...cells(pair.right, pair), ...(haveDifferences ? [differs(pair)] : [])],
    })),
  };
};
