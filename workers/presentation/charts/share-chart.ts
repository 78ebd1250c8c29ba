import { clientParts, partLabels } from '#analysis/client/client-time.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatPercent, formatPercentTick } from '#model/format/format.ts';
import type { Chart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { chosenCells, type Selection } from './plot/select.ts';
import { drawStackedBars } from './plot/stacked-bars.ts';

/** The time of the client processes by activity, one stacked bar per cell; without parts that no bar has. */
export function clientShares(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const bars = chosenCells(model, selection).flatMap(({ variant, target, cell: { clientTime } }) =>
    clientTime === null
      ? []
      : [{ variant: variant.id, target: target.name, label: `${variant.label} · ${target.name}`, clientTime }],
  );
  const parts = clientParts.filter((part) => bars.some(({ clientTime }) => clientTime[part] > 0));
  return {
    id: 'client-shares',
    title: 'Where the client’s time went',
    note: 'Share of the client processes’ time, measured. Network and server: their event loops at rest with calls under way.',
    ...drawStackedBars(
      {
        rows: bars.map(({ label }) => label),
        tick: formatPercentTick,
        parts: parts.map((part) => ({
          name: partLabels[part],
          ...theme.parts[part],
          values: bars.map(({ clientTime }) => clientTime[part]),
          label: (bar) => formatPercent(bars[bar]!.clientTime[part]),
        })),
      },
      theme,
    ),
    data: {
      columns: ['variant', 'target', ...parts.map((part) => `${partLabels[part]} (share)`)],
      rows: bars.map(({ variant, target, clientTime }) => [variant, target, ...parts.map((part) => clientTime[part])]),
    },
  };
}
