import type { RunModel } from '#analysis/run-model/run-model.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { variantLabel } from '#planning/variant-of.ts';

/** One variant on one target in the order of the throughput so far. */
export interface Place {
  readonly variant: string;
  readonly label: string;
  readonly target: string;
  /** The target's position in the experiment, which decides its colour. */
  readonly index: number;
  /** Mean of the repeats so far; null: none has a result. */
  readonly value: number | null;
  /** Length of the bar, 0…1. */
  readonly share: number;
  /** Repeats that are over, and those that are planned. */
  readonly done: number;
  readonly planned: number;
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
  /** The bars are on a logarithmic scale, because the highest would hide the lowest. */
  readonly isLog: boolean;
}

/** As many rows as fit on a screen. */
const mostPlaces = 16;
/** Beyond this ratio, bars that begin at zero would hide the small ones. */
const logBeyond = 20;

/**
 * The cells of a run by their throughput so far; those without a result follow in the order of the plan. The number of
 * places is that of the plan from the beginning, so that nothing moves when results arrive.
 */
export function leaderboard(model: RunModel): Leaderboard {
  const { plan } = model;
  const byCell = Map.groupBy(model.trials, ({ trial }) => JSON.stringify([trial.variant, trial.target]));
  const cells = [...byCell.values()].map((views) => {
    const { variant, target } = views[0]!.trial;
    const cell = model.cells.find((one) => one.variant === variant && one.target === target);
    return {
      variant,
      label: variantLabel(plan, variant),
      target,
      index: plan.targets.find(({ name }) => name === target)?.index ?? 0,
      value: cell?.rowsPerSecond?.value ?? null,
      done: views.filter(({ result }) => result !== null).length,
      planned: views.length,
      clientBound: cell?.clientSaturated === true,
      isReference: !isContender(model, target),
    };
  });
  const order = new Map(plan.variants.map(({ id }, i) => [id, i]));
  const rank = (variant: string) => order.get(variant) ?? 0;
  const sorted = cells.toSorted(
    (a, b) =>
      Number(a.isReference) - Number(b.isReference) ||
      (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY) ||
      rank(a.variant) - rank(b.variant) ||
      a.index - b.index,
  );
  const values = sorted.flatMap(({ value, isReference }) =>
    value !== null && value > 0 && !isReference ? [value] : [],
  );
  const [most, least] = [Math.max(...values), Math.min(...values)];
  const isLog = most / least > logBeyond;
  const shareOf = (value: number | null): number => {
    if (value === null || value <= 0) return 0;
    // A decade below the lowest, so that it still has a bar.
    const share = isLog ? Math.log((value / least) * 10) / Math.log((most / least) * 10) : value / most;
    return Math.min(1, Math.max(0, share));
  };
  return {
    places: sorted.slice(0, mostPlaces).map((one) => ({ ...one, share: shareOf(one.value) })),
    hidden: Math.max(0, sorted.length - mostPlaces),
    isLog,
  };
}
