import type { Dataset } from './dataset.ts';
import type { EngineDescriptor } from './engine.ts';
import type { Settings } from './settings.ts';

type Ordering = Pick<EngineDescriptor, 'uuids'>;

/** What the key of a variant is made as: the dataset's own column, or what the setting puts in its place. Null: there is no key. */
export function keyKindOf(
  { key, columns }: Pick<Dataset, 'key' | 'columns'>,
  { keyKind = 'asDataset' }: Partial<Settings>,
): string | null {
  if (key === undefined) return null;
  return keyKind === 'asDataset' ? (columns[key]?.type ?? null) : keyKind;
}

/** Whether uuids of this kind come in no order, as the engine compares them. */
export const isRandomUuid = ({ uuids }: Ordering, kind: string | null): boolean =>
  kind === 'uuid4' || (kind === 'uuid7' && uuids.order !== 'bytes');

/** The kind that the keys really are: a sequential uuid is one of version 7 where the engine compares that by its time. */
export const trueKeyKind = ({ uuids }: Ordering, keyKind: Settings['keyKind'] = 'asDataset'): Settings['keyKind'] =>
  keyKind === 'uuidSequential' && uuids.order === 'bytes' ? 'uuid7' : keyKind;
