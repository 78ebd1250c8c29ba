import { clientParts, partLabels } from '#analysis/client/client-time.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatPercent, formatPercentTick } from '#model/format/format.ts';
import type { SceneChart } from './kit/chart.ts';
import { drawStacks } from './kit/parts.ts';
import type { ChartTheme } from './kit/theme.ts';
import { chosenCells, defaultWidthPx, type Selection } from './plot/select.ts';

const title = 'Where the client’s time went';

/** The time of the client processes by activity, as one stacked bar per cell. Parts that no bar has are left out. */
export function clientShares(model: RunModel, theme: ChartTheme, selection: Selection = {}): SceneChart {
  const bars = chosenCells(model, selection).flatMap(({ variant, target, cell: { clientTime } }) =>
    clientTime === null
      ? []
      : [{ variant: variant.id, target: target.name, label: `${variant.label} · ${target.name}`, clientTime }],
  );
  const parts = clientParts.filter((part) => bars.some(({ clientTime }) => clientTime[part] > 0));
  return {
    id: 'client-shares',
    title,
    note: 'Shares of the client processes’ measured time. “Network and server” is the time in which their event loops were idle while calls were in flight.',
    scene: drawStacks(
      {
        label: title,
        legend: parts.map((part) => ({ label: partLabels[part], fill: theme.parts[part].fill })),
        rows: bars.map(({ label, clientTime }) => ({
          name: label,
          parts: parts.map((part) => ({
            ...{ label: partLabels[part], share: clientTime[part], text: formatPercent(clientTime[part]) },
            ...{ fill: theme.parts[part].fill, on: theme.parts[part].text },
          })),
        })),
        tick: formatPercentTick,
      },
      theme,
      selection.widthPx ?? defaultWidthPx,
    ),
    data: {
      columns: ['variant', 'target', ...parts.map((part) => `${partLabels[part]} (share)`)],
      rows: bars.map(({ variant, target, clientTime }) => [variant, target, ...parts.map((part) => clientTime[part])]),
    },
  };
}
