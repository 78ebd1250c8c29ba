import type { Cell } from '#contract/plan.ts';
import { compareMeans, confidence, type Interval } from '#stats/intervals.ts';
import { type Baseline, baselineCell } from './baseline.ts';
import { keyOf } from './cell-key.ts';
import { throughputOf } from './cell-summary.ts';
import type { CellSummary, Ratio, RunModel } from './model.ts';

/**
 * Throughput of every cell against the baseline's, with verdicts from the repeats. Cells without a result, and those whose
 * baseline has none, are left out. Ratios are of geometric means (see stats/intervals.ts).
 */
export function ratios(
  model: Pick<RunModel, 'cells' | 'trials'>,
  baseline: Baseline,
  level = confidence,
): readonly Ratio[] {
  const rates = ratesByCell(model);
  return model.cells.flatMap((cell): Ratio[] => {
    const reference = baselineCell(cell, baseline);
    if (reference === null) return [];
    const own = rates.get(keyOf(cell)) ?? [];
    const { variant, target } = cell;
    if (keyOf(reference) === keyOf(cell)) {
      const ratio = { value: 1, low: null, high: null, n: own.length };
      return own.length === 0 ? [] : [{ variant, target, ratio, verdict: 'baseline' }];
    }
    const comparison = compareMeans(own, rates.get(keyOf(reference)) ?? [], level);
    return comparison === null ? [] : [{ variant, target, ...comparison }];
  });
}

/** One cell of two runs side by side. */
export interface RunComparison extends Cell {
  readonly before: Interval | null;
  readonly after: Interval | null;
  /** After ÷ before; null where one of them has no result. */
  readonly ratio: Interval | null;
  readonly verdict: Exclude<Ratio['verdict'], 'baseline'> | 'missing';
}

/** Cells of two runs matched by variant and target; those that only one run has are listed as missing. */
export function compareRuns(before: RunModel, after: RunModel): readonly RunComparison[] {
  const rates = { before: ratesByCell(before), after: ratesByCell(after) };
  const find = (cells: readonly CellSummary[], key: string) => cells.find((cell) => keyOf(cell) === key);
  const keys = new Set([...before.cells, ...after.cells].map(keyOf));
  return [...keys].map((key) => {
    const [old, now] = [find(before.cells, key), find(after.cells, key)];
    const { variant, target } = (now ?? old)!;
    const comparison = compareMeans(rates.after.get(key) ?? [], rates.before.get(key) ?? []);
    return {
      variant,
      target,
      before: old?.rowsPerSecond ?? null,
      after: now?.rowsPerSecond ?? null,
      ratio: comparison?.ratio ?? null,
      verdict: comparison?.verdict ?? 'missing',
    };
  });
}

/** Throughput of each repeat that went well. */
function ratesByCell({ trials }: Pick<RunModel, 'trials'>): ReadonlyMap<string, readonly number[]> {
  const rates = new Map<string, number[]>();
  for (const { trial, result } of trials) {
    if (result?.status !== 'ok' || result.elapsedMs <= 0) continue;
    const key = keyOf(trial);
    rates.set(key, [...(rates.get(key) ?? []), throughputOf(result)]);
  }
  return rates;
}
