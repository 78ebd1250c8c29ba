import { latencyTitle } from '#analysis/cells/load-summary.ts';
import { loadFactor, type Sweep, type SweepPoint, sweepsOf } from '#analysis/compare/sweep.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatCount, formatMs, formatShort, formatTick } from '#model/format/format.ts';
import { msAxis } from './kit/axes.ts';
import type { Chart } from './kit/chart.ts';
import { type Box, type LabelledPoint, labelSides, type Side } from './kit/label-sides.ts';
import { symbolOf } from './kit/palette.ts';
import { type ChartTheme, colourOf, lookOf } from './kit/theme.ts';
import { drawPanels, type Panel } from './plot/panels.ts';
import { inPanel, type Series } from './plot/parts.ts';
import { chosenTargets, defaultWidthPx, type Selection } from './plot/select.ts';
import { otherColumns } from './sweep-chart.ts';

/** The least number of loads: with fewer a line is no curve. */
export const leastPoints = 3;

/** The height of a panel. Title, ticks and gaps leave about the rest of its height and width for the plot. */
const panelHeightPx = 270;
const plot = (widthPx: number): Box => ({ widthPx: widthPx - 76, heightPx: panelHeightPx - 64 });

const percentiles = ['p50', 'p99'] as const;

/** One line: a target's loads in one panel. */
interface Curve {
  readonly target: string;
  readonly index: number;
  readonly unit: string;
  readonly points: readonly (readonly [SweepPoint, number])[];
}

/**
 * The latency at each throughput, load by load: a line that bends up is a system near its limit, and one that turns
 * back does less and keeps its callers waiting longer. There is a panel for each percentile and combination of the
 * other factors, and one line a target.
 */
export function throughputLatency(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const targets = new Map(chosenTargets(model, selection).map(({ name, index }) => [name, index]));
  const sweeps = sweepsOf(model).filter(({ target, points }) => targets.has(target) && points.length >= leastPoints);
  const groups = [...Map.groupBy(sweeps, ({ label }) => label)].flatMap(([label, own]) =>
    percentiles.flatMap((percentile) => {
      const curves = own.flatMap((sweep) => curveOf(sweep, percentile, targets.get(sweep.target)!));
      return curves.length === 0 ? [] : [{ title: label === '' ? percentile : `${percentile} · ${label}`, curves }];
    }),
  );
  const widthPx = selection.widthPx ?? defaultWidthPx;
  const { option, heightPx } = drawPanels(
    groups.map(({ title, curves }) => panelOf(title, curves, theme)),
    { columns: 2, widthPx, panelHeightPx, xName: rateUnit(model), xFormat: formatTick, xMin: 0 },
    theme,
  );
  const panelPx = widthPx / Math.min(2, Math.max(1, groups.length));
  const saturated = sweeps.some(({ points }) => points.some(isSaturated));
  const other = otherColumns(sweeps);
  return {
    id: 'throughput-latency',
    title: 'Latency over throughput',
    note: `${latencyTitle(model.cells)} of calls, all repeats merged, on a log axis, against mean throughput. Numbers: ${loadFactor}. Each panel has axes of its own.${saturated ? ' Hollow: at least one repeat is client-bound.' : ''}`,
    heightPx,
    option: {
      ...option,
      tooltip: { ...option.tooltip, trigger: 'item' },
      series: [
        ...[option.series ?? []].flat(),
        ...groups.flatMap(({ title, curves }, panel) => {
          const sides = sidesOf(curves, plot(panelPx));
          return curves.map((curve, i) => pointSeries(curve, sides[i]!, title, panel, theme));
        }),
      ],
    },
    data: {
      columns: [...other.names, 'target', loadFactor, rateUnit(model), 'p50 ms', 'p99 ms'],
      rows:
        groups.length === 0
          ? []
          : sweeps.flatMap((sweep) =>
              sweep.points.map(({ load, mean, p50Ms, p99Ms }) => [
                ...other.of(sweep),
                ...[sweep.target, load, mean.value, p50Ms, p99Ms],
              ]),
            ),
    },
  };
}

const isSaturated = ({ repeats }: SweepPoint): boolean => repeats.some(({ saturated }) => saturated);

function curveOf({ target, points, unit }: Sweep, percentile: (typeof percentiles)[number], index: number): Curve[] {
  const told = points.flatMap((point): [SweepPoint, number][] => {
    const ms = percentile === 'p50' ? point.p50Ms : point.p99Ms;
    return ms === null || ms <= 0 ? [] : [[point, ms]];
  });
  return told.length < leastPoints ? [] : [{ target, index, unit, points: told }];
}

const panelOf = (title: string, curves: readonly Curve[], theme: ChartTheme): Panel => ({
  title,
  ...msAxis,
  log: true,
  lines: curves.map(({ target, index, points }) => ({
    ...lookOf({ name: target, index }, theme),
    points: points.map(([{ mean }, ms]) => [mean.value, ms] as const),
  })),
});

/** "16", and at the beginning of a line whose it is. */
const labelOf = ({ target }: Curve, { load }: SweepPoint, i: number): string =>
  i === 0 ? `${formatCount(load)} ${target}` : formatCount(load);

/** Axes begin at nothing and at a power of ten, and end behind the last point and at a power of ten. */
function sidesOf(curves: readonly Curve[], { widthPx, heightPx }: Box): readonly (readonly Side[])[] {
  const all = curves.flatMap(({ points }) => points);
  const most = 1.05 * Math.max(...all.map(([{ mean }]) => mean.value));
  const logs = all.map(([, ms]) => Math.log10(ms));
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
  return labelSides(
    curves.map((curve) =>
      curve.points.map(
        ([point, ms], i): LabelledPoint => ({
          x: (point.mean.value / most) * widthPx,
          y: ((Math.log10(ms) - low) / Math.max(1, high - low)) * heightPx,
          // About 5.6 px a character of this size.
          widthPx: 6.8 * labelOf(curve, point, i).length + 6,
        }),
      ),
    ),
    { widthPx, heightPx },
  );
}

function pointSeries(curve: Curve, sides: readonly Side[], title: string, panel: number, theme: ChartTheme): Series {
  const { target, index, unit, points } = curve;
  const colour = colourOf(theme, index);
  return {
    type: 'line',
    name: target,
    ...inPanel(panel),
    animation: false,
    lineStyle: { width: 0 },
    symbol: symbolOf(index),
    symbolSize: 7,
    showSymbol: true,
    showAllSymbol: true,
    emphasis: { disabled: true },
    labelLayout: { hideOverlap: true },
    data: points.map(([point, ms], i) => ({
      value: [point.mean.value, ms],
      itemStyle: isSaturated(point)
        ? { color: theme.background, borderColor: colour, borderWidth: 1.4 }
        : { color: colour },
      label: {
        show: true,
        position: sides[i]!,
        distance: 2,
        padding: [2, 3],
        minMargin: 4,
        color: i === 0 ? colour : theme.text,
        fontSize: 12,
        formatter: labelOf(curve, point, i),
      },
    })),
    tooltip: {
      formatter: (params: unknown) => {
        const found = points[(params as { readonly dataIndex: number }).dataIndex];
        if (found === undefined) return '';
        const [{ load, mean }, ms] = found;
        return `${target}\n${formatCount(load)} connections: ${formatShort(mean.value)} ${unit}, ${title} ${formatMs(ms)}`;
      },
    },
  };
}
