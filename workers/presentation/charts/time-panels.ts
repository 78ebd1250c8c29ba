import { rowsDone } from '#analysis/run-model/rows-done.ts';
import type { RunModel, TrialSeries, TrialView } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { changesOf } from '#analysis/server/changes.ts';
import { formatMsTick, formatNumber, formatTick } from '#model/format/format.ts';
import { fillingOperations } from '#model/settings/vocabulary.ts';
import { placeStages } from '#model/stages.ts';
import type { Table } from '../tables/shared/csv.ts';
import { changeShare } from '../text/change-text.ts';
import { sentences } from '../text/sentences.ts';
import { rateAxis, shareAxis } from './kit/axes.ts';
import type { PanelChart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { drawPanels, type Line, type Panel } from './plot/panels.ts';
import { chosenVariants, type Selection } from './plot/select.ts';
import { timeAxis } from './plot/ticks.ts';
import { chosenViews, joinRepeats, secondsLine, throughputLine, trialLook } from './plot/trial-line.ts';

/** Throughput per second of every repeat, one panel per variant. */
export function throughputOverTime(model: RunModel, theme: ChartTheme, selection: Selection = {}): PanelChart {
  const views = chosenViews(model, selection);
  const timelines = views.filter(({ series }) => series.atMs.length > 1);
  const stagesBegin = stageMoments(model, timelines, theme);
  const moments = (view: TrialView) =>
    changesOf(view).map((change) => ({
      at: change.atMs,
      label: changeShare(change),
      colour: trialLook(model, view, theme).colour,
    }));
  const panels = byVariant(
    model,
    timelines,
    selection,
    (repeats) => joinRepeats(repeats.map((view) => throughputLine(model, view, theme))),
    (view) => [...moments(view), ...stagesBegin(view)],
  );
  return {
    id: 'throughput-over-time',
    title: 'Throughput over time',
    note: sentences(
      'One line per repeat, one point per second of the measured phase.',
      timelines.length < views.length
        ? 'Trials shorter than two seconds are left out, because they have no timeline.'
        : '',
      model.plan.measure.stages ? 'A dotted line with a name marks the start of a load stage.' : '',
      timelines.some((view) => moments(view).length > 0)
        ? 'A dotted line marks a significant change of the rate (E-divisive; trials of 20 seconds or more).'
        : '',
    ),
    ...drawPanels(panels, { columns: 3, widthPx: selection.widthPx, ...timeAxis }, theme),
    get data() {
      return seriesTable(timelines);
    },
  };
}

/** The starts of the load's later stages. Only the first line of a panel marks them. */
function stageMoments(
  { plan }: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
): (view: TrialView) => NonNullable<Panel['moments']> {
  const [, ...later] = placeStages(plan.measure.stages ?? []);
  const moments = later.map(({ name, fromMs }) => ({ at: fromMs, label: name, colour: theme.muted }));
  const firsts = new Set([...Map.groupBy(views, ({ trial }) => trial.variant).values()].map(([first]) => first));
  return (view) => (firsts.has(view) ? moments : []);
}

/**
 * The number of units that wait for a connection, per second and repeat. A rising line shows that the target cannot
 * carry the load.
 */
export function waitingOverTime(model: RunModel, theme: ChartTheme, selection: Selection = {}): PanelChart {
  const views = chosenViews(model, selection).filter(({ series }) =>
    series.waiting.some((waiting) => waiting !== null),
  );
  const panels = byVariant(
    model,
    views,
    selection,
    (repeats) => joinRepeats(repeats.map((view) => secondsLine(model, view, theme, ({ waiting }) => waiting))),
    stageMoments(model, views, theme),
    'units',
  );
  return {
    id: 'waiting-over-time',
    title: 'Waiting for a connection',
    note: 'Units of work that had arrived but had no connection yet, at the end of each second; one line per repeat. If a line rises, the target cannot keep up with the load.',
    ...drawPanels(
      panels,
      { columns: 3, widthPx: selection.widthPx, xName: 'elapsed', xFormat: formatMsTick, xMin: 0 },
      theme,
    ),
    get data() {
      return seriesTable(views);
    },
  };
}

/** The throughput of inserts and copies over the rows done. It shows whether the rate falls as the table grows. */
export function throughputOverRows(model: RunModel, theme: ChartTheme, selection: Selection = {}): PanelChart {
  const growing = new Set(
    model.plan.variants.filter(({ settings }) => fillingOperations.includes(settings.operation)).map(({ id }) => id),
  );
  const views = chosenViews(model, selection).filter(
    ({ trial, series }) => growing.has(trial.variant) && series.atMs.length > 1,
  );
  const panels = byVariant(model, views, selection, (repeats) =>
    repeats.map((view) => {
      const done = rowsDone(view);
      const line = view.series.rowsPerSecond.map((rate, i) => [done[i]!, rate] as const);
      return { ...trialLook(model, view, theme), points: line };
    }),
  );
  return {
    id: 'throughput-over-rows',
    title: 'Throughput over rows done',
    note: 'If the rate falls along the axis, it depends on the size of the table. Only trials of at least two seconds are shown.',
    ...drawPanels(
      panels,
      { columns: 3, widthPx: selection.widthPx, xName: 'rows', xFormat: formatTick, xMin: 0 },
      theme,
    ),
    get data() {
      return {
        columns: ['variant', 'target', 'repeat', 'rows done', 'rows/s'],
        rows: views.flatMap((view) => {
          const { trial, series } = view;
          const done = rowsDone(view);
          return series.rowsPerSecond.map((rate, i) => [trial.variant, trial.target, trial.repeat, done[i]!, rate]);
        }),
      };
    },
  };
}

/**
 * The cores and the event loop of the client processes. They show whether the client was the limit. Trials with one
 * value each are drawn over their repeats instead of over time.
 */
export function clientHealth(model: RunModel, views: readonly TrialView[], theme: ChartTheme): PanelChart {
  const overRepeats = views.every(({ series }) => series.atMs.length <= 1);
  const linesOf = (values: (series: TrialSeries) => readonly (number | null)[]) =>
    overRepeats
      ? repeatLines(model, views, theme, values)
      : joinRepeats(views.map((view) => secondsLine(model, view, theme, values)));
  const panels: readonly Panel[] = [
    {
      title: 'Client processor (cores)',
      format: (value) => formatNumber(value, 2),
      lines: linesOf(({ clientCores }) => clientCores),
    },
    {
      title: 'Client event loop, busiest process',
      ...shareAxis,
      lines: linesOf(({ eventLoopUtilisation }) => eventLoopUtilisation),
      max: 1,
      levels: [{ value: 0.7, label: 'saturated' }],
    },
  ];
  return {
    id: 'client-health',
    title: 'Client health',
    note: sentences(
      'If the event loop is busy for more than 70 % of the time, the measured latencies are limited by the client.',
      overRepeats ? 'Trials of less than two seconds have one value each.' : '',
    ),
    ...drawPanels(panels, { panelHeightPx: 132, ...(overRepeats ? repeatAxis(views) : timeAxis), shared: true }, theme),
    get data() {
      return seriesTable(views);
    },
  };
}

/** A line for each target, with a point for each repeat. */
const repeatLines = (
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  values: (series: TrialSeries) => readonly (number | null)[],
): readonly Line[] =>
  [...Map.groupBy(views, ({ trial }) => trial.target).values()].map((own) => ({
    ...trialLook(model, own[0]!, theme),
    marked: true,
    points: own
      .toSorted((a, b) => a.trial.repeat - b.trial.repeat)
      .map(({ trial, series }) => [trial.repeat, values(series)[0] ?? null] as const),
  }));

/** An x axis of repeats, with a tick for each until there are too many. */
function repeatAxis(views: readonly TrialView[]) {
  const last = Math.max(1, ...views.map(({ trial }) => trial.repeat));
  return {
    xName: 'repeat',
    xFormat: (value: number) => (value < 1 ? '' : formatTick(value)),
    xStep: () => Math.ceil(last / 20),
    xMin: 0,
    xMax: last + 1,
  };
}

function byVariant(
  model: RunModel,
  views: readonly TrialView[],
  selection: Selection,
  lines: (views: readonly TrialView[]) => readonly Line[],
  moments: (view: TrialView) => NonNullable<Panel['moments']> = () => [],
  unit = rateUnit(model),
): readonly Panel[] {
  return chosenVariants(model, selection).flatMap(({ id, label }) => {
    const own = views.filter(({ trial }) => trial.variant === id);
    return own.length === 0
      ? []
      : [
          {
            title: `${label} (${unit})`,
            ...rateAxis,
            lines: lines(own),
            moments: own.flatMap(moments),
          },
        ];
  });
}

const seriesTable = (views: readonly TrialView[]): Table => ({
  columns: ['variant', 'target', 'repeat', 'at ms', ...seriesColumns.map(([name]) => name)],
  rows: views.flatMap(({ trial: { variant, target, repeat }, series }) =>
    series.atMs.map((at, i) => [
      ...[variant, target, repeat, at],
      ...seriesColumns.map(([, values]) => values(series)[i] ?? null),
    ]),
  ),
});

/** The numbers of each second, by their titles in tables. */
const seriesColumns: readonly (readonly [string, (series: TrialSeries) => readonly (number | null)[]])[] = [
  ['rows/s', ({ rowsPerSecond }) => rowsPerSecond],
  ['calls/s', ({ callsPerSecond }) => callsPerSecond],
  ['errors/s', ({ errorsPerSecond }) => errorsPerSecond],
  ['retries/s', ({ retriesPerSecond }) => retriesPerSecond],
  ['lost to conflicts, ms/s', ({ lostMsPerSecond }) => lostMsPerSecond],
  ['p50 ms', ({ p50Ms }) => p50Ms],
  ['p95 ms', ({ p95Ms }) => p95Ms],
  ['p99 ms', ({ p99Ms }) => p99Ms],
  ['max ms', ({ maxMs }) => maxMs],
  ['waiting for a connection', ({ waiting }) => waiting],
  ['client cores', ({ clientCores }) => clientCores],
  ['event-loop utilisation', ({ eventLoopUtilisation }) => eventLoopUtilisation],
  ['client memory bytes', ({ rssBytes }) => rssBytes],
];
