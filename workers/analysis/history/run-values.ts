import { namedJudged } from '#planning/judged/judged-times.ts';
import { formatFigure, type TimedWork, type TimeFigure, timesOf } from '#planning/judged/trial-times.ts';
import { answeringOtherwise } from '#planning/rates/answers-between.ts';
import { planOf, variantOf } from '#planning/variant-of.ts';
import { definitionOf } from '#planning/work-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { HistoryPoint, HistorySeries } from '#protocol/history.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { timesInterval } from '#stats/intervals/compare-times.ts';
import type { Interval } from '#stats/intervals/intervals.ts';
import { isComparable } from '../compare/comparable.ts';
import { resultsByCell } from '../compare/latency-ratios.ts';
import { type GoalOutcome, goalOutcomes } from '../goals/goal-outcomes.ts';
import type { CellSummary, RunModel } from '../run-model/run-model.ts';

/** A quantity of a cell in one run, as a history shows it. */
export interface RunValue
  extends Pick<HistorySeries, 'label' | 'target' | 'index' | 'work' | 'quantity' | 'unit' | 'limit'>,
    Omit<HistoryPoint, 'run'> {
  /** The work of the cell as text: values of cells with another text are of another work. */
  readonly definition: string;
}

/** The figures of times of which a history shows the first one that all of its runs have. */
export const usualFigures: readonly TimeFigure[] = [0.99, 0.95, 0.5, 'mean'];

/**
 * The quantities of a run that its history shows: for each comparable cell the throughput, the usual and the judged
 * figures of the times of its units of work and of each statement, and the goals.
 */
export function runValues(model: RunModel): readonly RunValue[] {
  const results = resultsByCell(model);
  const goals = Map.groupBy(goalOutcomes(model), keyOf);
  const otherwise = new Set(answeringOtherwise(model.cells).map(({ cell }) => keyOf(cell)));
  return model.cells
    .filter((cell) => isComparable(model, cell) && !otherwise.has(keyOf(cell)))
    .flatMap((cell) => valuesOf(model, cell, results.get(keyOf(cell)) ?? [], goals.get(keyOf(cell)) ?? []));
}

function valuesOf(
  model: RunModel,
  cell: CellSummary,
  results: readonly TrialResult[],
  goals: readonly GoalOutcome[],
): readonly RunValue[] {
  const { plan } = model;
  const variant = variantOf(plan, cell.variant);
  const target = plan.targets.find(({ name }) => name === cell.target);
  if (variant === undefined || target === undefined || results.length === 0) return [];
  const { experiment, measure } = planOf(plan, variant);
  const files = model.files.map(({ file, sha256 }) => [file, sha256]);
  const choice = { target: target.name, engine: target.engine };
  const definition = JSON.stringify([definitionOf(experiment, variant.settings, measure, choice), files]);
  const own = { label: variant.label, target: target.name, index: target.index, definition };
  const movesRows = results.some(({ totals }) => totals.rows > 0);
  const throughput = cell.rowsPerSecond;
  const times = timesAsked(model, cell, goals).flatMap(({ work, figure }): readonly RunValue[] => {
    const values = timesOf(results, work, figure);
    const limit = goals.find((goal) => goal.work === work && goal.of === figure)?.limit ?? null;
    const interval = values && timesInterval(values);
    return interval ? [{ ...own, work, quantity: formatFigure(figure), unit: 'ms', limit, ...pointOf(interval) }] : [];
  });
  const errors = goals.flatMap(({ of, work, limit, value }): readonly RunValue[] =>
    of === 'errors' && value !== null
      ? [{ ...own, work, quantity: 'errors', unit: 'share', limit, ...pointOf(value) }]
      : [],
  );
  return [
    ...(throughput === null || !(throughput.value > 0)
      ? []
      : [
          {
            ...own,
            ...{ work: null, quantity: 'throughput', limit: null },
            unit: movesRows ? ('rows/s' as const) : ('calls/s' as const),
            ...pointOf(throughput),
          },
        ]),
    ...times,
    ...errors,
  ];
}

const pointOf = ({ value, low, high, n }: Interval): Omit<HistoryPoint, 'run'> => ({ value, low, high, n });

/** The figures to keep for each work of a cell, each once. */
function timesAsked(
  { plan }: RunModel,
  cell: CellSummary,
  goals: readonly GoalOutcome[],
): readonly { readonly work: TimedWork; readonly figure: TimeFigure }[] {
  const works: readonly TimedWork[] = [null, ...(cell.statements ?? []).map(({ name }) => name)];
  const named = namedJudged(plan.experiment)?.times ?? [];
  return works.flatMap((work) => {
    const judged = named.filter((time) => time.work === work).map(({ figure }) => figure);
    const limited = goals.flatMap(({ work: of, of: figure }) => (of === work && figure !== 'errors' ? [figure] : []));
    return [...new Set([...usualFigures, ...judged, ...limited])].map((figure) => ({ work, figure }));
  });
}
