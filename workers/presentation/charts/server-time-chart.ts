import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { resourceLabels } from '#analysis/server/resource-labels.ts';
import { checkpointMarks } from '#analysis/server/server-summary.ts';
import { type ServerTimeline, serverTimelineOf } from '#analysis/server/server-time.ts';
import { formatNumber, formatTick } from '#model/format/format.ts';
import { type ResourceClass, resourceClasses } from '#model/resource.ts';
import { variantOf } from '#planning/variant-of.ts';
import { sentences } from '../text/sentences.ts';
import { methodLabels } from '../text/server-text.ts';
import type { PanelChart } from './kit/chart.ts';
import { onClasses } from './kit/palette.ts';
import type { ChartTheme } from './kit/theme.ts';
import { stackedBands } from './plot/bands.ts';
import { drawPanels, type Panel } from './plot/panels.ts';
import { timeAxis } from './plot/ticks.ts';
import { repeatText, throughputPanel } from './plot/trial-line.ts';

/** A trial whose server reported its time in at least two samples. */
interface Told {
  readonly view: TrialView;
  readonly timeline: ServerTimeline;
}

/** A single sample does not make a band. */
const leastMoments = 2;

const infosOf = (model: RunModel, { trial }: TrialView) =>
  model.targets.find(({ name }) => name === trial.target)?.probeInfo ?? {};

/** True if a trial has a band to draw. */
export const hasServerTimeline = (model: RunModel, view: TrialView): boolean => timelineOf(model, view) !== null;

function timelineOf(model: RunModel, view: TrialView): ServerTimeline | null {
  const { connections } = variantOf(model.plan, view.trial.variant)?.settings ?? {};
  const timeline = serverTimelineOf(infosOf(model, view), view, connections);
  return timeline !== null && timeline.atMs.length >= leastMoments ? timeline : null;
}

/**
 * Throughput, with one band per target on the same time axis below it. A band shows the sessions by the class of the
 * server's time. `views` must be of one variant and one repeat.
 */
export function serverTimeChart(model: RunModel, views: readonly TrialView[], theme: ChartTheme): PanelChart {
  const told = views.flatMap((view): Told[] => {
    const timeline = timelineOf(model, view);
    return timeline === null ? [] : [{ view, timeline }];
  });
  const shown = told.map(({ view }) => view);
  const several = new Set(shown.map(({ trial }) => trial.target)).size > 1;
  const methods = [...new Set(told.map(({ timeline }) => timeline.method))];
  const hasMarks = shown.some((view) => checkpointMarks(infosOf(model, view), view).length > 0);
  return {
    id: 'server-time',
    title: 'Where the servers’ time went',
    note: sentences(
      repeatText(model, told[0]?.view),
      'The sessions by activity and wait class, stacked.',
      ...methods.map((method) => methodLabels[method]),
      hasMarks ? 'A dotted line marks the first sample that counts a checkpoint.' : '',
    ),
    ...drawPanels(
      told.length === 0
        ? []
        : [throughputPanel(model, shown, theme), ...told.map((one) => band(model, one, theme, several))],
      {
        ...timeAxis,
        xMax: Math.max(0, ...told.flatMap(({ view, timeline }) => [...view.series.atMs, ...timeline.atMs])),
        shared: true,
      },
      theme,
    ),
    data: {
      columns: [
        ...['variant', 'target', 'repeat', 'at ms'],
        ...resourceClasses.map((one) => `${one} (sessions)`),
        ...['method', 'checkpoints'],
      ],
      rows: told.flatMap(({ view, timeline }) => {
        const marks = checkpointMarks(infosOf(model, view), view);
        const { variant, target, repeat: number } = view.trial;
        return timeline.atMs.map((at, i) => [
          ...[variant, target, number, at],
          ...resourceClasses.map((one) => timeline.sessions[one]?.[i] ?? null),
          timeline.method,
          // A probe answers samples of sessions and counters together.
          marks.reduce((sum, { atMs, count }) => sum + (atMs === at ? count : 0), 0),
        ]);
      }),
    },
  };
}

/** The classes in fixed order from the bottom. The client's class is on top, because it is not work. */
const stackOrder: readonly ResourceClass[] = [...resourceClasses.filter((one) => one !== 'client'), 'client'];

function band(model: RunModel, { view, timeline }: Told, theme: ChartTheme, several: boolean): Panel {
  const shown = stackOrder.filter((one) => (timeline.sessions[one] ?? []).some((value) => value > 0));
  return {
    title: `Server’s time${several ? `, ${view.trial.target}` : ''} (sessions, ${timeline.method})`,
    format: (value) => formatNumber(value, 2),
    tick: formatTick,
    ...stackedBands(
      shown.map((one) => ({
        ...{ name: resourceLabels[one], colour: theme.classes[one], values: timeline.sessions[one]! },
        on: one === 'client' ? theme.text : onClasses,
      })),
      timeline.atMs,
    ),
    moments: checkpointMarks(infosOf(model, view), view).map(({ atMs, count }) => ({
      at: atMs,
      label: count === 1 ? 'checkpoint' : `${count} checkpoints`,
      colour: theme.text,
    })),
  };
}
