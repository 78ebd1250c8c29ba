import { clientParts, partLabels } from '#analysis/client/client-time.ts';
import type { CellSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { formatPercent, formatPercentTick } from '#model/format/format.ts';
import type { Chart } from './plot/chart.ts';
import { chosenCells, type Selection } from './plot/select.ts';
import { drawStackedBars } from './plot/stacked-bars.ts';
import type { ChartTheme } from './plot/theme.ts';

interface Bar {
  readonly label: string;
  readonly cell: CellSummary;
}

/**
 * Where the clients' time went, one stacked bar per cell: of their processes, or (where a trial measured nothing of
 * them) of their connections.
 */
export function clientShares(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const bars = chosenCells(model, selection).flatMap(({ variant, target, cell }): Bar[] =>
    cell.clientShare === null ? [] : [{ label: `${variant.label} · ${target.name}`, cell }],
  );
  const isMeasured = bars.length > 0 && bars.every(({ cell }) => cell.clientTime !== null);
  return isMeasured ? ofProcesses(bars, theme) : ofConnections(bars, theme);
}

/** One part of all bars. */
interface Part {
  readonly name: string;
  readonly fill: string;
  readonly text: string;
  readonly shareOf: (cell: CellSummary) => number;
}

function ofProcesses(bars: readonly Bar[], theme: ChartTheme): Chart {
  const parts = clientParts.map(
    (part): Part => ({
      name: partLabels[part],
      ...theme.parts[part],
      shareOf: ({ clientTime }) => clientTime?.[part] ?? 0,
    }),
  );
  const used = parts.filter(({ shareOf }) => bars.some(({ cell }) => shareOf(cell) > 0));
  return chart(
    bars,
    used,
    'Share of the client processes’ time, measured. Network and server: their event loops at rest with calls under way.',
    theme,
  );
}

const usualParts = [
  ['inCalls', 'waiting in calls'],
  ['encode', 'encoding'],
  ['generate', 'generating rows'],
  ['other', 'other'],
] as const;
/** Only where there was one. */
const pauses = ['paused', 'pausing before retries'] as const;

function ofConnections(bars: readonly Bar[], theme: ChartTheme): Chart {
  const names = bars.some(({ cell }) => (cell.clientShare?.paused ?? 0) > 0) ? [...usualParts, pauses] : usualParts;
  const parts = names.map(
    ([part, name], i): Part => ({
      name,
      fill: theme.shares[i]!,
      // Dark, lighter, light…: text on the first is in the background's colour.
      text: i === 0 ? theme.background : theme.text,
      shareOf: ({ clientShare }) => clientShare?.[part] ?? 0,
    }),
  );
  return chart(
    bars,
    parts,
    'Share of connections × elapsed time. For an in-process engine the calls are the client’s own processor time.',
    theme,
  );
}

const chart = (bars: readonly Bar[], parts: readonly Part[], note: string, theme: ChartTheme): Chart => ({
  id: 'client-shares',
  title: 'Where the client’s time went',
  note,
  ...drawStackedBars(
    {
      rows: bars.map(({ label }) => label),
      tick: formatPercentTick,
      parts: parts.map(({ name, fill, text, shareOf }) => ({
        name,
        fill,
        text,
        values: bars.map(({ cell }) => shareOf(cell)),
        label: (bar) => formatPercent(shareOf(bars[bar]!.cell)),
      })),
    },
    theme,
  ),
  data: {
    columns: ['variant', 'target', ...parts.map(({ name }) => `${name} (share)`)],
    rows: bars.map(({ cell }) => [cell.variant, cell.target, ...parts.map(({ shareOf }) => shareOf(cell))]),
  },
});
