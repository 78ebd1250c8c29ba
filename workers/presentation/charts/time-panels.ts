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
import { bytesAxis, rateAxis, shareAxis } from './kit/axes.ts';
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

/** The cores and the event loop of the client processes. They show whether the client was the limit. */
export function clientHealth(model: RunModel, views: readonly TrialView[], theme: ChartTheme): PanelChart {
  const linesOf = (values: (series: TrialSeries) => readonly (number | null)[]) =>
    joinRepeats(views.map((view) => secondsLine(model, view, theme, values)));
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
    note: 'If the event loop is busy for more than 0.7 of the time, the measured latencies are limited by the client.',
    ...drawPanels(panels, { panelHeightPx: 132, ...timeAxis, shared: true }, theme),
    get data() {
      return seriesTable(views);
    },
  };
}

/**
 * The server's own metrics: gauges, then counters as differences per second. Metrics that never change are left out.
 */
export function serverProbes(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  widthPx?: number,
): PanelChart {
  return {
    id: 'server-counters',
    title: 'Server counters',
    note: 'Sampled once per second of the measured phase: the sessions of this run by activity and wait class, other gauges, and counters as differences per second. Metrics that never changed are left out.',
    ...drawPanels(
      [
        ...probePanels(model, views, theme, '', ({ gauges }) => gauges),
        ...probePanels(model, views, theme, ' per second', ({ probes }) =>
          Object.fromEntries(
            Object.entries(probes).map(([name, { atMs, perSecond }]) => [name, { atMs, values: perSecond }]),
          ),
        ),
      ],
      { columns: 2, widthPx, panelHeightPx: 132, ...timeAxis },
      theme,
    ),
    get data() {
      return {
        columns: ['variant', 'target', 'repeat', 'probe', 'at ms', 'per second', 'as sampled'],
        rows: views.flatMap(({ trial, series: { gauges, probes } }) => [
          ...Object.entries(gauges).flatMap(([name, { atMs, values }]) =>
            atMs.map((at, i) => [trial.variant, trial.target, trial.repeat, name, at, null, values[i]!]),
          ),
          ...Object.entries(probes).flatMap(([name, { atMs, perSecond }]) =>
            atMs.map((at, i) => [trial.variant, trial.target, trial.repeat, name, at, perSecond[i]!, null]),
          ),
        ]),
      };
    },
  };
}

type Timeline = { readonly atMs: readonly number[]; readonly values: readonly number[] };

/** One panel for each probe that changed: waits first, then the order in which the engines document them. */
function probePanels(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  suffix: string,
  timelinesOf: (series: TrialSeries) => Readonly<Record<string, Timeline>>,
): readonly Panel[] {
  const timelines = views.map((view) => ({ view, own: timelinesOf(view.series) }));
  const moving = timelines.flatMap(({ own }) =>
    Object.keys(own).filter((name) => own[name]!.values.some((value) => value > 0)),
  );
  const explained = model.targets.flatMap(({ probeInfo }) => Object.keys(probeInfo));
  const rank = (name: string) =>
    isWait(name) ? -1 : explained.includes(name) ? explained.indexOf(name) : explained.length;
  return [...new Set(moving)]
    .toSorted((a, b) => rank(a) - rank(b))
    .map((name) => {
      // Two engines may use a name for different metrics, so the explanation comes from a target that has the metric.
      const having = new Set(timelines.flatMap(({ view, own }) => (name in own ? [view.trial.target] : [])));
      const info = model.targets.find((target) => having.has(target.name) && name in target.probeInfo)?.probeInfo[name];
      const bytes = info?.unit === 'bytes';
      const unit = bytes || info === undefined || info.unit === 'count' ? '' : ` (${info.unit})`;
      return {
        title: `${info?.label ?? waitTitle(name)}${suffix}${unit}`,
        ...(bytes ? bytesAxis : rateAxis),
        binary: bytes,
        lines: joinRepeats(
          timelines.flatMap(({ view, own }) => {
            const timeline = own[name];
            if (timeline === undefined) return [];
            return [
              {
                ...trialLook(model, view, theme),
                points: timeline.atMs.map((at, i) => [at, timeline.values[i]!] as const),
              },
            ];
          }),
        ),
      };
    });
}

const isWait = (name: string) => name.startsWith('wait:');
/** The label of a gauge such as "wait:LWLock:WALWrite" (see ProbeSample.gauges). */
const waitTitle = (name: string) => (isWait(name) ? `Sessions waiting: ${name.split(':').slice(1).join(' · ')}` : name);

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
