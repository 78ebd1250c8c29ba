import {
  type DiskFigure,
  diskFigures,
  type HostFigure,
  type HostTimeline,
  hostFigures,
  memoryInUse,
} from '#analysis/run-model/host-figures.ts';
import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { formatUpTo } from '#model/format/format.ts';
import { variantOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Table } from '../tables/shared/csv.ts';
import { hostNote, hostTitle, unmeasuredText } from '../text/host-text.ts';
import { sentences } from '../text/sentences.ts';
import { bytesAxis, msAxis, rateAxis, shareAxis } from './kit/axes.ts';
import type { PanelChart } from './kit/chart.ts';
import { onClasses } from './kit/palette.ts';
import type { ChartTheme } from './kit/theme.ts';
import { stackedBands } from './plot/bands.ts';
import { drawPanels, type Line, type Panel } from './plot/panels.ts';
import { timeAxis } from './plot/ticks.ts';
import { repeatText, trialLook } from './plot/trial-line.ts';

/** A single second does not make a line. */
const leastSeconds = 2;
/** The disks with panels of their own. */
const mostShown = 3;
/** Nothing is known of a longer time between two entries than their length and this. */
const gapMs = 500;

/** True if a host of the trial has a line to draw. */
export const hasHosts = ({ series: { hosts } }: TrialView): boolean => hosts.some(hasLine);

const hasLine = ({ atMs }: HostTimeline): boolean => atMs.length >= leastSeconds;

/** The first measured repeat of each cell, for documents in which nobody can choose. */
export const firstRepeats = ({ trials }: RunModel): readonly TrialView[] =>
  [
    ...Map.groupBy(
      trials.filter((view) => hasHosts(view) && view.result?.status === 'ok'),
      ({ trial }) => keyOf(trial),
    ).values(),
  ].map(([first]) => first!);

/**
 * The use of processors, memory, network and disks, one chart for each host of each trial. `views` must be of one
 * repeat of each cell.
 */
export function hostCharts(
  model: RunModel,
  views: readonly TrialView[],
  theme: ChartTheme,
  widthPx?: number,
): readonly PanelChart[] {
  const severalVariants = new Set(views.map(({ trial }) => trial.variant)).size > 1;
  const all = views.flatMap((view) => view.series.hosts.filter(hasLine).map((host) => ({ view, host })));
  return all.map(({ view, host }, i): PanelChart => {
    const disks = mostUsed(host);
    const left = host.disks.length - disks.length;
    const variant = variantOf(model.plan, view.trial.variant);
    return {
      id: i === 0 ? 'host-use' : `host-use-${i + 1}`,
      title: `${titleOf(view, host)}${severalVariants && variant ? `: ${variant.label}` : ''}`,
      note: sentences(
        repeatText(model, view),
        'Sampled once a second from the counters of the operating system, which cover all programs of the machine.',
        hostNote(host),
        ...view.series.unmeasuredServers.map(unmeasuredText),
        left > 0 ? `The ${mostShown} most used of ${host.disks.length} disks are drawn.` : '',
      ),
      ...drawPanels(
        [
          processorPanel(host, theme),
          memoryPanel(model, view, host, theme),
          networkPanel(model, view, host, theme),
          ...disks.flatMap((disk) => diskPanels(model, view, host, disk, theme)),
          ...limitPanels(model, view, host, theme),
        ],
        {
          ...timeAxis,
          columns: 3,
          panelHeightPx: 132,
          widthPx,
          xMax: Math.max(0, ...view.series.atMs, ...host.atMs),
          shared: true,
        },
        theme,
      ),
      get data() {
        return tableOf(view, host);
      },
    };
  });
}

/** A trial without the machine of its server is still about that server. */
const titleOf = ({ trial }: TrialView, host: HostTimeline): string =>
  host.serverOf.length > 0 ? hostTitle(host) : `${hostTitle(host)}, load on ${trial.target}`;

type Disk = HostTimeline['disks'][number];

/** The disks with the most operations, in the order of their names. */
function mostUsed({ disks }: HostTimeline): readonly Disk[] {
  const operations = ({ figures: { readsPerSecond, writesPerSecond } }: Disk) =>
    [...readsPerSecond, ...writesPerSecond].reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return disks
    .map((disk) => ({ disk, used: operations(disk) }))
    .filter(({ used }) => used > 0)
    .toSorted((a, b) => b.used - a.used)
    .slice(0, mostShown)
    .map(({ disk }) => disk)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The moments of a host's lines; null: a gap before the next entry. */
function momentsOf({
  atMs,
  lengthMs,
}: HostTimeline): readonly { readonly at: number; readonly entry: number | null }[] {
  return atMs.flatMap((at, entry) => {
    const before = atMs[entry - 1] ?? 0;
    const from = Math.max(0, at - lengthMs[entry]!);
    // The first entry covers the first second, so lines and bands begin at its start.
    if (entry === 0)
      return [
        { at: from, entry },
        { at, entry },
      ];
    return from - before > gapMs
      ? [
          { at: before + 1, entry: null },
          { at: from, entry },
          { at, entry },
        ]
      : [{ at, entry }];
  });
}

const dashes: readonly Line['dash'][] = ['solid', [7, 3], [2, 2]];

/** Lines of one trial have its colour, and differ by their dashes and names. Lines without a value are left out. */
const linesOf = (
  model: RunModel,
  view: TrialView,
  host: HostTimeline,
  theme: ChartTheme,
  named: readonly (readonly [name: string, values: readonly (number | null)[]])[],
): readonly Line[] => {
  const moments = momentsOf(host);
  return named.flatMap(([name, values], i): readonly Line[] => {
    const dash = dashes[i % dashes.length]!;
    const points = moments.map(({ at, entry }) => [at, entry === null ? null : values[entry]!] as const);
    return points.every(([, value]) => value === null)
      ? []
      : [
          {
            ...trialLook(model, view, theme),
            ...{ name, points, isToldByDash: true },
            dash,
          },
        ];
  });
};

function processorPanel(host: HostTimeline, { classes }: ChartTheme): Panel {
  const { cores, figures } = host;
  const moments = momentsOf(host);
  const limit = figures.limitCores.find((value) => value !== null);
  const band = (name: string, colour: string, values: readonly (number | null)[]) => ({
    ...{ name, colour, on: onClasses },
    values: moments.map(({ entry }) => (entry === null ? null : values[entry]!)),
  });
  return {
    title: 'Processors',
    ...shareAxis,
    max: 1,
    ...stackedBands(
      [
        band('user', classes.cpu, figures.userShare),
        band('system', classes.latch, figures.systemShare),
        band('iowait', classes.dataIo, figures.ioWaitShare),
        band('steal', classes.lock, figures.stealShare),
      ],
      moments.map(({ at }) => at),
    ),
    ...(limit !== undefined && limit < cores
      ? { levels: [{ value: limit / cores, label: `limit of ${formatUpTo(limit)} cores` }] }
      : {}),
  };
}

const memoryPanel = (model: RunModel, view: TrialView, host: HostTimeline, theme: ChartTheme): Panel => {
  const { cachedBytes, swapUsedBytes } = host.figures;
  const hasSwap = swapUsedBytes.some((bytes) => (bytes ?? 0) > 0);
  return {
    title: 'Memory',
    ...bytesAxis,
    binary: true,
    lines: linesOf(model, view, host, theme, [
      ['in use', memoryInUse(host)],
      ['page cache', cachedBytes],
      ...(hasSwap ? [['swapped out', swapUsedBytes] as const] : []),
    ]),
  };
};

const networkPanel = (model: RunModel, view: TrialView, host: HostTimeline, theme: ChartTheme): Panel => ({
  title: 'Network, bytes per second',
  ...bytesAxis,
  binary: true,
  lines: linesOf(model, view, host, theme, [
    ['received', host.figures.receivedBytesPerSecond],
    ['sent', host.figures.sentBytesPerSecond],
  ]),
});

function diskPanels(
  model: RunModel,
  view: TrialView,
  host: HostTimeline,
  { name, figures }: Disk,
  theme: ChartTheme,
): readonly Panel[] {
  const lines = (reads: DiskFigure, writes: DiskFigure, flushes?: DiskFigure) =>
    linesOf(model, view, host, theme, [
      ['reads', figures[reads]],
      ['writes', figures[writes]],
      ...(flushes === undefined ? [] : [['flushes', figures[flushes]] as const]),
    ]);
  return [
    {
      title: `${name}: operations per second`,
      ...rateAxis,
      startsRow: true,
      lines: lines('readsPerSecond', 'writesPerSecond', 'flushesPerSecond'),
    },
    {
      title: `${name}: bytes per second`,
      ...bytesAxis,
      binary: true,
      lines: lines('readBytesPerSecond', 'writtenBytesPerSecond'),
    },
    {
      title: `${name}: time per operation (await)`,
      ...msAxis,
      lines: lines('readAwaitMs', 'writeAwaitMs', 'flushAwaitMs'),
    },
  ];
}

/** The limits of control groups; empty without any. */
function limitPanels(model: RunModel, view: TrialView, host: HostTimeline, theme: ChartTheme): readonly Panel[] {
  const { limitCores, throttledMsPerSecond, memoryLimitBytes, memoryBytes } = host.figures;
  const limit = memoryLimitBytes.find((value) => value !== null);
  return [
    ...(limitCores.some((value) => value !== null)
      ? [
          {
            title: 'Throttled by the control group, per second',
            ...msAxis,
            startsRow: true,
            lines: linesOf(model, view, host, theme, [['throttled', throttledMsPerSecond]]),
          },
        ]
      : []),
    ...(limit === undefined
      ? []
      : [
          {
            title: 'Memory of the control group',
            ...bytesAxis,
            binary: true,
            lines: linesOf(model, view, host, theme, [
              ['in use by the group', memoryBytes],
              ['limit of the group', memoryLimitBytes],
            ]),
          },
        ]),
  ];
}

/** All figures of a host and of its disks, second by second. */
function tableOf({ trial: { variant, target, repeat } }: TrialView, host: HostTimeline): Table {
  const own = Object.keys(hostFigures) as HostFigure[];
  const ofDisks = host.disks.flatMap((disk) =>
    (Object.keys(diskFigures) as DiskFigure[]).map((figure) => ({ disk, figure })),
  );
  return {
    columns: [
      ...['variant', 'target', 'repeat', 'host', 'at ms'],
      ...own,
      ...ofDisks.map(({ disk, figure }) => `${disk.name} ${figure}`),
    ],
    rows: host.atMs.map((at, i) => [
      ...[variant, target, repeat, host.name, at],
      ...own.map((figure) => host.figures[figure][i] ?? null),
      ...ofDisks.map(({ disk, figure }) => disk.figures[figure][i] ?? null),
    ]),
  };
}
