import { type ClientPart, clientParts, partLabels } from '#analysis/client/client-time.ts';
import type { ClientTimeline, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { sentences } from '../text/sentences.ts';
import { shareAxis } from './kit/axes.ts';
import type { PanelChart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { stackedBands } from './plot/bands.ts';
import { drawPanels, type Panel } from './plot/panels.ts';
import { timeAxis } from './plot/ticks.ts';
import { repeatText, throughputPanel } from './plot/trial-line.ts';

/** True if a trial has a band to draw. A trial of a single second has none. */
export const hasClientTimeline = ({ series }: TrialView): boolean =>
  series.clientTime.length > 0 && series.atMs.length > 1;

/** True if the trial has a timeline for each of its processes. */
export const hasProcesses = ({ series }: TrialView): boolean => series.clientTime.length > 1;

const bandPx = 150;

/**
 * Throughput, with one band per target on the same time axis below it. A band shows how the target's client processes
 * spent their time, together or one by one. `views` must be of one variant and one repeat.
 */
export function clientTimeChart(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  { perProcess = false, widthPx }: { readonly perProcess?: boolean; readonly widthPx?: number } = {},
): PanelChart {
  const place = ({ trial }: TrialView) => model.plan.targets.findIndex(({ name }) => name === trial.target);
  const drawn = views.filter(hasClientTimeline).toSorted((a, b) => place(a) - place(b));
  const bands = drawn.flatMap((view) => timelinesOf(view, perProcess).map((timeline) => ({ view, timeline })));
  const parts = clientParts.filter((part) =>
    bands.some(({ timeline }) => timeline.shares.some((shares) => (shares?.[part] ?? 0) > 0)),
  );
  return {
    id: 'client-time',
    title: 'Where the clients’ time went',
    note: sentences(
      repeatText(model, drawn[0]),
      perProcess ? 'Each client process;' : 'All client processes of a target together;',
      'the bands add up to their whole measured time. “Network and server” is the time in which the event loop was idle while calls were in flight.',
    ),
    ...drawPanels(
      bands.length === 0
        ? []
        : [
            { ...throughputPanel(model, drawn, theme), heightPx: 132 },
            ...bands.map(({ view, timeline }) => bandPanel(view, timeline, parts, theme)),
          ],
      {
        widthPx,
        panelHeightPx: bandPx,
        ...timeAxis,
        xMax: Math.max(0, ...drawn.flatMap(({ series }) => series.atMs)),
        shared: true,
      },
      theme,
    ),
    data: {
      columns: [
        ...['variant', 'target', 'repeat', 'process', 'at ms'],
        ...clientParts.map((part) => `${partLabels[part]} (share)`),
      ],
      rows: bands.flatMap(({ view: { trial, series }, timeline }) =>
        series.atMs.map((at, i) => [
          ...[trial.variant, trial.target, trial.repeat, processName(timeline), at],
          ...clientParts.map((part) => timeline.shares[i]?.[part] ?? null),
        ]),
      ),
    },
  };
}

/** The shares are computed once here, because shares of a single process are recomputed at each call. */
const timelinesOf = ({ series: { clientTime } }: TrialView, perProcess: boolean): readonly ClientTimeline[] =>
  (perProcess && clientTime.length > 1 ? clientTime.slice(1) : clientTime.slice(0, 1)).map(({ worker, shares }) => ({
    worker,
    shares,
  }));

/** Counted from 1. */
const processName = ({ worker }: ClientTimeline): string | number => (worker === null ? 'all' : worker + 1);

function bandPanel(
  { trial, series }: TrialView,
  timeline: ClientTimeline,
  parts: readonly ClientPart[],
  theme: ChartTheme,
): Panel {
  // The first sample covers the whole first second, so the band begins at the start of the phase.
  const at = [0, ...series.atMs];
  const shares = [timeline.shares[0] ?? null, ...timeline.shares];
  return {
    title: `Client’s time, ${trial.target}${timeline.worker === null ? '' : `, process ${timeline.worker + 1}`}`,
    ...shareAxis,
    max: 1,
    ...stackedBands(
      parts.map((part) => ({
        ...{ name: partLabels[part], colour: theme.parts[part].fill, on: theme.parts[part].text },
        values: shares.map((one) => one?.[part] ?? null),
      })),
      at,
    ),
  };
}
