import { answersDiffer } from '#planning/rates/answers-between.ts';
import { type Baseline, baselineCell } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { isSetByLoad } from '#planning/rates/load-rates.ts';
import { type PriceOf, samePrice } from '#planning/rates/prices.ts';
import { pricedRates } from '#planning/rates/rates-by-cell.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { type Comparison, compareMeans } from '#stats/intervals/compare-means.ts';
import { repeatsNeededForRatio } from '#stats/intervals/repeats-needed.ts';
import { variationOf } from '#stats/intervals/summary.ts';
import type { Ratio, RunModel } from '../run-model/run-model.ts';
import { isComparable } from './comparable.ts';

/** Half the width of an interval that answers most questions; the estimate of needed repeats uses it. */
export const usefulMargin = 0.05;

interface Verdict extends Comparison {
  /**
   * Expected number of repeats on each side that narrows the interval to ± usefulMargin; null if the scatter is
   * unknown.
   */
  readonly repeatsNeeded: number | null;
}

/**
 * Ratio of rates a to rates b; null without rates. This function alone sets the level: the interval of each ratio holds
 * for its own comparison with 95 %. Headlines look at all cells, so they use a stricter level (headline-claims.ts).
 */
function judge(a: readonly number[], b: readonly number[]): Verdict | null {
  const comparison = compareMeans(a, b);
  if (comparison === null) return null;
  const [cvA, cvB] = [variationOf(a), variationOf(b)];
  const needed = cvA === null || cvB === null ? null : repeatsNeededForRatio(cvA, cvB, usefulMargin);
  return { ...comparison, repeatsNeeded: needed };
}

/** Two sets of repeats for a comparison. */
interface Compared extends Cell {
  readonly own: readonly number[];
  /** The repeats of the baseline; null for the baseline itself. */
  readonly reference: readonly number[] | null;
  /** True if the offered load limited the throughput of the cell, and of the baseline. */
  readonly ofLoad: readonly [own: boolean, reference: boolean];
  readonly isComparable: boolean;
  /** Ratio.otherRows. */
  readonly otherRows: boolean;
}

/** Cells (keyOf) whose throughput the offered load limited: it is a lower bound of their capacity. */
const setByLoad = (cells: RunModel['cells']): ReadonlySet<string> =>
  new Set(cells.filter(({ load }) => load?.setsThroughput).map(keyOf));

/** True if the verdict of the ratio depends on the repeats. */
export const isJudged = ({ verdict }: Pick<Ratio, 'verdict'>): boolean =>
  verdict !== 'baseline' && verdict !== 'notComparable' && verdict !== 'setByLoad';

/** Every cell whose baseline cell has results, and whose targets both have a price. */
function comparedCells(
  model: Pick<RunModel, 'cells' | 'trials' | 'targets'>,
  baseline: Baseline,
  price: PriceOf,
): readonly Compared[] {
  const { cells, trials } = model;
  const rates = pricedRates(trials, price);
  const byLoad = setByLoad(cells);
  const otherRows = new Set(cells.filter(({ rowProblems }) => rowProblems.length > 0).map(keyOf));
  const apart = new Set(cells.filter((cell) => !isComparable(model, cell)).map(keyOf));
  return cells.flatMap((cell): Compared[] => {
    const { variant, target } = cell;
    const other = baselineCell({ variant, target }, baseline);
    const own = rates({ variant, target });
    const reference = other && rates(other);
    if (!own || !other || !reference) return [];
    const isBaseline = keyOf(other) === keyOf({ variant, target });
    const ofLoad = [byLoad.has(keyOf({ variant, target })), byLoad.has(keyOf(other))] as const;
    const sides = [keyOf({ variant, target }), keyOf(other)];
    const answersOtherwise = answersDiffer(cell, other.target);
    return [
      {
        ...{ variant, target, own, reference: isBaseline ? null : reference, ofLoad },
        isComparable: !sides.some((key) => apart.has(key)) && !answersOtherwise && isContender(model, other.target),
        otherRows: answersOtherwise || sides.some((key) => otherRows.has(key)),
      },
    ];
  });
}

/**
 * Throughput of every cell against the baseline's, with verdicts from the repeats. All sentences, tables, charts and
 * files use this comparison. Cells without a result, or whose baseline has none, are left out. Cells that are not
 * comparable, or that the offered load limited, have a ratio without a verdict. stats/compare-means.ts explains the
 * statistics. With prices, the throughput of each repeat is divided by the price of its target.
 */
export function ratios(
  model: Pick<RunModel, 'cells' | 'trials' | 'targets'>,
  baseline: Baseline,
  price: PriceOf = samePrice,
): readonly Ratio[] {
  return comparedCells(model, baseline, price).flatMap((compared): Ratio[] => {
    const { variant, target, own, reference, ofLoad } = compared;
    if (reference === null) {
      const ratio = { value: 1, low: null, high: null, n: own.length };
      return [{ variant, target, ratio, verdict: 'baseline', ...apart(compared), method: null, repeatsNeeded: null }];
    }
    const judged = judge(own, reference);
    if (judged === null) return [];
    const verdict = !compared.isComparable
      ? 'notComparable'
      : isSetByLoad(judged, ofLoad)
        ? 'setByLoad'
        : judged.verdict;
    return [{ variant, target, ...judged, verdict, ...apart(compared) }];
  });
}

const apart = ({ otherRows }: Compared): Pick<Ratio, 'otherRows'> => (otherRows ? { otherRows: true } : {});
