import { publishedComparisons } from '#analysis/compare/published.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { variantText } from '#planning/variant-of.ts';
import { formatPublishedPlace } from '../../text/published-text.ts';
import type { Table } from '../shared/csv.ts';

/** The numbers of every comparison with a published figure. */
export const publishedTable = (model: RunModel): Table => ({
  columns: [
    ...['source', 'year', 'baseline', 'variant', 'target'],
    ...['published ratio', 'bound', 'ratio here', 'low', 'high', 'repeats'],
  ],
  rows: publishedComparisons(model).map((one) => [
    ...[one.published.source, one.published.year ?? null, variantText(model.plan, one.baseline.variant)],
    ...[formatPublishedPlace(model, one), one.baseline.target, one.ratio, one.value.bound ?? ''],
    ...[one.here.value, one.here.low, one.here.high, one.here.n],
  ]),
});
