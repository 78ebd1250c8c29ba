import { latencyTitle } from '#analysis/cells/load-summary.ts';
import { loadFactor, type Sweep, type SweepPoint, sweepsOf } from '#analysis/compare/sweep.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatCount, formatMs, formatMsTick, formatShort, formatTick } from '#model/format/format.ts';
import type { SceneChart } from './kit/chart.ts';
import { drawPlots, type Plot, type PlotLine, type PlotPoint } from './kit/plots.ts';
import { exactly } from './kit/scale.ts';
import { type ChartTheme, lookOf } from './kit/theme.ts';
import { chosenTargets, defaultWidthPx, type Selection } from './plot/select.ts';
import { otherColumns } from './sweep-chart.ts';

/** The least number of loads that make a curve. */
export const leastPoints = 3;
/** The most curves of a panel whose targets are named at their first points. The legend names those of more curves. */
const mostNamed = 3;

/** More plots than these are lower, so that more of them fit on a printed page. */
const mostLarge = 4;

const percentiles = ['p50', 'p99'] as const;

/**
 * Latency over throughput, load by load. A line that bends up shows a system near its limit. A line that turns back
 * shows a system that does less work and makes its callers wait longer. Each percentile and combination of the other
 * factors has a panel, and each target a line.
 */
export function throughputLatency(model: RunModel, theme: ChartTheme, selection: Selection = {}): SceneChart {
  const targets = new Map(chosenTargets(model, selection).map(({ name, index }) => [name, index]));
  const sweeps = sweepsOf(model).filter(({ target, points }) => targets.has(target) && points.length >= leastPoints);
  const plots = [...Map.groupBy(sweeps, ({ label }) => label)].flatMap(([label, own]) =>
    percentiles.flatMap((percentile): Plot[] => {
      const isNamed = own.length <= mostNamed;
      const lines = own.flatMap((sweep) => lineOf(sweep, percentile, targets.get(sweep.target)!, theme, isNamed));
      const title = label === '' ? percentile : `${percentile} · ${label}`;
      return lines.length === 0 ? [] : [{ title, lines, tick: formatMsTick, scale: 'log' }];
    }),
  );
  const layout = { xName: rateUnit(model), xTick: formatTick, xTicks: 'round', xFrom: 0, names: 'legend' } as const;
  const saturated = sweeps.some(({ points }) => points.some(isSaturated));
  const other = otherColumns(sweeps);
  return {
    id: 'throughput-latency',
    title: 'Latency over throughput',
    note: `${latencyTitle(model.cells)} of calls on a log axis, over mean throughput; all repeats are merged. The numbers at the points are ${loadFactor}. Each panel has its own axes.${saturated ? ' At hollow points, at least one repeat is client-bound.' : ''}`,
    scene: drawPlots(
      plots,
      { ...layout, columns: 2, leastPx: 250, heightPx: plots.length > mostLarge ? 224 : 300 },
      theme,
      selection.widthPx ?? defaultWidthPx,
    ),
    data: {
      columns: [...other.names, 'target', loadFactor, rateUnit(model), 'p50 ms', 'p99 ms'],
      rows:
        plots.length === 0
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

function lineOf(
  { target, points, unit }: Sweep,
  percentile: (typeof percentiles)[number],
  index: number,
  theme: ChartTheme,
  isNamed: boolean,
): PlotLine[] {
  const told = points.flatMap((point, i): PlotPoint[] => {
    const ms = percentile === 'p50' ? point.p50Ms : point.p99Ms;
    if (ms === null || ms <= 0) return [];
    const load = formatCount(point.load);
    return [
      {
        ...{
          x: point.mean.value,
          y: exactly([ms])[0]!,
          name: i === 0 && isNamed ? `${load} ${target}` : load,
          ...(isSaturated(point) && { look: 'hollow' }),
        },
        spoken: `${target}, ${load} connections: ${formatShort(point.mean.value)} ${unit}, ${percentile} ${formatMs(ms)}`,
      },
    ];
  });
  return told.length < leastPoints ? [] : [{ label: target, ...lookOf({ name: target, index }, theme), points: told }];
}
