import { ratios } from '#analysis/compare/compare.ts';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import { cellName } from '#analysis/findings/shared/cell-name.ts';
import { type GoalOutcome, goalOutcomes } from '#analysis/goals/goal-outcomes.ts';
import { gradeOf } from '#analysis/grade/grade.ts';
import { gradeLabels, gradeReasons } from '#analysis/grade/grade-text.ts';
import type { CellSummary, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { rowProblemText } from '#analysis/text/row-text.ts';
import { comparisonText } from '#analysis/text/verdict-text.ts';
import { formatInterval, formatMs } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { sentence } from '#model/format/sentence.ts';
import { formatGoal } from '#planning/judged/named-goals.ts';
import { type Baseline, baselineOf } from '#planning/rates/baseline.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { baselineText } from '../text/baseline-text.ts';
import { caveatsBesideFindings, findingText } from '../text/finding-text.ts';
import { formatGoalValue, outcomeWords } from '../text/goal-text.ts';
import { cellPath } from './cell-path.ts';
import type { TestCase, TestSuite } from './test-suite.ts';

/** The test cases of a run by itself: a case for each cell, and one for each goal in each cell. */
export function runSuites(model: RunModel, baseline: Baseline = baselineOf(model)): readonly TestSuite[] {
  const goals = goalOutcomes(model);
  return [
    {
      name: 'trials',
      cases: [...cellCases(model, baseline), ...model.skipped.map((cell) => skippedCase(model, cell))],
      notes: [...gradeLines(model), ...remarksOn(model, null)],
    },
    ...(goals.length === 0 ? [] : [{ name: 'goals', cases: goals.map((goal) => goalCase(model, goal)), notes: [] }]),
  ];
}

/** The grade of the data with its reasons, as a line. Empty where there is no grade. */
export function gradeLines(model: RunModel): readonly string[] {
  const grade = gradeOf(model);
  return grade === null ? [] : [`Data: ${gradeLabels[grade.level].toLowerCase()}. ${gradeReasons(grade).join(' ')}`];
}

function cellCases(model: RunModel, baseline: Baseline): readonly TestCase[] {
  const views = Map.groupBy(model.trials, ({ trial }) => keyOf(trial));
  const compared = new Map(ratios(model, baseline).map((ratio) => [keyOf(ratio), ratio]));
  return model.cells.map((cell): TestCase => {
    const own = views.get(keyOf(cell)) ?? [];
    const ratio = compared.get(keyOf(cell));
    const { p50, p99, count } = cell.latencyMs;
    return {
      name: cellName(model.plan, cell),
      ...judged(model, cell, own),
      details: [
        ...(cell.rowsPerSecond === null
          ? []
          : [`${formatInterval(cell.rowsPerSecond)} ${rateUnit(model)}, ${many(cell.ok, 'repeat')}`]),
        ...(ratio === undefined || ratio.verdict === 'baseline'
          ? []
          : [`${comparisonText(ratio)}; compared with ${baselineText(model, baseline)}`]),
        ...(count === 0 ? [] : [`p50 ${formatMs(p50)}, p99 ${formatMs(p99)}`]),
        ...remarksOn(model, cell),
      ],
      seconds: secondsOf(own),
      path: cellPath(model.plan, cell),
    };
  });
}

const secondsOf = (views: readonly TrialView[]): number =>
  views.reduce((sum, { result }) => sum + (result?.elapsedMs ?? 0), 0) / 1_000;

/** The outcome of a cell's trials: a failed or missing trial is an error, and wrong rows are a failure. */
function judged(
  model: RunModel,
  cell: CellSummary,
  views: readonly TrialView[],
): Pick<TestCase, 'outcome' | 'message'> {
  const results = views.flatMap(({ result }) => result ?? []);
  const failed = results.filter(({ status }) => status === 'failed' || status === 'didNotFinish');
  if (failed.length > 0) {
    const why = failed.find(({ error }) => error !== null)?.error;
    const reason = why ? [why.message, ...(why.hint ? [`Try: ${why.hint}`] : [])].join(' ') : 'no reason is known.';
    return { outcome: 'error', message: `${failed.length} of ${many(views.length, 'trial')} failed: ${reason}` };
  }
  const cannot = results.find(({ status }) => status === 'cannot');
  if (cannot) return { outcome: 'skipped', message: cannot.error?.message ?? 'This server cannot do it.' };
  const missing = views.filter(({ result }) => result === null || result.status === 'cancelled');
  if (missing.length > 0) return { outcome: 'error', message: missingText(model, cell, views, missing) };
  const [problem] = cell.rowProblems;
  if (problem) return { outcome: 'failed', message: `Not comparable: ${rowProblemText(model, cell, problem)}` };
  return { outcome: 'passed', message: '' };
}

function missingText(
  { targets, status }: RunModel,
  cell: CellSummary,
  views: readonly TrialView[],
  missing: readonly TrialView[],
): string {
  const error = targets.find(({ name }) => name === cell.target)?.error;
  const damage = missing.find((one) => one.damage !== null)?.damage;
  const why = error?.message ?? damage ?? `the run is ${status}.`;
  return `${missing.length} of ${many(views.length, 'trial')} ${missing.length === 1 ? 'has' : 'have'} no result: ${why}`;
}

const skippedCase = ({ plan }: RunModel, { reason, ...cell }: RunModel['skipped'][number]): TestCase => ({
  name: cellName(plan, cell),
  outcome: 'skipped',
  message: reason,
  details: [],
  seconds: 0,
  path: cellPath(plan, cell),
});

const isOfCell = (one: Partial<Cell> | null, cell: Cell | null): boolean =>
  cell === null
    ? one?.variant === undefined || one.target === undefined
    : one?.variant === cell.variant && one.target === cell.target;

/** The caveats and the findings of a cell; with null, those of the whole run. */
function remarksOn(model: RunModel, cell: Cell | null): readonly string[] {
  const findings = findingsOf(model).shown.flatMap(({ rule, lead, also }) =>
    [lead, ...also].filter((one) => isOfCell(one.cell, cell)).map((one) => findingText(rule, one)),
  );
  const caveats = caveatsBesideFindings(model).filter((one) => isOfCell(one.cell, cell));
  return [...caveats.map(({ title, text }) => `${title}: ${text}`), ...findings];
}

const goalOutcomeOf = (outcome: GoalOutcome['outcome']): TestCase['outcome'] =>
  outcome === 'met' ? 'passed' : outcome === 'missed' ? 'failed' : 'skipped';

function goalCase(model: RunModel, goal: GoalOutcome): TestCase {
  const outcome = goalOutcomeOf(goal.outcome);
  return {
    name: `${formatGoal(goal)}: ${cellName(model.plan, goal)}`,
    outcome,
    message: `${sentence(outcomeWords[goal.outcome])}${goal.value === null ? '' : `: ${formatGoalValue(goal)}`}.`,
    details: [],
    seconds: 0,
    isOpen: outcome === 'skipped',
    path: ['goals'],
  };
}
