import { isLocalLoad } from '#model/load-hosts.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';

/**
 * The rows per second that a variant cannot exceed according to this calibration (for range reads: rows of the range),
 * or null if the calibration does not apply to the variant. Each measurement uses one process and is multiplied by the
 * number of processes, up to the number of cores. It describes this machine, not load hosts.
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
    case 'noopEngine': // calls handed out, timed and counted: a call may carry any number of rows
      return operation === 'scan' ? null : atOnce * (operation === 'readRange' ? rangeRows : rowsPerCall);
    case 'generation': // no limit: rows are made before the clock starts, by the server, or not at all
      return operation === 'insert' && generation === 'inline' && method !== 'serverLoop' ? atOnce : null;
    case 'roundTrip': // measured on one connection: no ceiling
    case 'storage': // commits of several sessions share a sync, and a server need not read its files
      return null;
  }
}
