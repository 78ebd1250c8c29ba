import type { Home } from '#platform/paths.ts';
import type { CalibrationEntry, StorageMeasure } from '#protocol/measurement.ts';
import { deviceOf } from './file-system-of.ts';
import { atOnce, type StorageFigures } from './measure-storage.ts';

/** A target, and the folder of its files; null: Dyno does not keep them on this machine. */
interface StoredTarget {
  readonly record: { readonly name: string };
  readonly dataFolder: string | null;
}

/** The figures of the file system for those targets whose files are in it; empty if there is none. */
export function storageOf(
  entries: readonly CalibrationEntry[],
  home: Home,
  described: readonly StoredTarget[],
): readonly CalibrationEntry[] {
  const device = deviceOf(home.embedded);
  const targets = described.flatMap(({ record: { name }, dataFolder }) =>
    dataFolder !== null && deviceOf(dataFolder) === device ? [name] : [],
  );
  if (targets.length === 0) return [];
  return entries.flatMap((entry) => (entry.storage ? [{ ...entry, storage: { ...entry.storage, targets } }] : []));
}

const storageLabels: Readonly<Record<StorageMeasure, readonly [label: string, unit: CalibrationEntry['unit']]>> = {
  overwriteSync: ['8 KiB overwritten and synced, one after another', 'syncs'],
  appendSync: ['8 KiB appended and synced, one after another', 'syncs'],
  randomRead: [`8 KiB read at random places, ${atOnce} at a time`, 'reads'],
  randomWrite: [`8 KiB written at random places, ${atOnce} at a time`, 'writes'],
  sequentialRead: ['1 MiB read in sequence', 'bytes'],
  sequentialWrite: ['1 MiB written in sequence', 'bytes'],
};

/** The figures of a file system, so far without its targets (storageOf). */
export const storageEntries = (
  { throughCache, figures }: StorageFigures,
  fileSystem: string | null,
): readonly CalibrationEntry[] =>
  figures.map(({ measure, perSecond, p50Us, p99Us }) => {
    const [label, unit] = storageLabels[measure];
    return {
      kind: 'storage',
      target: null,
      ...{ label, perSecond, unit, p50Us, p99Us },
      measuredAt: new Date().toISOString(),
      storage: { measure, fileSystem, throughCache, targets: [] },
    };
  });
