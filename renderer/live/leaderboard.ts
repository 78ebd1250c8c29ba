import { isComparable } from '#analysis/compare/comparable.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { variantText } from '#planning/variant-of.ts';
import { repeatsAreOpen } from './repeats-open.ts';

/** One cell in the order of the throughput so far. */
export interface Place {
  readonly variant: string;
  readonly label: string;
  readonly target: string;
  /** The index that determines the target's look (PlannedTarget). */
  readonly index: number;
  /** The mean of the repeats so far. Null if no repeat has a result. */
  readonly value: number | null;
  /** The length of the bar as a share (0…1) of the fastest contender's bar. References have no bar. */
  readonly share: number;
  /** The finished and the planned repeats. Null if the measurements determine the number of repeats. */
  readonly done: number;
  readonly planned: number | null;
  /** True if the client was the limit, so that the value is a lower bound. */
  readonly clientBound: boolean;
  /** True for a reference (the no-op engine or an emulator), which is listed below the contenders. */
  readonly isReference: boolean;
}

/** The leaderboard of a run. */
export interface Leaderboard {
  readonly places: readonly Place[];
  /** The number of cells for which the board has no room. */
  readonly hidden: number;
}

/** The most rows that fit on a screen. */
const mostPlaces = 16;

/**
 * The cells of a run by their throughput so far. Cells without a result follow in planned order. The number of places
 * is fixed from the beginning, so that nothing moves when results arrive.
 */
export function leaderboard(model: RunModel): Leaderboard {
  const { plan } = model;
  const isOpen = repeatsAreOpen(model);
  const byCell = Map.groupBy(model.trials, ({ trial }) => JSON.stringify([trial.variant, trial.target]));
  const cells = [...byCell.values()].map((views) => {
    const { variant, target } = views[0]!.trial;
    const cell = model.cells.find((one) => one.variant === variant && one.target === target);
    return {
      variant,
      label: variantText(plan, variant),
      target,
      index: plan.targets.find(({ name }) => name === target)?.index ?? 0,
      value: cell?.rowsPerSecond?.value ?? null,
      done: views.filter(({ result }) => result !== null).length,
      planned: isOpen ? null : views.length,
      clientBound: cell?.clientSaturated === true,
      isReference: cell === undefined ? !isContender(model, target) : !isComparable(model, cell),
    };
  });
  const rank = (variant: string) => plan.variants.findIndex(({ id }) => id === variant);
  const position = (target: string) => plan.targets.findIndex(({ name }) => name === target);
  const sorted = cells.toSorted(
    (a, b) =>
      Number(a.isReference) - Number(b.isReference) ||
      (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY) ||
      rank(a.variant) - rank(b.variant) ||
      position(a.target) - position(b.target),
  );
  const most = Math.max(0, ...sorted.map(({ value, isReference }) => (isReference ? 0 : (value ?? 0))));
  const shareOf = ({ value, isReference }: (typeof sorted)[number]): number =>
    value === null || isReference || most === 0 ? 0 : value / most;
  return {
    places: sorted.slice(0, mostPlaces).map((one) => ({ ...one, share: shareOf(one) })),
    hidden: Math.max(0, sorted.length - mostPlaces),
  };
}
