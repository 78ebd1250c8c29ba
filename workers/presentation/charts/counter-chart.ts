import type { RunModel, TrialSeries, TrialView } from '#analysis/run-model/run-model.ts';
import type { ProbeInfo } from '#engine-api/probe.ts';
import { waitName } from '#engine-api/probe-info.ts';
import { formatCount } from '#model/format/format.ts';
import type { Table } from '../tables/shared/csv.ts';
import { bytesAxis, rateAxis } from './kit/axes.ts';
import type { PanelChart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { drawPanels, type Line, type Panel } from './plot/panels.ts';
import { timeAxis } from './plot/ticks.ts';
import { joinRepeats, trialLook } from './plot/trial-line.ts';

/** The counters that are shown first. The charts of the areas have all of them. */
const mostFirst = 6;
/** A counter with fewer seconds above zero is noise, unless there is nothing else. */
const leastSeconds = 5;

/** The areas in their order. A counter belongs to the first area in the list of rules below that matches. */
const areas = {
  waits: 'sessions, waits and locks',
  log: 'log and checkpoints',
  files: 'pages, memory and files',
  work: 'statements, rows and transactions',
  network: 'network',
  other: 'others',
} as const;
type Area = keyof typeof areas;

const rules: readonly (readonly [Area, RegExp])[] = [
  ['log', /\b(log|logs|wal|redo|journal|checkpoints?)\b/i],
  ['waits', /\b(wait|waits|waited|waiting|lock|locks|deadlocks?|latch|latches|queued|conflicts|flow control)\b/i],
  ['files', /\b(pages?|page|buffers?|cache|files?|disk|evicted|evicting|doublewrite|written|memory|tables? on)\b/i],
  ['network', /\b(sent|received|round trips|bytes from|bytes to)\b/i],
  ['waits', /\b(sessions?|threads?|connections?|at work)\b/i],
  [
    'work',
    /\b(statements?|rows?|documents?|index|plans?|commits?|transactions?|rollbacks?|quer(y|ies)|inserts?|inserted|updates?|updated|deletes?|deleted|commands?|sorts?|batch|batches|requests?|entries|calls?)\b/i,
  ],
];

/** A metric of the server that changed during a trial, on all targets that have it. */
interface Metric {
  readonly name: string;
  readonly area: Area;
  /** The greatest standard deviation of a trial's seconds as a share of their mean. */
  readonly movement: number;
  readonly panel: Panel;
}

/**
 * The server's own metrics: first the six that moved most, then all of them by area, folded. Metrics that never changed
 * are left out.
 */
export function serverCounters(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  widthPx?: number,
): readonly PanelChart[] {
  const metrics = [
    ...metricsOf(model, views, theme, '', ({ gauges }) => gauges),
    ...metricsOf(model, views, theme, ' per second', ({ probes }) =>
      Object.fromEntries(
        Object.entries(probes).map(([name, { atMs, perSecond }]) => [name, { atMs, values: perSecond }]),
      ),
    ),
  ];
  const drawn = (own: readonly Metric[]) =>
    drawPanels(
      own.map(({ panel }) => panel),
      { columns: 2, widthPx, panelHeightPx: 132, ...timeAxis },
      theme,
    );
  const isFew = metrics.length <= mostFirst;
  const first = isFew ? metrics : metrics.toSorted((a, b) => b.movement - a.movement).slice(0, mostFirst);
  return [
    {
      id: 'server-counters',
      title: 'Server counters',
      note: `Sampled once per second of the measured phase: the sessions of this run by activity and wait class, other gauges, and counters as differences per second. Metrics that never changed are left out.${
        isFew
          ? ''
          : ` These ${mostFirst} of ${formatCount(metrics.length)} changed most for their size; the charts below have all of them.`
      }`,
      ...drawn(first),
      get data() {
        return tableOf(views, () => true);
      },
    },
    ...(isFew
      ? []
      : (Object.keys(areas) as Area[]).flatMap((area): readonly PanelChart[] => {
          const own = metrics.filter((metric) => metric.area === area);
          const names = new Set(own.map(({ name }) => name));
          return own.length === 0
            ? []
            : [
                {
                  id: `server-counters-${area}`,
                  title: `Server counters: ${areas[area]}`,
                  note: null,
                  fold: own.length === 1 ? '1 chart' : `${formatCount(own.length)} charts`,
                  ...drawn(own),
                  get data() {
                    return tableOf(views, (name) => names.has(name));
                  },
                },
              ];
        })),
  ];
}

const tableOf = (views: readonly TrialView[], has: (name: string) => boolean): Table => ({
  columns: ['variant', 'target', 'repeat', 'probe', 'at ms', 'per second', 'as sampled'],
  rows: views.flatMap(({ trial, series: { gauges, probes } }) => [
    ...Object.entries(gauges).flatMap(([name, { atMs, values }]) =>
      has(name) ? atMs.map((at, i) => [trial.variant, trial.target, trial.repeat, name, at, null, values[i]!]) : [],
    ),
    ...Object.entries(probes).flatMap(([name, { atMs, perSecond }]) =>
      has(name) ? atMs.map((at, i) => [trial.variant, trial.target, trial.repeat, name, at, perSecond[i]!, null]) : [],
    ),
  ]),
});

type Timeline = { readonly atMs: readonly number[]; readonly values: readonly number[] };

/** One metric for each probe that changed: waits first, then the order in which the engines document them. */
function metricsOf(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  suffix: string,
  timelinesOf: (series: TrialSeries) => Readonly<Record<string, Timeline>>,
): readonly Metric[] {
  const timelines = views.map((view) => ({ view, own: timelinesOf(view.series) }));
  const moving = timelines.flatMap(({ own }) =>
    Object.keys(own).filter((name) => own[name]!.values.some((value) => value > 0)),
  );
  const explained = model.targets.flatMap(({ probeInfo }) => Object.keys(probeInfo));
  const rank = (name: string) =>
    waitName(name) !== undefined ? -1 : explained.includes(name) ? explained.indexOf(name) : explained.length;
  return [...new Set(moving)]
    .toSorted((a, b) => rank(a) - rank(b))
    .map((name) => {
      // Two engines may use a name for different metrics, so the explanation comes from a target that has the metric.
      const having = new Set(timelines.flatMap(({ view, own }) => (name in own ? [view.trial.target] : [])));
      const info = model.targets.find((target) => having.has(target.name) && name in target.probeInfo)?.probeInfo[name];
      const bytes = info?.unit === 'bytes';
      const unit = bytes || info === undefined || info.unit === 'count' ? '' : ` (${info.unit})`;
      const own = timelines.flatMap(({ view, own: all }) => (all[name] ? [{ view, timeline: all[name] }] : []));
      return {
        name,
        area: areaOf(name, info),
        movement: Math.max(...own.map(({ timeline }) => movementOf(timeline.values))),
        panel: {
          title: `${info?.label ?? waitTitle(name)}${suffix}${unit}`,
          ...(bytes ? bytesAxis : rateAxis),
          binary: bytes,
          lines: joinRepeats(
            own.map(
              ({ view, timeline }): Line => ({
                ...trialLook(model, view, theme),
                points: timeline.atMs.map((at, i) => [at, timeline.values[i]!] as const),
              }),
            ),
          ),
        },
      };
    });
}

function areaOf(name: string, info: ProbeInfo | undefined): Area {
  if (waitName(name) !== undefined) return 'waits';
  if (info?.class === 'log' || info?.role === 'logBytes' || info?.role === 'logFlushes') return 'log';
  const label = info?.label ?? name.replaceAll('_', ' ');
  return rules.find(([, words]) => words.test(label))?.[0] ?? 'other';
}

function movementOf(values: readonly number[]): number {
  const seconds = values.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (!(mean > 0)) return 0;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const share = Math.sqrt(variance) / mean;
  // Rare events come after all metrics that move, and among themselves in the order of their movement.
  return seconds >= Math.min(leastSeconds, values.length) ? 1 + share : share / (1 + share);
}

/** The label of a gauge such as "wait:LWLock:WALWrite" (see ProbeSample.gauges). */
function waitTitle(name: string): string {
  const wait = waitName(name);
  return wait === undefined ? name : `Sessions waiting: ${wait.split(':').join(' · ')}`;
}
