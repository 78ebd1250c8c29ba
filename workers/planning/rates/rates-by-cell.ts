import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell } from '#protocol/plan.ts';
import type { PriceOf } from './prices.ts';
import { isTimed, throughputOf } from './trial-rate.ts';

/** The parts of a trial that its throughput needs. */
interface Rated {
  readonly trial: Cell;
  readonly result: TrialResult | null;
}

/** Throughput of each successful repeat, by cell (keyOf). */
export function ratesByCell(trials: Iterable<Rated>): ReadonlyMap<string, readonly number[]> {
  const rates = new Map<string, number[]>();
  for (const { trial, result } of trials) {
    if (result?.status !== 'ok' || !isTimed(result)) continue;
    const key = keyOf(trial);
    const known = rates.get(key);
    if (known) known.push(throughputOf(result));
    else rates.set(key, [throughputOf(result)]);
  }
  return rates;
}

/**
 * Throughput ÷ price of the target, of each successful repeat of a cell. Undefined for a cell without results, or whose
 * target has no price.
 */
export function pricedRates(trials: Iterable<Rated>, price: PriceOf): (cell: Cell) => readonly number[] | undefined {
  const rates = ratesByCell(trials);
  return (cell) => {
    const own = price(cell.target);
    return own === null ? undefined : rates.get(keyOf(cell))?.map((rate) => rate / own);
  };
}
