import { isLocalLoad } from '#model/load-hosts.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';

/**
 * The rows a second (of a range read: rows of its range) that a variant cannot exceed according to this entry, or null
 * where the entry says nothing about the variant. Entries are measured with one process; several are taken for as many,
 * up to the cores there are. It is of this machine: of a load from others it says nothing.
 */
export function ceilingOf(
  { kind, perSecond }: CalibrationEntry,
  settings: Settings,
  { cores }: { readonly cores: number },
): number | null {
  const { operation, method, generation, processes, rowsPerCall, rangeRows, loadFrom } = settings;
  if (!isLocalLoad(loadFrom)) return null;
  const atOnce = perSecond * Math.min(processes, cores);
  switch (kind) {
    case 'noopEngine': // calls handed out, timed and counted: how many rows one carries is free
      return operation === 'scan' ? null : atOnce * (operation === 'readRange' ? rangeRows : rowsPerCall);
    case 'generation': // no limit where rows are made before the clock, by the server, or not at all
      return operation === 'insert' && generation === 'inline' && method !== 'serverLoop' ? atOnce : null;
    case 'roundTrip': // of one connection: no ceiling
      return null;
  }
}
