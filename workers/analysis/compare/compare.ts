import { type Baseline, baselineCell } from '#planning/rates/baseline.ts';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { type Comparison, compareMeans } from '#stats/compare-means.ts';
import { confidence, type Interval } from '#stats/intervals.ts';
import { repeatsNeededForRatio } from '#stats/repeats-needed.ts';
import { variationOf } from '#stats/summary.ts';
import { describeDamage } from '../run-model/file-damage.ts';
import type { CellSummary, Ratio, RunModel } from '../run-model/run-model.ts';

/**
 * Half the width of an interval that most questions are answered by: "how many repeats would that take?" is asked of
 * it.
 */
export const usefulMargin = 0.05;

interface Verdict extends Comparison {
  /**
   * Repeats on each side that are expected to narrow the interval to ± usefulMargin; null where the scatter is not
   * known.
   */
  readonly repeatsNeeded: number | null;
}

/** Rates a against rates b. Null where there is nothing to divide. */
function judge(a: readonly number[], b: readonly number[], level = confidence): Verdict | null {
  const comparison = compareMeans(a, b, level);
  if (comparison === null) return null;
  const [cvA, cvB] = [variationOf(a), variationOf(b)];
  const needed = cvA === null || cvB === null ? null : repeatsNeededForRatio(cvA, cvB, usefulMargin);
  return { ...comparison, repeatsNeeded: needed };
}

/** Two sets of repeats to be compared. */
interface Compared extends Cell {
  readonly own: readonly number[];
  /** The baseline's; null for the baseline itself. */
  readonly reference: readonly number[] | null;
}

/** Every cell that has something to be compared with. */
function comparedCells({ cells, trials }: Pick<RunModel, 'cells' | 'trials'>, baseline: Baseline): readonly Compared[] {
  const rates = ratesByCell(trials);
  return cells.flatMap(({ variant, target }): Compared[] => {
    const other = baselineCell({ variant, target }, baseline);
    const own = rates.get(keyOf({ variant, target }));
    const reference = other && rates.get(keyOf(other));
    if (!own || !other || !reference) return [];
    return [{ variant, target, own, reference: keyOf(other) === keyOf({ variant, target }) ? null : reference }];
  });
}

/** The cells that ratios() compares with another one; cheap, for intervals that must hold for all of them together. */
export const comparisons = (model: Pick<RunModel, 'cells' | 'trials'>, baseline: Baseline): readonly Cell[] =>
  comparedCells(model, baseline).filter(({ reference }) => reference !== null);

/**
 * Throughput of every cell against the baseline's, with verdicts from the repeats. Cells without a result, and those
 * whose baseline has none, are left out. How: stats/compare-means.ts.
 */
export function ratios(
  model: Pick<RunModel, 'cells' | 'trials'>,
  baseline: Baseline,
  level = confidence,
): readonly Ratio[] {
  return comparedCells(model, baseline).flatMap(({ variant, target, own, reference }): Ratio[] => {
    if (reference === null) {
      const ratio = { value: 1, low: null, high: null, n: own.length };
      return [{ variant, target, ratio, verdict: 'baseline', method: null, repeatsNeeded: null }];
    }
    const verdict = judge(own, reference, level);
    return verdict === null ? [] : [{ variant, target, ...verdict }];
  });
}

/** One cell of two runs side by side. */
export interface RunComparison extends Cell {
  readonly before: Interval | null;
  readonly after: Interval | null;
  /** After ÷ before; null where one of them has no result. */
  readonly ratio: Interval | null;
  readonly verdict: Exclude<Ratio['verdict'], 'baseline'> | 'missing';
  readonly method: Ratio['method'];
  readonly repeatsNeeded: number | null;
}

/** Cells of two runs matched by variant and target; those that only one run has are listed as missing. */
export function compareRuns(before: RunModel, after: RunModel): readonly RunComparison[] {
  const rates = { before: ratesByCell(before.trials), after: ratesByCell(after.trials) };
  const find = (cells: readonly CellSummary[], key: string) => cells.find((cell) => keyOf(cell) === key);
  const keys = new Set([...before.cells, ...after.cells].map(keyOf));
  return [...keys].map((key) => {
    const [old, now] = [find(before.cells, key), find(after.cells, key)];
    const { variant, target } = (now ?? old)!;
    const comparison = judge(rates.after.get(key) ?? [], rates.before.get(key) ?? []);
    return {
      variant,
      target,
      before: old?.rowsPerSecond ?? null,
      after: now?.rowsPerSecond ?? null,
      ratio: comparison?.ratio ?? null,
      verdict: comparison?.verdict ?? 'missing',
      method: comparison?.method ?? null,
      repeatsNeeded: comparison?.repeatsNeeded ?? null,
    };
  });
}

/** What makes two runs a questionable pair, in sentences. */
export function comparisonRemarks(before: RunModel, after: RunModel): readonly string[] {
  const damaged = [
    ...describeDamage(before.damage).map((words) => `before: ${words}`),
    ...describeDamage(after.damage).map((words) => `after: ${words}`),
  ];
  if (before.runId === after.runId) return [...damaged, 'This is one run, compared with itself.'];
  const common = compareRuns(before, after).some((cell) => cell.before !== null && cell.after !== null);
  return [
    ...damaged,
    ...(Date.parse(before.startedAt) > Date.parse(after.startedAt)
      ? ['The run called before is the later one: exchange the two to see what has become faster.']
      : []),
    ...(common ? [] : ['No variant has a result on one target in both runs: there is nothing to compare.']),
  ];
}
