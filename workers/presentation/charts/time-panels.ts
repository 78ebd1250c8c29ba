import type { RunModel, TrialSeries, TrialView } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { changesOf } from '#analysis/server/changes.ts';
import {
  formatBytes,
  formatBytesTick,
  formatMs,
  formatMsTick,
  formatNumber,
  formatPercent,
  formatPercentTick,
  formatShort,
  formatTick,
} from '#model/format/format.ts';
import { fillingOperations } from '#model/settings/vocabulary.ts';
import { placeStages } from '#model/stages.ts';
import type { Table } from '../tables/shared/csv.ts';
import { changeShare } from '../text/change-text.ts';
import type { Chart } from './plot/chart.ts';
import { drawPanels, type Line, type Panel } from './plot/panels.ts';
import { chosenTargets, chosenVariants, defaultWidthPx, type Selection } from './plot/select.ts';
import type { ChartTheme } from './plot/theme.ts';
import { timeAxis } from './plot/ticks.ts';
import { lookOf, points, rowsDone, throughputLine } from './plot/trial-line.ts';

/** Throughput per second of every repeat, one panel per variant. */
export function throughputOverTime(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const views = chosenViews(model, selection);
  const courses = views.filter(({ series }) => series.atMs.length > 1);
  const stagesBegin = stageMoments(model, courses, theme);
  const moments = (view: TrialView) =>
    changesOf(view).map((change) => ({
      at: change.atMs,
      label: changeShare(change),
      colour: lookOf(model, view, theme).colour,
    }));
  const panels = byVariant(
    model,
    courses,
    selection,
    (view) => [throughputLine(model, view, theme)],
    (view) => [...moments(view), ...stagesBegin(view)],
  );
  return {
    id: 'throughput-over-time',
    title: 'Throughput over time',
    note: [
      'One line per repeat, one point per second of the measured phase.',
      courses.length < views.length ? 'Trials of less than two seconds have no course to show and are left out.' : '',
      model.plan.measure.stages ? 'Dotted, with a name: where a stage of the load begins.' : '',
      courses.some((view) => moments(view).length > 0)
        ? 'Dotted: where the rate changed for longer than chance explains (E-divisive, trials of 20 seconds or more).'
        : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
    ...drawPanels(
      panels,
      {
        columns: 3,
        widthPx: selection.widthPx ?? defaultWidthPx,
        panelHeightPx: 168,
        xName: 'elapsed',
        ...timeAxis,
      },
      theme,
    ),
    data: seriesTable(courses),
  };
}

/** Where the stages of the load after the first one begin: once in a panel, with its first line. */
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
 * Work that waits for a connection, per second of every repeat: a line that rises is a load that the target cannot
 * carry.
 */
export function waitingOverTime(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const views = chosenViews(model, selection).filter(({ series }) =>
    series.waiting.some((waiting) => waiting !== null),
  );
  const panels = byVariant(
    model,
    views,
    selection,
    (view) => [{ ...lookOf(model, view, theme), points: points(view.series, view.series.waiting) }],
    stageMoments(model, views, theme),
    'units',
  );
  return {
    id: 'waiting-over-time',
    title: 'Waiting for a connection',
    note: 'Units of work that had arrived and had no connection, at the end of each second; one line per repeat. A line that rises is a load that the target does not keep up with.',
    ...drawPanels(
      panels,
      {
        columns: 3,
        widthPx: selection.widthPx ?? defaultWidthPx,
        panelHeightPx: 168,
        xName: 'elapsed',
        xFormat: formatMsTick,
        xMin: 0,
      },
      theme,
    ),
    data: seriesTable(views),
  };
}

/** Throughput of inserts and copies over the rows done: shows whether the rate falls as the table grows. */
export function throughputOverRows(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const growing = new Set(
    model.plan.variants.filter(({ settings }) => fillingOperations.includes(settings.operation)).map(({ id }) => id),
  );
  const views = chosenViews(model, selection).filter(
    ({ trial, series }) => growing.has(trial.variant) && series.atMs.length > 1,
  );
  const panels = byVariant(model, views, selection, (view) => {
    const done = rowsDone(view);
    const line = view.series.rowsPerSecond.map((rate, i) => [done[i]!, rate] as const);
    return [{ ...lookOf(model, view, theme), points: line }];
  });
  return {
    id: 'throughput-over-rows',
    title: 'Throughput over rows done',
    note: 'A rate that falls along the axis falls with the size of the table. Trials of at least two seconds.',
    ...drawPanels(
      panels,
      {
        columns: 3,
        widthPx: selection.widthPx ?? defaultWidthPx,
        panelHeightPx: 168,
        xName: 'rows',
        xFormat: formatTick,
        xMin: 0,
      },
      theme,
    ),
    data: {
      columns: ['variant', 'target', 'repeat', 'rows done', 'rows/s'],
      rows: views.flatMap((view) => {
        const { trial, series } = view;
        const done = rowsDone(view);
        return series.rowsPerSecond.map((rate, i) => [trial.variant, trial.target, trial.repeat, done[i]!, rate]);
      }),
    },
  };
}

/** Cores and event loop of the client processes: whether the client was the limit. */
export function clientHealth(model: RunModel, views: readonly TrialView[], theme: ChartTheme): Chart {
  const line = (view: TrialView, values: readonly (number | null)[]): Line => ({
    ...lookOf(model, view, theme),
    points: points(view.series, values),
  });
  const panels = healthPanels(views, line, (title, format, lines, more = {}) => ({
    title,
    format,
    lines: views.flatMap(lines),
    tick: tickOf(format),
    ...more,
  }));
  return {
    id: 'client-health',
    title: 'Client health',
    note: 'Above 0.7 of the event loop the latencies are the client’s.',
    ...drawPanels(
      panels,
      {
        columns: 1,
        widthPx: defaultWidthPx,
        panelHeightPx: 132,
        xName: 'elapsed',
        ...timeAxis,
        shared: true,
      },
      theme,
    ),
    data: seriesTable(views),
  };
}

/**
 * What the server says of itself: its gauges, then its counters as differences per second. What never moved is left
 * out.
 */
export function serverProbes(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  widthPx = defaultWidthPx,
): Chart {
  return {
    id: 'server-counters',
    title: 'Server counters',
    note: 'Once a second of the measured phase: sessions of this run by what they do or wait for, and other gauges, as sampled; counters as differences per second. All that moved.',
    ...drawPanels(
      [
        ...probePanels(model, views, theme, '', ({ gauges }) => gauges),
        ...probePanels(model, views, theme, ' per second', ({ probes }) =>
          Object.fromEntries(
            Object.entries(probes).map(([name, { atMs, perSecond }]) => [name, { atMs, values: perSecond }]),
          ),
        ),
      ],
      { columns: 2, widthPx, panelHeightPx: 132, xName: 'elapsed', ...timeAxis },
      theme,
    ),
    data: {
      columns: ['variant', 'target', 'repeat', 'probe', 'at ms', 'per second', 'as sampled'],
      rows: views.flatMap(({ trial, series: { gauges, probes } }) => [
        ...Object.entries(gauges).flatMap(([name, { atMs, values }]) =>
          atMs.map((at, i) => [trial.variant, trial.target, trial.repeat, name, at, null, values[i]!]),
        ),
        ...Object.entries(probes).flatMap(([name, { atMs, perSecond }]) =>
          atMs.map((at, i) => [trial.variant, trial.target, trial.repeat, name, at, perSecond[i]!, null]),
        ),
      ]),
    },
  };
}

type MakePanel = (
  title: string,
  format: Panel['format'],
  lines: (view: TrialView) => readonly Line[],
  more?: Partial<Panel>,
) => Panel;

function healthPanels(
  views: readonly TrialView[],
  line: (view: TrialView, values: readonly (number | null)[]) => Line,
  panel: MakePanel,
): readonly Panel[] {
  if (views.every(({ series }) => series.atMs.length === 0)) return [];
  return [
    panel(
      'Client processor (cores)',
      (value) => formatNumber(value, 2),
      (view) => [line(view, view.series.clientCores)],
    ),
    panel(
      'Client event loop, busiest process',
      formatPercent,
      (view) => [line(view, view.series.eventLoopUtilisation)],
      {
        max: 1,
        levels: [{ value: 0.7, label: 'saturated' }],
      },
    ),
  ];
}

type Course = { readonly atMs: readonly number[]; readonly values: readonly number[] };

/** A panel for each probe that moved: waits first, then in the order in which the engines explain them. */
function probePanels(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  suffix: string,
  coursesOf: (series: TrialSeries) => Readonly<Record<string, Course>>,
): readonly Panel[] {
  const courses = views.map((view) => ({ view, own: coursesOf(view.series) }));
  const moving = courses.flatMap(({ own }) =>
    Object.keys(own).filter((name) => own[name]!.values.some((value) => value > 0)),
  );
  const explained = model.targets.flatMap(({ probeInfo }) => Object.keys(probeInfo));
  const rank = (name: string) =>
    isWait(name) ? -1 : explained.includes(name) ? explained.indexOf(name) : explained.length;
  return [...new Set(moving)]
    .toSorted((a, b) => rank(a) - rank(b))
    .map((name) => {
      // Two engines may mean different things by a name: it is explained by a target that has it.
      const having = new Set(courses.flatMap(({ view, own }) => (name in own ? [view.trial.target] : [])));
      const info = model.targets.find((target) => having.has(target.name) && name in target.probeInfo)?.probeInfo[name];
      const bytes = info?.unit === 'bytes';
      const unit = bytes || info === undefined || info.unit === 'count' ? '' : ` (${info.unit})`;
      return {
        title: `${info?.label ?? waitTitle(name)}${suffix}${unit}`,
        format: bytes ? formatBytes : formatShort,
        tick: bytes ? formatBytesTick : formatTick,
        binary: bytes,
        lines: courses.flatMap(({ view, own }) => {
          const course = own[name];
          if (course === undefined) return [];
          return [
            { ...lookOf(model, view, theme), points: course.atMs.map((at, i) => [at, course.values[i]!] as const) },
          ];
        }),
      };
    });
}

const isWait = (name: string) => name.startsWith('wait:');
/** "wait:LWLock:WALWrite" in words (see ProbeSample.gauges). */
const waitTitle = (name: string) => (isWait(name) ? `Sessions waiting: ${name.split(':').slice(1).join(' · ')}` : name);

function byVariant(
  model: RunModel,
  views: readonly TrialView[],
  selection: Selection,
  lines: (view: TrialView) => readonly Line[],
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
            format: formatShort,
            tick: formatTick,
            lines: own.flatMap(lines),
            moments: own.flatMap(moments),
          },
        ];
  });
}

function chosenViews(model: RunModel, selection: Selection): readonly TrialView[] {
  const targets = new Set(chosenTargets(model, selection).map(({ name }) => name));
  return model.trials.filter(
    ({ trial, series }) =>
      targets.has(trial.target) && series.atMs.length > 0 && (selection.variants?.includes(trial.variant) ?? true),
  );
}

const tickOf = (format: Panel['format']) =>
  format === formatMs
    ? formatMsTick
    : format === formatPercent
      ? formatPercentTick
      : format === formatShort
        ? formatTick
        : format;

function seriesTable(views: readonly TrialView[]): Table {
  return {
    columns: [
      ...[
        'variant',
        'target',
        'repeat',
        'at ms',
        'rows/s',
        'calls/s',
        'errors/s',
        'retries/s',
        'lost to conflicts, ms/s',
        'p50 ms',
        'p95 ms',
        'p99 ms',
        'max ms',
        'waiting for a connection',
      ],
      ...['client cores', 'event-loop utilisation', 'client memory bytes'],
    ],
    rows: views.flatMap(({ trial, series }) =>
      series.atMs.map((at, i) => [
        trial.variant,
        trial.target,
        trial.repeat,
        at,
        series.rowsPerSecond[i]!,
        series.callsPerSecond[i]!,
        series.errorsPerSecond[i]!,
        series.retriesPerSecond[i]!,
        series.lostMsPerSecond[i]!,
        series.p50Ms[i]!,
        series.p95Ms[i]!,
        series.p99Ms[i]!,
        series.maxMs[i]!,
        series.waiting[i] ?? null,
        series.clientCores[i]!,
        series.eventLoopUtilisation[i]!,
        series.rssBytes[i]!,
      ]),
    ),
  };
}
