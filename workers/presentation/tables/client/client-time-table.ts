import { clientParts, partLabels } from '#analysis/client/client-time.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { tunnelWords } from '#model/tunnel.ts';
import { cellColumns, cellTexts, numbers, type PanelTable } from '../shared/panel-table.ts';

export const clientTimeNote =
  'Shares of the client processes’ time; a mean call and its round trips, as seen at the sessions’ own sockets. The cheapest statement was timed beside the trials; the network’s part of it is the shortest TCP handshake or what a network emulator added, and 0 on one machine. Behind an SSH tunnel or a SOCKS proxy it is not seen; the cheapest statement contains their cost. A dash: it could not be seen.';

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
