import { type Baseline, baselineCell } from '#planning/rates/baseline.ts';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { compareMeans, isDifference } from '#stats/intervals/compare-means.ts';
import { confidence, holm, ratioChance } from '#stats/intervals/intervals.ts';
import type { CellSummary, Interval, RunModel } from '../run-model/run-model.ts';
import { isComparable } from './comparable.ts';
import { isJudged, ratios } from './compare.ts';

/** A cell with a throughput. */
export type MeasuredCell = CellSummary & { readonly rowsPerSecond: Interval };

/** The fastest cell of a run. */
export interface Lead {
  readonly fastest: MeasuredCell;
  /**
   * certain: every other cell is significantly slower. clientBound: likewise, but the client limits some of the other
   * cells. setByLoad: likewise, except for cells that completed all of the offered load. alone: there is no other cell.
   */
  readonly certainty: 'certain' | 'clientBound' | 'setByLoad' | 'uncertain' | 'alone';
  /** Cells that may be as fast, judged by their repeats; empty if the lead is certain. */
  readonly rivals: readonly MeasuredCell[];
  /** Slower cells whose servers may be faster than measured, because their client was saturated. */
  readonly heldBack: readonly MeasuredCell[];
  /** Other cells that completed all of the offered load: their capacity is unknown. */
  readonly byLoad: readonly MeasuredCell[];
}

/** The claims that a run's headlines may make: at most one run of twenty has a wrong claim among them. */
export interface HeadlineClaims {
  /** Null without a measured cell. */
  readonly lead: Lead | null;
  /** Cells (keyOf) that differ from the baseline with certainty when all comparisons of the run are considered. */
  readonly certain: ReadonlySet<string>;
  /** The number of comparisons with the baseline among which headlines choose. */
  readonly comparisons: number;
}

/** Cells with a comparable throughput, the fastest first. */
export const rankedCells = (model: Pick<RunModel, 'cells' | 'targets'>): readonly MeasuredCell[] =>
  model.cells
    .filter((cell): cell is MeasuredCell => cell.rowsPerSecond !== null && isComparable(model, cell))
    .toSorted((a, b) => b.rowsPerSecond.value - a.rowsPerSecond.value);

/**
 * Headlines pick the fastest cell and the largest ratios. A claim is certain if it is significant by its own interval,
 * and still significant when the level is shared by all candidates: m ratios to the baseline (Holm 1979), and the lead.
 * The lead is wrong if a cell is found faster than the truly fastest cell, which is one side of k − 1 comparisons (J.
 * C. Hsu, "Constrained Simultaneous Confidence Intervals for Multiple Comparisons with the Best", 1984), so it counts
 * as half as many. Simulated rates of false claims: headline-claims.test.ts and docs/statistics.md.
 */
export function headlineClaims(
  model: Pick<RunModel, 'cells' | 'targets' | 'trials'>,
  baseline: Baseline,
): HeadlineClaims {
  const [fastest, ...others] = rankedCells(model);
  const rates = ratesByCell(model.trials);
  const ratesOf = (cell: Cell) => rates.get(keyOf(cell)) ?? [];
  const compared = ratios(model, baseline).filter(isJudged);
  const shares = compared.length + (others.length > 1 ? others.length / 2 : 0);
  const chanceOfEach = (1 - confidence) / Math.max(1, shares);
  const chances = compared.map((one) => {
    const chance = isDifference(one.verdict) ? ratioChance(ratesOf(one), ratesOf(baselineCell(one, baseline)!)) : null;
    return [keyOf(one), chance ?? 1] as const;
  });
  const certain = holm(new Map(chances), chanceOfEach * compared.length);
  if (fastest === undefined) return { lead: null, certain, comparisons: compared.length };
  const byLoad = others.filter(({ load }) => load?.setsThroughput);
  const rivals = others.filter((cell) => {
    if (byLoad.includes(cell)) return false;
    const sides = [ratesOf(fastest), ratesOf(cell)] as const;
    return compareMeans(...sides)?.verdict !== 'faster' || ratioChance(...sides)! > chanceOfEach;
  });
  const heldBack = others.filter(
    (cell) => cell.clientSaturated && ![...rivals, ...byLoad].some((other) => other === cell),
  );
  const settled = byLoad.length > 0 ? 'setByLoad' : heldBack.length > 0 ? 'clientBound' : 'certain';
  const certainty = others.length === 0 ? 'alone' : rivals.length === 0 ? settled : 'uncertain';
  return { lead: { fastest, rivals, heldBack, byLoad, certainty }, certain, comparisons: compared.length };
}
