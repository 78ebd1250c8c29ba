import { latencyTitle, loadLatencyText } from '#analysis/cells/load-summary.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMsTick, formatNumber } from '#model/format/format.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { percentilesMs } from '#stats/histogram/percentiles.ts';
import { msAxis, shareAxis } from './kit/axes.ts';
import type { PanelChart } from './kit/chart.ts';
import { type ChartTheme, lookOf } from './kit/theme.ts';
import { drawPanels, type Line, type Panel } from './plot/panels.ts';
import { chosenCells, chosenVariants, type Selection } from './plot/select.ts';

type Points = readonly (readonly [number, number])[];

/** Latency by percentile. The axis is stretched towards the tail: each step to the right is ten times rarer. */
export function latencyByPercentile(model: RunModel, theme: ChartTheme, selection: Selection = {}): PanelChart {
  const curves = curvesOf(model, selection, percentileCurve);
  const cells = chosenCells(model, selection).map(({ cell }) => cell);
  const title = latencyTitle(cells);
  return {
    id: 'latency-percentiles',
    title: `${title} by percentile`,
    note: `All repeats are merged. A curve ends where fewer than 10 calls lie beyond the percentile${cells.some(({ load }) => (load?.unfinished ?? 0) > 0) ? ', or where units were given up; these count as slower than all finished units' : ''}.${loadLatencyText(cells)}${queueing(model, selection)}`,
    ...draw(curves, model, theme, selection, {
      xName: 'percentile',
      xFormat: nines,
      xMin: 0,
      xStep: () => 1,
      ...msAxis,
      log: true,
    }),
    data: {
      columns: ['variant', 'target', 'percentile', `${title.toLowerCase()} ms`],
      rows: curves.flatMap(({ variant, target, points }) =>
        points.map(([x, ms]) => [variant, target, 100 * (1 - 10 ** -x), ms]),
      ),
    },
  };
}

/**
 * The distribution of latencies on a log axis. Several peaks suggest several kinds of calls, such as cached and
 * uncached, or with and without a flush.
 */
export function latencyHistogram(model: RunModel, theme: ChartTheme, selection: Selection = {}): PanelChart {
  const curves = curvesOf(model, selection, histogramCurve);
  const cells = chosenCells(model, selection).map(({ cell }) => cell);
  const name = latencyTitle(cells).toLowerCase();
  return {
    id: 'latency-histogram',
    title: `Distribution of ${name}`,
    note: `The share of calls in each bin. There are ten bins per decade, and all repeats are merged.${loadLatencyText(cells)}${queueing(model, selection)}`,
    ...draw(curves, model, theme, selection, {
      xName: name,
      xFormat: formatMsTick,
      xLog: true,
      ...shareAxis,
      step: true,
      filled: true,
    }),
    data: {
      columns: ['variant', 'target', `${name} ms (middle of bin)`, 'share of calls'],
      rows: curves.flatMap(({ variant, target, points }) => points.map(([ms, share]) => [variant, target, ms, share])),
    },
  };
}

/** Latencies of open and closed load cannot be compared, and the curves do not show the difference. */
function queueing(model: RunModel, selection: Selection): string {
  const methods = new Set(chosenVariants(model, selection).map(({ settings }) => settings.method));
  return [
    methods.has('pipelined') ? ' A pipelined call also waits behind those sent before it on its connection.' : '',
    methods.has('batch') ? ' A call of a batch takes as long as its batch.' : '',
  ].join('');
}

interface Curve {
  readonly variant: string;
  readonly target: string;
  readonly index: number;
  readonly points: Points;
}

const curvesOf = (
  model: RunModel,
  selection: Selection,
  curve: (histogram: Histogram, givenUp: number) => Points,
): readonly Curve[] =>
  chosenCells(model, selection).flatMap(({ variant, target, cell: { histogram, load } }) => {
    const points = histogram === null ? [] : curve(Histogram.decode(histogram), load?.unfinished ?? 0);
    return points.length === 0 ? [] : [{ variant: variant.id, target: target.name, index: target.index, points }];
  });

/** Points at x = −log10(1 − p), with twenty points for each factor of ten, up to the highest known percentile. */
function percentileCurve(histogram: Histogram, givenUp: number): Points {
  const last = Math.log10((histogram.count + givenUp) / 10);
  if (!(last > 0)) return [];
  const at = Array.from({ length: Math.floor(last * 20) + 1 }, (_, i) => i / 20);
  const values = percentilesMs(
    histogram,
    at.map((x) => 100 * (1 - 10 ** -x)),
    givenUp,
  );
  return at.flatMap((x, i) => {
    const ms = values[i];
    return ms == null ? [] : [[x, ms] as const];
  });
}

const binsPerDecade = 10;

/** Shares of calls in log bins, with an empty bin at both ends so that the outline closes. */
function histogramCurve(histogram: Histogram): Points {
  if (histogram.count === 0) return [];
  const bins = new Map<number, number>();
  for (const { fromNs, toNs, count } of histogram.buckets()) {
    // Bucket 0 counts times below a nanosecond.
    const bin = Math.floor(Math.log10(Math.max(0.5, (fromNs + toNs) / 2)) * binsPerDecade);
    bins.set(bin, (bins.get(bin) ?? 0) + count);
  }
  const first = Math.min(...bins.keys()) - 1;
  const last = Math.max(...bins.keys()) + 1;
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const bin = first + i;
    return [10 ** ((bin + 0.5) / binsPerDecade) / 1e6, (bins.get(bin) ?? 0) / histogram.count] as const;
  });
}

function draw(
  curves: readonly Curve[],
  model: RunModel,
  theme: ChartTheme,
  selection: Selection,
  how: {
    readonly xName: string;
    readonly xFormat: (value: number) => string;
    readonly xLog?: boolean;
    readonly xMin?: number;
    readonly xStep?: (spanned: number) => number;
    readonly format: Panel['format'];
    readonly tick: (value: number) => string;
    readonly log?: boolean;
    readonly step?: boolean;
    readonly filled?: boolean;
  },
) {
  const { format, tick, log = false, step = false, filled = false, ...x } = how;
  const points = curves.flatMap((curve) => curve.points);
  // Variants are compared across the panels, so all panels have the same axes.
  const y = log ? decadesOf(points.map(([, value]) => value)) : {};
  const panels = chosenVariants(model, selection).flatMap(({ id, label }): Panel[] => {
    const own = curves.filter(({ variant }) => variant === id);
    const lines = own.map(
      ({ target, index, points }): Line => ({ ...lookOf({ name: target, index }, theme), points, step, filled }),
    );
    // A higher share would give the axis a tick of 120 %.
    const most = filled && lines.some((line) => line.points.some(([, share]) => (share ?? 0) > 0.8)) ? { max: 1 } : {};
    return lines.length === 0 ? [] : [{ title: label, format, tick, lines, log, ...y, ...most }];
  });
  const across = points.map(([at]) => at);
  const ends = x.xLog ? decadesOf(across) : { max: Math.max(...across) };
  const layout = { xMax: ends.max, ...('min' in ends && { xMin: ends.min }), ...x };
  return drawPanels(panels, { columns: 3, widthPx: selection.widthPx, ...layout }, theme);
}

/** The powers of ten below and above all values. */
function decadesOf(values: readonly number[]): { readonly min: number; readonly max: number } {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  const first = Math.floor(Math.min(...logs));
  return { min: 10 ** first, max: 10 ** Math.max(first + 1, Math.ceil(Math.max(...logs))) };
}

/** 0 → "0 %", 1 → "90 %", 2 → "99 %", 3 → "99.9 %". */
const nines = (x: number): string => `${formatNumber(100 * (1 - 10 ** -x), Math.max(1, Math.ceil(x)))} %`;
