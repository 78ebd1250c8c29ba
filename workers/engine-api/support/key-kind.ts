import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { KeyKind } from '#model/settings/vocabulary.ts';
import type { EngineDescriptor } from '../descriptor.ts';
import { optionsFor } from './engine-options.ts';

type Ordering = Pick<EngineDescriptor, 'uuids'>;

/**
 * The kind of a variant's key: the dataset's own column, or the replacement that the setting chooses. Null: there is no
 * key.
 */
export function keyKindOf(
  { key, columns }: Pick<Dataset, 'key' | 'columns'>,
  { keyKind = 'inherit' }: Partial<Settings>,
): ColumnSpec['type'] | KeyKind | null {
  if (key === undefined) return null;
  return keyKind === 'inherit' ? (columns[key]?.type ?? null) : keyKind;
}

/** True if the keys of a variant are uuids in random order, as the engine compares them. */
export function hasRandomUuids(
  engine: EngineDescriptor,
  dataset: Pick<Dataset, 'key' | 'columns'>,
  settings: Settings,
): boolean {
  const options = optionsFor(engine, settings);
  if (engine.options?.some(({ name, serverKeys }) => serverKeys?.includes(String(options[name])))) return false;
  const { order } = engine.uuids;
  const kind = keyKindOf(dataset, settings);
  if (kind !== 'uuidSequential') return kind === 'uuid4' || (kind === 'uuid7' && order !== 'bytes');
  const spec = dataset.columns[dataset.key!];
  const isFixed = settings.keyKind === 'inherit' && spec?.type === 'uuidSequential' && spec.order !== 'asEngine';
  return isFixed && spec.order !== order;
}

/** The effective kind of the keys: a sequential uuid is one of version 7 where the engine compares that by its time. */
export const trueKeyKind = ({ uuids }: Ordering, keyKind: Settings['keyKind'] = 'inherit'): Settings['keyKind'] =>
  keyKind === 'uuidSequential' && uuids.order === 'bytes' ? 'uuid7' : keyKind;
