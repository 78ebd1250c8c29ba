import type { Plan } from '#protocol/plan.ts';

/** The price of an hour of a target; null: it has none. */
export type PriceOf = (target: string) => number | null;

/** The prices of a run's experiment; null: it has none. */
export function priceOf({ experiment: { prices } }: Plan): PriceOf | null {
  const perHour = Object.entries(prices?.perHour ?? {});
  return perHour.length === 0 ? null : (target) => perHour.find(([name]) => name === target)?.[1] ?? null;
}

/** The price that leaves throughputs as they are. */
export const samePrice: PriceOf = () => 1;
