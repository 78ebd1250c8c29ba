import type { Settings } from '../settings/settings.ts';
import type { ColumnSpec } from './column-specs.ts';
import type { Dataset } from './dataset.ts';
import type { UuidOrder } from './uuid-order.ts';

/** The dataset of one variant: its kind of key, its share of nulls, and the engine's `order` of sequential uuids. */
export function variedDataset(
  dataset: Dataset,
  { keyKind = 'inherit', nullShare = -1 }: Partial<Settings>,
  order: UuidOrder,
): Dataset {
  const varied = nullShare < 0 ? dataset : withNulls(dataset, nullShare);
  if (dataset.key === undefined || keyKind === 'inherit') return varied;
  return { ...varied, columns: { ...varied.columns, [dataset.key]: keyOf(keyKind, order) } };
}

function keyOf(kind: Exclude<Settings['keyKind'], 'inherit'>, order: UuidOrder): ColumnSpec {
  if (kind === 'sequence') return { type: kind, start: 1, nulls: 0 };
  return kind === 'uuidSequential' ? { type: kind, order, nulls: 0 } : { type: kind, nulls: 0 };
}

const withNulls = (dataset: Dataset, nulls: number): Dataset => ({
  ...dataset,
  columns: Object.fromEntries(
    Object.entries(dataset.columns).map(([name, spec]) => [
      name,
      spec.nulls > 0 && spec.type !== 'file' ? { ...spec, nulls } : spec,
    ]),
  ),
});
