import { isOff } from '#analysis/cells/network.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import type { Settings } from '#model/settings/settings.ts';
import { variantOf } from '#planning/variant-of.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, type PanelCell } from '../shared/panel-table.ts';

/** "5 ms + 0…2 ms, 100 Mbit/s". */
export function networkText({ networkRoundTripMs, networkJitterMs, networkMbit }: Settings): string {
  const jitter = networkJitterMs > 0 ? ` + 0…${formatMs(networkJitterMs)}` : '';
  const limit = networkMbit > 0 ? `, ${formatNumber(networkMbit)}\u00a0Mbit/s` : '';
  return `${formatMs(networkRoundTripMs)}${jitter}${limit}`;
}

/** The requested and the measured delay of round trips, cell by cell. Empty without a network emulator. */
export const networkTable = ({ plan, cells }: Pick<RunModel, 'plan' | 'cells'>): NotedTable => ({
  note: 'A network emulator delayed each round trip. The added time is measured from reading to forwarding in both directions, and includes waiting for bandwidth; the emulator’s sockets and processes cost some tens of microseconds more. Throughput and latency include all of this.',
  columns: [...cellColumns, ...numbers('Round trip set', 'Added: mean', 'p50', 'p99', 'Emulator busy')],
  rows: cells.flatMap(({ network, ...cell }) => {
    const settings = variantOf(plan, cell.variant)?.settings;
    if (network === null || !settings) return [];
    const added: PanelCell = { text: formatMs(network.addedMs), tone: isOff(network) ? 'differs' : undefined };
    const texts = [
      networkText(settings),
      added,
      ...[network.p50Ms, network.p99Ms].map(formatMs),
      formatPercent(network.utilisation),
    ];
    return [{ cells: [...cellTexts({ plan }, cell), ...texts] }];
  }),
});
