import type { EmulatedNetwork } from '#protocol/measurement.ts';
import { mergeEncoded, percentileMs } from '#stats/percentiles.ts';
import type { NetworkSummary } from '../run-model/run-model.ts';

/** What the network emulator of a cell did, over its repeats; null where there was none. */
export function networkSummary(all: readonly (EmulatedNetwork | undefined)[]): NetworkSummary | null {
  const networks = all.filter((one) => one !== undefined);
  const intended = mergeEncoded(networks.map((one) => one.intended));
  const added = mergeEncoded(networks.map((one) => one.added));
  if (!intended || !added) return null;
  const seen = added.count > 0;
  return {
    roundTrips: added.count,
    intendedMs: seen ? intended.mean / 1e6 : null,
    addedMs: seen ? added.mean / 1e6 : null,
    p50Ms: percentileMs(added, 50),
    p99Ms: percentileMs(added, 99),
    utilisation: Math.max(...networks.map((one) => one.utilisation)),
  };
}

/** Off by more than both: of short delays a starved machine adds a multiple, of long ones nothing that matters. */
const farOff = 0.1;

const farOffMs = 0.25;

export const isOff = ({ intendedMs, addedMs }: NetworkSummary): boolean =>
  intendedMs !== null && addedMs !== null && addedMs - intendedMs > Math.max(farOffMs, farOff * intendedMs);
