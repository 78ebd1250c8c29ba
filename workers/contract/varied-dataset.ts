import type { ColumnSpec } from './column-specs.ts';
import type { Dataset } from './dataset.ts';
import type { Settings } from './settings.ts';

/** The dataset as one variant has it: its key of the kind, and its nulls as many, as the variant asks for. */
export function variedDataset(dataset: Dataset, { keyKind = 'asDataset', nullShare = -1 }: Partial<Settings>): Dataset {
  const varied = nullShare < 0 ? dataset : withNulls(dataset, nullShare);
  if (dataset.key === undefined || keyKind === 'asDataset') return varied;
  const key: ColumnSpec = keyKind === 'sequence' ? { type: keyKind, start: 1, nulls: 0 } : { type: keyKind, nulls: 0 };
  return { ...varied, columns: { ...varied.columns, [dataset.key]: key } };
}

const withNulls = (dataset: Dataset, nulls: number): Dataset => ({
  ...dataset,
  columns: Object.fromEntries(
    Object.entries(dataset.columns).map(([name, spec]) => [name, spec.nulls > 0 ? { ...spec, nulls } : spec]),
  ),
});
