import {
  formatBytes,
  formatMs,
  formatMsTick,
  formatNumber,
  formatPercent,
  formatPercentTick,
  formatShort,
  formatTick,
} from '../format.ts';
import type { RunModel, TrialSeries, TrialView } from '../model.ts';
import type { Chart, Table } from './chart.ts';
import { dashOf, symbolOf } from './palette.ts';
import { drawPanels, type Line, type Panel } from './panels.ts';
import { chosenTargets, chosenVariants, countsRows, defaultWidthPx, rateUnit, type Selection } from './select.ts';
import { type ChartTheme, colourOf } from './theme.ts';

type Look = Pick<Line, 'name' | 'colour' | 'dash' | 'symbol'>;

/** Throughput per second of every repeat, one panel per variant. */
export function throughputOverTime(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const views = chosenViews(model, selection);
  const courses = views.filter(({ series }) => series.atMs.length > 1);
  const panels = byVariant(model, courses, selection, (view) => [
    { ...lookOf(model, view, theme), points: points(view.series, rates(model, view.series)) },
  ]);
  return {
    id: 'throughput-over-time',
    title: 'Throughput over time',
    note: `One line per repeat, one point per second of the measured phase.${
      courses.length < views.length ? ' Trials of less than two seconds have no course to show and are left out.' : ''
    }`,
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

/** The same over rows done: shows whether the rate falls as the table grows. */
export function throughputOverRows(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const views = chosenViews(model, selection).filter(({ series }) => series.atMs.length > 1);
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
        xFormat: formatMsTick,
        xMin: 0,
        shared: true,
      },
      theme,
    ),
    data: seriesTable(views),
  };
}

/** Per-second differences of the server's counters, those that moved most by their own scale first. */
export function serverProbes(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  most = 8,
  widthPx = defaultWidthPx,
): Chart {
  return {
    id: 'server-counters',
    title: 'Server counters',
    note: 'Differences per second of the measured phase.',
    ...drawPanels(
      probePanels(model, views, theme, most),
      { columns: 2, widthPx, panelHeightPx: 132, xName: 'elapsed', xFormat: formatMsTick, xMin: 0 },
      theme,
    ),
    data: {
      columns: ['variant', 'target', 'repeat', 'counter', 'at ms', 'per second'],
      rows: views.flatMap(({ trial, series }) =>
        Object.entries(series.probes).flatMap(([name, { atMs, perSecond }]) =>
          atMs.map((at, i) => [trial.variant, trial.target, trial.repeat, name, at, perSecond[i]!]),
        ),
      ),
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

function probePanels(model: RunModel, views: readonly TrialView[], theme: ChartTheme, most: number): readonly Panel[] {
  const moved = new Map<string, number>();
  for (const { series } of views)
    for (const [name, { perSecond }] of Object.entries(series.probes))
      moved.set(name, Math.max(moved.get(name) ?? 0, ...perSecond));
  const names = [...moved].filter(([, peak]) => peak > 0).map(([name]) => name);
  return names.slice(0, most).map((name) => {
    const info = model.targets.map(({ probeInfo }) => probeInfo[name]).find((found) => found !== undefined);
    const bytes = info?.unit === 'bytes';
    return {
      title: `${info?.label ?? name} per second${bytes || info === undefined || info.unit === 'count' ? '' : ` (${info.unit})`}`,
      format: bytes ? formatBytes : formatShort,
      tick: bytes ? formatBytes : formatTick,
      binary: bytes,
      lines: views.flatMap((view) => {
        const probe = view.series.probes[name];
        if (probe === undefined) return [];
        return [
          { ...lookOf(model, view, theme), points: probe.atMs.map((at, i) => [at, probe.perSecond[i]!] as const) },
        ];
      }),
    };
  });
}

function byVariant(
  model: RunModel,
  views: readonly TrialView[],
  selection: Selection,
  lines: (view: TrialView) => readonly Line[],
): readonly Panel[] {
  return chosenVariants(model, selection).flatMap(({ id, label }) => {
    const own = views.filter(({ trial }) => trial.variant === id);
    return own.length === 0
      ? []
      : [{ title: `${label} (${rateUnit(model)})`, format: formatShort, tick: formatTick, lines: own.flatMap(lines) }];
  });
}

function chosenViews(model: RunModel, selection: Selection): readonly TrialView[] {
  const targets = new Set(chosenTargets(model, selection).map(({ name }) => name));
  return model.trials.filter(
    ({ trial, series }) =>
      targets.has(trial.target) && series.atMs.length > 0 && (selection.variants?.includes(trial.variant) ?? true),
  );
}

function lookOf({ plan }: RunModel, { trial }: TrialView, theme: ChartTheme): Look {
  const index = plan.targets.find(({ name }) => name === trial.target)?.index ?? 0;
  return { name: trial.target, colour: colourOf(theme, index), dash: dashOf(index), symbol: symbolOf(index) };
}

const rates = (model: RunModel, series: TrialSeries) =>
  countsRows(model) ? series.rowsPerSecond : series.callsPerSecond;
const tickOf = (format: Panel['format']) =>
  format === formatMs
    ? formatMsTick
    : format === formatPercent
      ? formatPercentTick
      : format === formatShort
        ? formatTick
        : format;
const points = (series: TrialSeries, values: readonly (number | null)[]) =>
  series.atMs.map((at, i) => [at, values[i] ?? null] as const);

/** Rows done by the end of each second. Seconds are rounded, so that of a finished trial the sum is made to fit what it did. */
function rowsDone({ series: { atMs, rowsPerSecond }, result }: TrialView): readonly number[] {
  let sum = 0;
  const sums = atMs.map((at, i) => {
    sum += (rowsPerSecond[i]! * (at - (atMs[i - 1] ?? 0))) / 1_000;
    return sum;
  });
  const fit = result !== null && sum > 0 ? result.totals.rows / sum : 1;
  return sums.map((done) => Math.round(done * fit));
}

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
        'p50 ms',
        'p95 ms',
        'p99 ms',
        'max ms',
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
        series.p50Ms[i]!,
        series.p95Ms[i]!,
        series.p99Ms[i]!,
        series.maxMs[i]!,
        series.clientCores[i]!,
        series.eventLoopUtilisation[i]!,
        series.rssBytes[i]!,
      ]),
    ),
  };
}
