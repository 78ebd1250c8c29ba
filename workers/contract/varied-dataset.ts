import type { ColumnSpec } from './column-specs.ts';
import type { Dataset } from './dataset.ts';
import type { Settings } from './settings.ts';

/** The dataset as one variant has it: its key of the kind that the variant asks for. */
export function variedDataset(dataset: Dataset, { keyKind = 'asDataset' }: Partial<Settings>): Dataset {
  if (dataset.key === undefined || keyKind === 'asDataset') return dataset;
  const key: ColumnSpec = keyKind === 'sequence' ? { type: keyKind, start: 1, nulls: 0 } : { type: keyKind, nulls: 0 };
  return { ...dataset, columns: { ...dataset.columns, [dataset.key]: key } };
}
