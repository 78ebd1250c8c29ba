import type { Baseline } from '#planning/rates/baseline.ts';
import { type PriceOf, priceOf } from '#planning/rates/prices.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import type { CellSummary, Interval, Ratio, RunModel } from '../run-model/run-model.ts';
import { ratios } from './compare.ts';

/** The cost of the operations of a cell by itself: rows, or calls if no rows move. */
interface OwnCost {
  /** The price of an hour of the target. */
  readonly perHour: number;
  /** The cost of a million operations, with the bounds of the throughput. */
  readonly perMillion: Interval;
  /** The operations for one unit of money, with the bounds of the throughput. */
  readonly perMoney: Interval;
}

/** The cost of a cell, and its comparison with the baseline. */
export interface CellCost extends Cell, OwnCost {
  /** `perMoney` ÷ that of the baseline, from the same repeats; null: the baseline has no price or no result. */
  readonly ratio: Ratio | null;
  /** True if the offered load limited the throughput: more load would cost less for each operation. */
  readonly isSetByLoad: boolean;
}

type PricedRun = Pick<RunModel, 'plan' | 'cells' | 'trials' | 'targets'>;

/**
 * The costs of all cells with a result on targets with a price, in the order of the cells. Empty without prices, and if
 * calls are reported one by one: the rate of a first call says nothing about an hour.
 */
export function costs(model: PricedRun, baseline: Baseline): readonly CellCost[] {
  const price = pricesOf(model);
  if (price === null) return [];
  const compared = new Map(ratios(model, baseline, price).map((one) => [keyOf(one), one]));
  return model.cells.flatMap((cell): CellCost[] => {
    const { variant, target, load } = cell;
    const cost = costOfCell(cell, price);
    const ratio = compared.get(keyOf(cell)) ?? null;
    return cost === null ? [] : [{ variant, target, ...cost, ratio, isSetByLoad: load?.setsThroughput === true }];
  });
}

/** The costs of a cell without a comparison; null: it has no throughput, or its target has no price. */
export function costOfCell(
  { target, rowsPerSecond }: Pick<CellSummary, 'target' | 'rowsPerSecond'>,
  price: PriceOf,
): OwnCost | null {
  const perHour = price(target);
  if (perHour === null || rowsPerSecond === null || rowsPerSecond.value <= 0) return null;
  return costOf(rowsPerSecond, perHour);
}

/** The prices by which the run shows costs; null: it shows none. */
export const pricesOf = ({ plan, trials }: Pick<RunModel, 'plan' | 'trials'>): PriceOf | null =>
  trials.some(({ result }) => result?.perCall !== undefined) ? null : priceOf(plan);

const secondsPerHour = 3_600;

/** The costs at a throughput in operations per second. Its lower bound is the upper bound of the cost. */
function costOf(throughput: Interval, perHour: number): OwnCost {
  const { value, low, high, n } = throughput;
  const money = (rate: number) => (rate * secondsPerHour) / perHour;
  const cost = (rate: number) => (rate > 0 ? 1e6 / money(rate) : Number.POSITIVE_INFINITY);
  return {
    perHour,
    perMillion: {
      value: cost(value),
      low: high === null ? null : cost(high),
      high: low === null ? null : cost(low),
      n,
    },
    perMoney: {
      value: money(value),
      low: low === null ? null : money(low),
      high: high === null ? null : money(high),
      n,
    },
  };
}
