import { isComparable } from '#analysis/compare/comparable.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { variantText } from '#planning/variant-of.ts';
import { repeatsAreOpen } from './repeats-open.ts';

/** One variant on one target in the order of the throughput so far. */
export interface Place {
  readonly variant: string;
  readonly label: string;
  readonly target: string;
  /** Decides the target's look (PlannedTarget). */
  readonly index: number;
  /** Mean of the repeats so far; null: none has a result. */
  readonly value: number | null;
  /** Length of the bar from zero, as a share (0…1) of the fastest contender's; references have none. */
  readonly share: number;
  /** Repeats that are over, and those that are planned; null: the measurements decide how many it takes. */
  readonly done: number;
  readonly planned: number | null;
  /** The client was the limit: the value is a floor. */
  readonly clientBound: boolean;
  /** It is no contender, and stands below them: the no-op engine, or an emulator. */
  readonly isReference: boolean;
}

/** The leaderboard of a run. */
export interface Leaderboard {
  readonly places: readonly Place[];
  /** Places that are left out because the board has no room for them. */
  readonly hidden: number;
}

/** The most rows that fit on a screen. */
const mostPlaces = 16;

/**
 * The cells of a run by their throughput so far; those without a result follow in the order of the plan. The number of
 * places is that of the plan from the beginning, so that nothing moves when results arrive.
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
