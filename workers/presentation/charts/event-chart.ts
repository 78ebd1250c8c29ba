import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { eventText, orderedKinds } from '#analysis/server/event-summary.ts';
import { sentences } from '../text/sentences.ts';
import type { PanelChart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { eventLanes, lanePx, lanesText } from './plot/event-lanes.ts';
import { axisLabelsPx, drawPanels } from './plot/panels.ts';
import { timeAxis } from './plot/ticks.ts';
import { repeatText, throughputPanel } from './plot/trial-line.ts';

/** True if a server reported background work. */
export const hasEvents = ({ series }: TrialView): boolean => Object.keys(series.events).length > 0;

/**
 * Throughput, with the timed background work of the servers on the same time axis below it. `views` must be of one
 * variant and one repeat, because dips of several repeats would overlap.
 */
export function serverEvents(model: RunModel, views: readonly TrialView[], theme: ChartTheme): PanelChart {
  const shown = views.filter(hasEvents);
  const lanes = eventLanes(model, shown, theme, () => 0);
  const ends = shown.flatMap(({ series }) => series.atMs);
  return {
    id: 'server-work',
    title: 'Server’s own work',
    note: sentences(repeatText(model, shown[0]), lanesText(lanes)),
    ...drawPanels(
      [
        throughputPanel(model, shown, theme),
        // The lowest panel also has the labels of the axis.
        ...lanes.panels.map((panel, i) => ({
          ...panel,
          heightPx: i === lanes.panels.length - 1 ? lanePx + axisLabelsPx : lanePx,
        })),
      ],
      { ...timeAxis, xMax: Math.max(lanes.toMs, ...ends), shared: true },
      theme,
    ),
    data: {
      columns: [
        ...['variant', 'target', 'repeat', 'kind', 'label', 'at ms', 'duration ms', 'bytes'],
        ...['events', 'total ms', 'total bytes', 'sum over ms'],
      ],
      rows: shown.flatMap(({ trial: { variant, target, repeat }, series: { events } }) =>
        orderedKinds(model, target, Object.keys(events)).flatMap((kind) =>
          events[kind]!.marks.map(({ atMs, durationMs, bytes, sum, count, totalMs, totalBytes }) => [
            ...[variant, target, repeat, kind, eventText(model, target, kind), atMs, durationMs, bytes],
            ...[count, totalMs, totalBytes, sum?.spanMs ?? null],
          ]),
        ),
      ),
    },
  };
}
