import { type PublishedComparison, publishedComparisons } from '#analysis/compare/published.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Published } from '#experiment/schema/published.ts';
import { formatRatioInterval } from '#model/format/format.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { formatPublishedPlace, formatPublishedRatio } from '../text/published-text.ts';
import type { Table } from './shared/csv.ts';

export const publishedNote =
  'Figures that others have published of the same experiment, on other hardware, as ratios to the same variant. References for the eye: no verdict rests on them.';

/** Every comparison, for tables and CSV. */
export function publishedTable(model: RunModel): Table {
  return {
    columns: [
      ...['source', 'year', 'baseline', 'variant', 'target'],
      ...['published ratio', 'bound', 'ratio here', 'low', 'high', 'repeats'],
    ],
    rows: publishedComparisons(model).map((one) => [
      one.published.source,
      one.published.year ?? null,
      variantLabel(model.plan, one.baseline.variant),
      formatPublishedPlace(model, one),
      one.baseline.target,
      one.ratio,
      one.value.bound ?? '',
      one.here.value,
      one.here.low,
      one.here.high,
      one.here.n,
    ]),
  };
}

export const publishedColumns = ['Variant', 'Compared with', 'Target', 'Published', 'Here'] as const;

/** Every comparison as texts in the order of publishedColumns, under its source. */
export function publishedLines(
  model: RunModel,
): readonly { readonly published: Published; readonly rows: readonly (readonly string[])[] }[] {
  const bySource = Map.groupBy(publishedComparisons(model), ({ published }) => published);
  return [...bySource].map(([published, all]) => ({
    published,
    rows: all.map((one: PublishedComparison) => [
      formatPublishedPlace(model, one),
      variantLabel(model.plan, one.baseline.variant),
      one.baseline.target,
      formatPublishedRatio(one),
      formatRatioInterval(one.here),
    ]),
  }));
}
