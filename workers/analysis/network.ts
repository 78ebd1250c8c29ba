import type { Settings } from '#model/settings/settings.ts';
import { variantLabel, variantOf } from '#planning/variant-of.ts';
import type { RelayedNetwork } from '#protocol/measurement.ts';
import type { CellTable } from './cell-table.ts';
import { formatMs, formatNumber, formatPercent } from './format.ts';
import type { Caveat, CellSummary, NetworkSummary, RunModel } from './model.ts';
import { mergeEncoded, percentileMs } from './percentiles.ts';

/** What the relay of a cell did, over its repeats; null where there was none. */
export function networkSummary(all: readonly (RelayedNetwork | undefined)[]): NetworkSummary | null {
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

/** "5 ms + 0…2 ms, 100 Mbit/s". */
export function networkInWords({ networkRoundTripMs, networkJitterMs, networkMbit }: Settings): string {
  const jitter = networkJitterMs > 0 ? ` + 0…${formatMs(networkJitterMs)}` : '';
  const limit = networkMbit > 0 ? `, ${formatNumber(networkMbit)}\u00a0Mbit/s` : '';
  return `${formatMs(networkRoundTripMs)}${jitter}${limit}`;
}

const networkNote =
  'A relay made each round trip longer. Added: from reading to passing on, both ways together, waiting for the bandwidth included; its sockets and processes cost some tens of microseconds more. Throughput and latency are of the whole way.';
const networkColumns = ['Round trip set', 'Added: mean', 'p50', 'p99', 'Relay busy'] as const;

/** Cell by cell, what was to be added to a round trip and what was. Nothing where there was no relay. */
export const networkTable = ({ plan, cells }: Pick<RunModel, 'plan' | 'cells'>): CellTable => ({
  id: 'network',
  title: 'Network between client and server',
  note: networkNote,
  columns: networkColumns,
  rows: cells.flatMap(({ variant, target, network }) => {
    const settings = variantOf(plan, variant)?.settings;
    if (network === null || !settings) return [];
    const texts = [
      networkInWords(settings),
      formatMs(network.addedMs),
      formatMs(network.p50Ms),
      formatMs(network.p99Ms),
      formatPercent(network.utilisation),
    ];
    const off = isOff(network) ? { off: 1 } : {};
    return [{ variant: variantLabel(plan, variant), target, texts, ...off }];
  }),
});

/** Off by more than both: of short delays a starved machine adds a multiple, of long ones nothing that matters. */
const farOff = 0.1;
const farOffMs = 0.25;
/** As of client processes (host/client-rules.ts). */
const busy = 0.7;

const isOff = ({ intendedMs, addedMs }: NetworkSummary): boolean =>
  intendedMs !== null && addedMs !== null && addedMs - intendedMs > Math.max(farOffMs, farOff * intendedMs);

/** The network was not the one that was asked for, or it was the relay that could not do more. */
export function networkCaveat(cell: Pick<CellSummary, 'variant' | 'target' | 'network'>): Caveat | null {
  const { network } = cell;
  if (network === null) return null;
  const at = { variant: cell.variant, target: cell.target };
  if (network.utilisation > busy)
    return {
      severity: 'warning',
      cell: at,
      title: 'Measures the relay',
      text: `The relay that plays the network was busy ${formatPercent(network.utilisation)} of the time. Client and server may be able to do more.`,
    };
  return isOff(network)
    ? {
        severity: 'warning',
        cell: at,
        title: 'The network was slower than set',
        text: `Round trips were to take ${formatMs(network.intendedMs)} more, and took ${formatMs(network.addedMs)} more on average: the machine was too busy to keep the time. Compare by what was added.`,
      }
    : null;
}
