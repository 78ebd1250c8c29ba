import type { Settings } from '../settings/settings.ts';
import type { ColumnSpec } from './column-specs.ts';
import type { Dataset } from './dataset.ts';
import type { UuidOrder } from './uuid-order.ts';

/**
 * The dataset of one variant: its kind of key, its share of nulls, its number of distinct times, and the engine's
 * `order` of sequential uuids.
 */
export function variedDataset(
  dataset: Dataset,
  { keyKind = 'inherit', nullShare = -1, distinctTimes = 0 }: Partial<Settings>,
  order: UuidOrder,
): Dataset {
  const withShare = nullShare < 0 ? dataset : withNulls(dataset, nullShare);
  const varied = distinctTimes === 0 ? withShare : withDistinctTimes(withShare, distinctTimes);
  if (dataset.key === undefined || keyKind === 'inherit') return varied;
  return { ...varied, columns: { ...varied.columns, [dataset.key]: keyOf(keyKind, order) } };
}

function keyOf(kind: Exclude<Settings['keyKind'], 'inherit'>, order: UuidOrder): ColumnSpec {
  if (kind === 'sequence') return { type: kind, start: 1, nulls: 0 };
  return kind === 'uuidSequential' ? { type: kind, order, nulls: 0 } : { type: kind, nulls: 0 };
}

const withColumns = (dataset: Dataset, change: (spec: ColumnSpec) => ColumnSpec): Dataset => ({
  ...dataset,
  columns: Object.fromEntries(Object.entries(dataset.columns).map(([name, spec]) => [name, change(spec)])),
});

const withNulls = (dataset: Dataset, nulls: number): Dataset =>
  withColumns(dataset, (spec) => (spec.nulls > 0 && spec.type !== 'file' ? { ...spec, nulls } : spec));

const withDistinctTimes = (dataset: Dataset, distinct: number): Dataset =>
  withColumns(dataset, (spec) => (spec.type === 'timestamp' ? { ...spec, distinct } : spec));
