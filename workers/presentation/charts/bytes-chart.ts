import { bytesDone } from '#analysis/run-model/bytes-done.ts';
import type { DiskFigure, HostTimeline } from '#analysis/run-model/host-figures.ts';
import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { probeInfoOf } from '#engine-api/probe-info.ts';
import { formatBytesTick } from '#model/format/format.ts';
import type { ProbeRole } from '#model/resource.ts';
import { fillingOperations } from '#model/settings/vocabulary.ts';
import { variantOf } from '#planning/variant-of.ts';
import { bytesAxis, rateAxis } from './kit/axes.ts';
import type { PanelChart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { drawPanels, type Panel } from './plot/panels.ts';
import { chosenVariants, type Selection } from './plot/select.ts';
import { byteStep } from './plot/ticks.ts';
import { chosenViews, trialLook } from './plot/trial-line.ts';

/** A figure by moments of the measured phase, ms since its start. */
interface Timeline {
  readonly atMs: readonly number[];
  readonly values: readonly (number | null)[];
}

/** The figures that are drawn over the stored bytes. `of`: null where the trial does not have the figure. */
const figures: readonly {
  readonly title: string;
  readonly isBytes: boolean;
  readonly of: (model: RunModel, view: TrialView) => Timeline | null;
}[] = [
  {
    title: 'rows/s',
    isBytes: false,
    of: (_, { series: { atMs, rowsPerSecond } }) => ({ atMs, values: rowsPerSecond }),
  },
  { title: 'disks, written/s', isBytes: true, of: (_, view) => ofDisks(view, 'writtenBytesPerSecond') },
  { title: 'disks, writes/s', isBytes: false, of: (_, view) => ofDisks(view, 'writesPerSecond') },
  { title: 'server, log and data files written/s', isBytes: true, of: writtenByServer },
];

/** True if the trial stores rows of known bytes over at least two seconds. */
export const growsByBytes = ({ plan }: Pick<RunModel, 'plan'>, view: TrialView): boolean =>
  fillingOperations.includes(variantOf(plan, view.trial.variant)?.settings.operation ?? 'scan') &&
  view.series.atMs.length > 1 &&
  bytesDone(view) !== null;

/**
 * The throughput of inserts and copies, and the writes of the storage, over the bytes of values stored so far. It shows
 * whether the storage writes more for each row while the rate falls.
 */
export function throughputOverBytes(model: RunModel, theme: ChartTheme, selection: Selection = {}): PanelChart {
  const views = chosenViews(model, selection).filter((view) => growsByBytes(model, view));
  const panels = chosenVariants(model, selection).flatMap(({ id, label }) => {
    const own = views.filter(({ trial }) => trial.variant === id);
    return figures.flatMap(({ title, isBytes, of }, f): readonly Panel[] => {
      const lines = own.flatMap((view) => {
        const points = pointsOf(view, of(model, view));
        return points.length === 0 ? [] : [{ ...trialLook(model, view, theme), points }];
      });
      const axis = isBytes ? { ...bytesAxis, binary: true } : rateAxis;
      return lines.length === 0 ? [] : [{ title: `${label} (${title})`, ...axis, lines, startsRow: f === 0 }];
    });
  });
  return {
    id: 'throughput-over-bytes',
    title: 'Throughput over stored bytes',
    note: 'The axis has the bytes of the values of all rows so far, the same for every engine; a server stores them in more or fewer bytes. Writes of disks are those of the server’s machine, with other programs; those of the server are its own counters. If they stay while rows/s fall, each row costs more storage. Only trials of at least two seconds are shown.',
    ...drawPanels(
      panels,
      {
        ...{ columns: 4, widthPx: selection.widthPx, xName: 'stored', xMin: 0 },
        ...{ xFormat: formatBytesTick, xStep: byteStep },
      },
      theme,
    ),
    get data() {
      return {
        columns: ['variant', 'target', 'repeat', 'figure', 'bytes stored', 'per second'],
        rows: views.flatMap((view) =>
          figures.flatMap(({ title, of }) =>
            pointsOf(view, of(model, view)).map(([bytes, value]) => [
              ...[view.trial.variant, view.trial.target, view.trial.repeat, title],
              ...[bytes, value],
            ]),
          ),
        ),
      };
    },
  };
}

function pointsOf(view: TrialView, timeline: Timeline | null): readonly (readonly [number, number | null])[] {
  const done = bytesDone(view);
  return timeline === null || done === null
    ? []
    : timeline.atMs.map((at, i) => [Math.round(done.at(at)), timeline.values[i] ?? null] as const);
}

/** The sum over the disks of the machine on which the server is; null: nobody measured them. */
function ofDisks({ trial, series }: TrialView, figure: DiskFigure): Timeline | null {
  const host: HostTimeline | undefined = series.hosts.find(({ serverOf }) => serverOf.includes(trial.target));
  if (host === undefined || host.disks.length === 0) return null;
  return { atMs: host.atMs, values: sumsOf(host.disks.map((disk) => disk.figures[figure])) };
}

const written: ReadonlySet<ProbeRole | undefined> = new Set<ProbeRole>(['logBytes', 'bytesWritten']);

/** The bytes that the server itself counts; null: it counts none. */
function writtenByServer({ targets }: RunModel, { trial, series }: TrialView): Timeline | null {
  const infos = targets.find(({ name }) => name === trial.target)?.probeInfo ?? {};
  const counted = Object.entries(series.probes).flatMap(([name, line]) =>
    written.has(probeInfoOf(infos, name)?.role) ? [line] : [],
  );
  const [first] = counted;
  return first ? { atMs: first.atMs, values: sumsOf(counted.map(({ perSecond }) => perSecond)) } : null;
}

/** Sums by moment. Null where every value is missing. */
const sumsOf = (columns: readonly (readonly (number | null)[])[]): readonly (number | null)[] =>
  (columns[0] ?? []).map((_, i) =>
    columns.reduce<number | null>((sum, column) => {
      const value = column[i] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
