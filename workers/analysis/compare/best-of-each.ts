import { type PriceOf, samePrice } from '#planning/rates/prices.ts';
import { pricedRates } from '#planning/rates/rates-by-cell.ts';
import type { Cell } from '#protocol/plan.ts';
import { compareMeans } from '#stats/intervals/compare-means.ts';
import { confidence } from '#stats/intervals/intervals.ts';
import type { Interval, Ratio, RunModel } from '../run-model/run-model.ts';
import { type MeasuredCell, rankedCells } from './ranked-cells.ts';

/** The best of the fastest target against the best of another target. */
export interface BestRatio {
  /** The fastest cell of the other target. */
  readonly best: MeasuredCell;
  /**
   * The best throughput of the fastest target ÷ the best of this one. The bounds hold together with all other claims of
   * the headline, and allow for the choice of both cells; null with too few repeats.
   */
  readonly ratio: Interval;
  /** setByLoad: the best cell of the other target completed all of the offered load, and may be faster. */
  readonly verdict: Exclude<Ratio['verdict'], 'slower' | 'baseline' | 'notComparable'>;
}

/** Targets compared by their best cells. */
export interface BestOfEach {
  readonly fastest: MeasuredCell;
  /** The other targets with a comparable cell, the fastest first. */
  readonly others: readonly BestRatio[];
}

type Targets = ReadonlyMap<string, readonly MeasuredCell[]>;

/** The comparable cells of each target; in both, the fastest come first. */
const byTarget = (model: Pick<RunModel, 'cells' | 'targets'>): Targets =>
  Map.groupBy(rankedCells(model), ({ target }) => target);

/**
 * The number of two-sided comparisons that the best cells of all targets take part in. “The best of A is faster than
 * the best of B” is wrong only if a cell of A is found faster than the truly fastest cell of B. So each cell is one
 * side of a comparison with each other target, however many cells that target has.
 */
export function bestShares(model: Pick<RunModel, 'cells' | 'targets'>): number {
  const targets = byTarget(model);
  const cells = [...targets.values()].reduce((sum, own) => sum + own.length, 0);
  return (cells * Math.max(0, targets.size - 1)) / 2;
}

/**
 * Compares the best of the fastest target with the best of each other target, if headlines share the level among this
 * many comparisons. The best cells are chosen by their results, so a bound is the most cautious one among all cells
 * that could be the truly best ones: the lower bound of the fastest cell's ratio to every cell of the other target, and
 * the upper bound of every cell's ratio to the other target's fastest. Null without a comparable cell.
 *
 * With prices, a throughput is divided by the price of its target, and targets without a price are left out. These
 * claims need no larger share of the level: dividing by a price moves both bounds of a ratio alike, so that a claim
 * about costs is wrong only if a bound is wrong, and `bestShares` counts the bounds of each target against each other.
 */
export function bestOfEach(
  model: Pick<RunModel, 'cells' | 'targets' | 'trials'>,
  shares: number,
  price: PriceOf = samePrice,
): BestOfEach | null {
  const worth = ({ target, rowsPerSecond }: MeasuredCell) => rowsPerSecond.value / price(target)!;
  const [own = [], ...others] = [...byTarget(model)]
    .filter(([target]) => price(target) !== null)
    .map(([_, cells]) => cells)
    .toSorted(([a], [b]) => worth(b!) - worth(a!));
  const [fastest] = own;
  if (fastest === undefined) return null;
  const rates = pricedRates(model.trials, price);
  const boundsOf = (a: Cell, b: Cell) =>
    jointBounds(rates(a) ?? [], rates(b) ?? [], 1 - (1 - confidence) / Math.max(1, shares));
  return {
    fastest,
    others: others.map((cells): BestRatio => {
      const best = cells[0]!;
      const lows = cells.map((cell) => boundsOf(fastest, cell)?.low ?? null);
      const highs = own.map((cell) => boundsOf(cell, best)?.high ?? null);
      const isKnown = [...lows, ...highs].every((bound) => bound !== null);
      const ratio: Interval = {
        value: worth(fastest) / worth(best),
        low: isKnown ? Math.min(...lows.map((low) => low!)) : null,
        high: isKnown ? Math.max(...highs.map((high) => high!)) : null,
        n: Math.min(fastest.rowsPerSecond.n, best.rowsPerSecond.n),
      };
      const verdict = best.load?.setsThroughput
        ? 'setByLoad'
        : ratio.low === null
          ? 'notEnoughRepeats'
          : ratio.low > 1
            ? 'faster'
            : 'notSignificant';
      return { best, ratio, verdict };
    }),
  };
}

/**
 * The bounds of a ratio at this level, and at the usual level as well: a bootstrap has too few resamples for strict
 * levels, and a claim needs both of its kinds of interval.
 */
function jointBounds(a: readonly number[], b: readonly number[], level: number): Pick<Interval, 'low' | 'high'> | null {
  const [own, strict] = [compareMeans(a, b)?.ratio, compareMeans(a, b, level)?.ratio];
  if (!own || !strict || own.low === null || strict.low === null) return null;
  return { low: Math.min(own.low, strict.low), high: Math.max(own.high!, strict.high!) };
}
