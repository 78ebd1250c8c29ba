import { clientParts, partLabels } from '#analysis/client/client-time.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { tunnelWords } from '#model/tunnel.ts';
import { cellColumns, cellTexts, numbers, type PanelTable } from '../shared/panel-table.ts';

export const clientTimeNote =
  'Shares of the client processes’ time, and the mean call with its round trips, as seen at the sockets of the sessions. The cheapest statement was timed outside the trials. Its network part is the shortest TCP handshake, or the delay of a network emulator; on one machine it is 0. Behind an SSH tunnel or a SOCKS proxy the network part cannot be measured; the cheapest statement then includes it. A dash means: not measured.';

/** The client's time by activity, and a mean call, cell by cell. */
export function clientTimeTable(model: RunModel): PanelTable {
  const cells = model.cells.filter(({ clientTime }) => clientTime !== null);
  const parts = clientParts.filter((part) => cells.some(({ clientTime }) => (clientTime?.[part] ?? 0) > 0));
  return {
    columns: [
      ...cellColumns,
      ...numbers(
        ...parts.map((part) => partLabels[part]),
        'call: send',
        'wait',
        'receive',
        'round trips',
        'cheapest statement',
        'of it network',
      ),
    ],
    rows: cells.map((cell) => ({
      cells: [
        ...cellTexts(model, cell),
        ...parts.map((part) => formatPercent(cell.clientTime?.[part])),
        ...[cell.call?.sendMs, cell.call?.waitMs, cell.call?.receiveMs].map(formatMs),
        formatNumber(cell.call?.roundTrips, 2),
        formatMs(cell.roundTrip?.cheapestMs),
        cell.roundTrip?.tunnel
          ? `behind ${tunnelWords[cell.roundTrip.tunnel]}`
          : formatMs(cell.roundTrip?.network?.mostMs),
      ],
    })),
  };
}
