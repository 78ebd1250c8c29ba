import { type Baseline, baselineCell, compareOf } from '#planning/rates/baseline.ts';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { compareMeans, isDifference } from '#stats/intervals/compare-means.ts';
import { confidence, holm, ratioChance } from '#stats/intervals/intervals.ts';
import type { Ratio, RunModel } from '../run-model/run-model.ts';
import { type BestOfEach, bestOfEach, bestShares } from './best-of-each.ts';
import { isJudged, ratios } from './compare.ts';
import { pricesOf } from './costs.ts';
import { judgedOf } from './judged.ts';
import { isTimeJudged, type LatencyClaims, latencyClaims } from './latency-claims.ts';
import { latencyRatiosOf } from './latency-ratios.ts';
import { type MeasuredCell, rankedCells } from './ranked-cells.ts';

/** The fastest cell of a run. Where targets are compared, other cells are the best cells of the other targets. */
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
  /** The best cells of all targets, where targets are compared and one has a measured cell; null otherwise. */
  readonly best: BestOfEach | null;
  /** The same by throughput ÷ price, for the targets with a price; null without prices as well. */
  readonly cheapest: BestOfEach | null;
  /** Cells (keyOf) that differ from the baseline with certainty when all comparisons of the run are considered. */
  readonly certain: ReadonlySet<string>;
  /** The number of comparisons of throughput with the baseline among which headlines choose. */
  readonly comparisons: number;
  /** False where the load sets every throughput that is compared: headlines then speak of times alone. */
  readonly judgesThroughput: boolean;
  /** Null where times are not judged. */
  readonly latency: LatencyClaims | null;
}

/**
 * Headlines pick the fastest cell and the largest ratios. A claim is certain if it is significant by its own interval,
 * and still significant when the level is shared by all candidates: m ratios to the baseline (Holm 1979), and the lead.
 * The lead is wrong if a cell is found faster than the truly fastest cell, which is one side of k − 1 comparisons (J.
 * C. Hsu, "Constrained Simultaneous Confidence Intervals for Multiple Comparisons with the Best", 1984), so it counts
 * as half as many. Where targets are compared, the lead is that of the best cell of one target over the best cell of
 * each other target (best-of-each.ts). Times that are judged share the level, too: each of their ratios to the baseline
 * is one more candidate. Simulated rates of false claims: headline-claims.test.ts, latency-claims.test.ts,
 * docs/statistics.md.
 */
export function headlineClaims(model: ComparedRun, baseline: Baseline): HeadlineClaims {
  const all = ratios(model, baseline);
  const judged = judgedOf(model, baseline, all);
  const times = latencyRatiosOf(model, baseline, judged.times);
  const timed = judged.throughput ? times.filter(isTimeJudged).length : 0;
  const { shares, ...claims } = throughputClaims(model, baseline, all.filter(isJudged), timed);
  return {
    ...claims,
    judgesThroughput: judged.throughput,
    latency: judged.times.length === 0 ? null : latencyClaims(model, times, judged.throughput ? shares - timed : 0),
  };
}

type ComparedRun = Pick<RunModel, 'plan' | 'cells' | 'targets' | 'trials'>;

/** `more`: the number of other claims of the headline. */
function throughputClaims(
  model: ComparedRun,
  baseline: Baseline,
  compared: readonly Ratio[],
  more: number,
): Pick<HeadlineClaims, 'lead' | 'best' | 'cheapest' | 'certain' | 'comparisons'> & { readonly shares: number } {
  const comparisons = compared.length;
  if (compareOf(model, baseline) === 'targets') {
    const selected = bestShares(model);
    // If each target has one cell, its ratio to the baseline is also one of the comparisons of the best cells.
    const isShared = model.plan.variants.length === 1;
    const shares = selected + (isShared ? 0 : comparisons) + more;
    const best = bestOfEach(model, shares);
    const prices = pricesOf(model);
    return {
      lead: best && leadOf(model, best),
      best,
      cheapest: prices && bestOfEach(model, shares, prices),
      certain: certainOf(model, baseline, compared, shares),
      comparisons,
      shares,
    };
  }
  const [fastest, ...others] = rankedCells(model);
  const shares = comparisons + (others.length > 1 ? others.length / 2 : 0) + more;
  const certain = certainOf(model, baseline, compared, shares);
  if (fastest === undefined) return { lead: null, best: null, cheapest: null, certain, comparisons, shares };
  const rates = ratesByCell(model.trials);
  const ratesOf = (cell: Cell) => rates.get(keyOf(cell)) ?? [];
  const byLoad = others.filter(({ load }) => load?.setsThroughput);
  const rivals = others.filter((cell) => {
    if (byLoad.includes(cell)) return false;
    const sides = [ratesOf(fastest), ratesOf(cell)] as const;
    return compareMeans(...sides)?.verdict !== 'faster' || ratioChance(...sides)! > chanceOfEach(shares);
  });
  const heldBack = others.filter(
    (cell) => cell.clientSaturated && ![...rivals, ...byLoad].some((other) => other === cell),
  );
  return {
    lead: { fastest, ...settled(others, { rivals, heldBack, byLoad }) },
    best: null,
    cheapest: null,
    certain,
    comparisons,
    shares,
  };
}

/** The level of each of these comparisons. */
const chanceOfEach = (shares: number): number => (1 - confidence) / Math.max(1, shares);

/** The ratios that differ from 1 with certainty if all claims of the headline share the level. */
function certainOf(
  model: Pick<RunModel, 'trials'>,
  baseline: Baseline,
  compared: readonly Ratio[],
  shares: number,
): ReadonlySet<string> {
  const rates = ratesByCell(model.trials);
  const ratesOf = (cell: Cell) => rates.get(keyOf(cell)) ?? [];
  const chances = compared.map((one) => {
    const chance = isDifference(one.verdict) ? ratioChance(ratesOf(one), ratesOf(baselineCell(one, baseline)!)) : null;
    return [keyOf(one), chance ?? 1] as const;
  });
  return holm(new Map(chances), chanceOfEach(shares) * Math.min(compared.length, Math.max(1, shares)));
}

/** The lead of the fastest target over the other targets, each of which stands for its best cell. */
function leadOf({ cells }: Pick<RunModel, 'cells'>, { fastest, others }: BestOfEach): Lead {
  const bestWith = (is: (one: BestOfEach['others'][number]) => boolean) => others.filter(is).map(({ best }) => best);
  const byLoad = bestWith(({ verdict }) => verdict === 'setByLoad');
  const rivals = bestWith(({ verdict }) => verdict === 'notSignificant' || verdict === 'notEnoughRepeats');
  const isSaturated = (target: string) => cells.some((cell) => cell.target === target && cell.clientSaturated);
  const heldBack = bestWith(({ best, verdict }) => verdict === 'faster' && isSaturated(best.target));
  return { fastest, ...settled(others, { rivals, heldBack, byLoad }) };
}

/** The certainty of a lead over these others. */
function settled(
  others: readonly unknown[],
  doubts: Pick<Lead, 'rivals' | 'heldBack' | 'byLoad'>,
): Omit<Lead, 'fastest'> {
  const { rivals, heldBack, byLoad } = doubts;
  const known = byLoad.length > 0 ? 'setByLoad' : heldBack.length > 0 ? 'clientBound' : 'certain';
  return { ...doubts, certainty: others.length === 0 ? 'alone' : rivals.length === 0 ? known : 'uncertain' };
}
