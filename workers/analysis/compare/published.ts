import { type Published, type PublishedValue, publishedRatio, sameLevels } from '#experiment/schema/published.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell, Variant } from '#protocol/plan.ts';
import type { Interval, RunModel } from '../run-model/run-model.ts';
import { findCell } from '../run-model/select-cells.ts';
import { ratios } from './compare.ts';

/** A published figure, with the equivalent cells of this run for the figure and for its baseline. */
export interface PublishedPair {
  readonly published: Published;
  readonly value: PublishedValue;
  /** The source's own name for its baseline; null if it has none. */
  readonly from: string | null;
  /** The published ratio to the baseline. */
  readonly ratio: number;
  readonly cell: Cell;
  readonly baseline: Cell;
}

interface PublishedComparison extends PublishedPair {
  /** The ratio of the two cells in this run, with its 95 % interval. */
  readonly here: Interval;
}

type Levels = Readonly<Record<string, string | number | boolean>>;

/**
 * Published figures whose variant and baseline were both measured on the same target. They show typical proportions,
 * and no verdict depends on them. References and emulators are left out, unless a figure names one.
 */
function publishedPairs(model: RunModel): readonly PublishedPair[] {
  return (model.plan.experiment.published ?? []).flatMap((published) => {
    const { baseline, values } = published;
    if (baseline === undefined) return [];
    const from = values.find(({ levels }) => levels && sameLevels(levels, baseline))?.label ?? null;
    return values.flatMap((value) => {
      const ratio = publishedRatio(published, value);
      if (ratio === null || value.levels === undefined || sameLevels(value.levels, baseline)) return [];
      return pairsOf(model, baseline, { ...baseline, ...value.levels }).map(
        (pair): PublishedPair => ({ published, value, from, ratio, ...pair }),
      );
    });
  });
}

function pairsOf(
  model: RunModel,
  baseline: Levels,
  levels: Levels,
): readonly { readonly cell: Cell; readonly baseline: Cell }[] {
  const { variants, targets } = model.plan;
  const measured = (cell: Cell) => {
    const found = findCell(model, cell.variant, cell.target);
    return found !== undefined && found.rowsPerSecond !== null && found.rowProblems.length === 0;
  };
  const named = (on: Levels, name: string) => on.target === undefined || on.target === name;
  return variants
    .filter((variant) => fits(variant, levels))
    .flatMap((variant) =>
      variants
        .filter((other) => fits(other, { ...variant.levels, ...baseline }))
        .flatMap((other) =>
          targets
            .filter(({ name }) => isContender(model, name) && named(baseline, name))
            .map(({ name }) => ({
              cell: { variant: variant.id, target: String(levels.target ?? name) },
              baseline: { variant: other.id, target: name },
            })),
        ),
    )
    .filter(({ cell, baseline: other }) => keyOf(cell) !== keyOf(other) && measured(cell) && measured(other));
}

/** True if the variant has these levels, or these settings if they belong to no factor. */
const fits = ({ levels, settings }: Variant, wanted: Levels): boolean =>
  Object.entries(wanted).every(([name, level]) => {
    const fixed: Readonly<Record<string, unknown>> = { ...settings, ...settings.options };
    return name === 'target' || String(levels[name] ?? fixed[name]) === String(level);
  });

/** The published ratios, each with the ratio that this run measured. */
export function publishedComparisons(model: RunModel): readonly PublishedComparison[] {
  return publishedPairs(model).flatMap((pair): PublishedComparison[] => {
    const own = findCell(model, pair.cell.variant, pair.cell.target);
    if (own === undefined) return [];
    const [found] = ratios({ ...model, cells: [own] }, pair.baseline);
    return found === undefined ? [] : [{ ...pair, here: found.ratio }];
  });
}

/** The throughput that a published figure predicts with this run's baseline; by cell (keyOf). */
export function publishedMarks(
  model: RunModel,
): ReadonlyMap<string, readonly (PublishedPair & { readonly rate: number })[]> {
  const marks = publishedPairs(model).flatMap((pair) => {
    const base = findCell(model, pair.baseline.variant, pair.baseline.target)?.rowsPerSecond;
    return base == null ? [] : [{ ...pair, rate: base.value * pair.ratio }];
  });
  return Map.groupBy(marks, ({ cell }) => keyOf(cell));
}
