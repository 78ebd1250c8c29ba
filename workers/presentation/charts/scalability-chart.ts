import { loadFactor, type Sweep, sweepsOf } from '#analysis/compare/sweep.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatCount, formatShort, formatTick } from '#model/format/format.ts';
import { type Estimate, farthest } from '#planning/search/fit-sweep.ts';
import { type CurvePoint, leastLoads, throughputAt } from '#stats/fits/usl.ts';
import type { Table } from '../tables/shared/csv.ts';
import { formatLoads, nameOf } from '../text/sweep-text.ts';
import type { SceneChart } from './kit/chart.ts';
import { drawPlots, type Plot, type PlotLine, type PlotPoint } from './kit/plots.ts';
import { exactly } from './kit/scale.ts';
import { type ChartTheme, lookOf } from './kit/theme.ts';
import { chosenTargets, defaultWidthPx, type Selection } from './plot/select.ts';
import { otherColumns } from './sweep-chart.ts';

/** The Universal Scalability Law fitted to each sweep over connections, one panel per sweep. Points are repeats. */
export function scalability(model: RunModel, theme: ChartTheme, selection: Selection = {}): SceneChart {
  const targets = new Map(chosenTargets(model, selection).map(({ name, index }) => [name, index]));
  const wanted = (variant: string) => selection.variants?.includes(variant) ?? true;
  // Shorter sweeps are shown in the chart of plain means.
  const sweeps = sweepsOf(model).filter(
    ({ target, points }) =>
      targets.has(target) && points.length >= leastLoads && points.some(({ variant }) => wanted(variant)),
  );
  const plots = sweeps.map((sweep) => ({
    title: `${nameOf(sweep)} (${sweep.unit})`,
    tick: formatTick,
    lines: linesOf(sweep, targets.get(sweep.target)!, theme),
    marks: marksOf(sweep),
  }));
  const layout = { xName: loadFactor, xTick: formatCount, xTicks: 'points', xFrom: 0, names: 'legend' } as const;
  return {
    id: 'scalability',
    title: 'How it scales with connections',
    note: noteOf(sweeps),
    scene: drawPlots(
      plots,
      { ...layout, columns: 2, leastPx: 250, heightPx: 320 },
      theme,
      selection.widthPx ?? defaultWidthPx,
    ),
    data: tableOf(sweeps, rateUnit(model)),
  };
}

function noteOf(sweeps: readonly Sweep[]): string {
  const saturated = sweeps.some(({ points }) => points.some(({ repeats }) => repeats.some((one) => one.saturated)));
  const beyond = sweeps.some(({ curve, highestLoad }) => highestLoad !== null && curve.at(-1)!.load > highestLoad);
  const isFitted = sweeps.some(({ fit }) => fit !== null);
  return [
    'Points are repeats.',
    isFitted
      ? 'The line is the Universal Scalability Law (Gunther 2007), with the 95 % confidence band of each load.'
      : 'The law could not be fitted; the table below gives the reason.',
    ...(beyond ? [`The dashed part is extrapolated up to the peak, or to ${farthest} × the highest load.`] : []),
    ...(saturated ? ['Hollow points are client-bound and not part of the fit.'] : []),
    ...(sweeps.length > 1 ? ['Each panel has its own axis.'] : []),
  ].join(' ');
}

/** Draws the repeats, and the fitted law, which is dashed beyond the highest load. */
function linesOf({ target, curve, highestLoad, points, unit }: Sweep, index: number, theme: ChartTheme): PlotLine[] {
  const look = { label: target, ...lookOf({ name: target, index }, theme) };
  const repeats = points.flatMap(({ load, repeats: own }) =>
    own.map(({ repeat, throughput, saturated }): PlotPoint => {
      const spoken = `${target}, ${formatCount(load)} connections, repeat ${repeat}: ${formatShort(throughput)} ${unit}`;
      return {
        ...{ x: load, y: exactly([throughput])[0]! },
        ...(saturated ? { look: 'hollow', spoken: `${spoken}, client-bound` } : { spoken }),
      };
    }),
  );
  const law = (dash: 'solid' | number[], own: readonly CurvePoint[]): PlotLine[] =>
    own.length > 1
      ? [{ ...look, dash, points: own.map(({ load: x, throughput: y }) => ({ x, y })), draws: 'line' }]
      : [];
  return [
    ...(highestLoad === null
      ? []
      : [
          ...law(
            'solid',
            curve.filter(({ load }) => load <= highestLoad),
          ),
          ...law(
            [4, 4],
            curve.filter(({ load }) => load >= highestLoad),
          ),
        ]),
    { ...look, points: repeats, draws: 'points' },
  ];
}

/**
 * Marks knee and peak with their intervals. The label of the knee stands below the curve, because knee and peak may be
 * close together.
 */
function marksOf({ fit, knee, peak, curve }: Sweep): NonNullable<Plot['marks']> {
  if (fit === null) return [];
  const end = curve.at(-1)!.load;
  const mark = (name: string, load: Estimate, y: number, isUp: boolean) => ({
    x: { value: Math.min(load.value, end), low: load.low, high: load.high },
    ...{ y, isUp, label: `${name} ${formatLoads(load)}` },
  });
  return [
    ...(knee === null ? [] : [mark('knee', knee, throughputAt(fit, knee.value), false)]),
    ...(peak === null ? [] : [mark(peakNames[peak.kind], peak.load, peak.throughput.value, true)]),
  ];
}

const peakNames = { measured: 'peak', extrapolated: 'peak, extrapolated' } as const;

function tableOf(sweeps: readonly Sweep[], unit: string): Table {
  const other = otherColumns(sweeps);
  return {
    columns: [
      ...other.names,
      ...['target', loadFactor, 'repeat', unit, 'client-bound', 'users by Little’s law'],
      ...[`law: ${unit}`, 'low', 'high'],
    ],
    rows: sweeps.flatMap((sweep) =>
      sweep.points.flatMap(({ load, repeats }) => {
        const law = sweep.curve.find((one) => one.load === load)?.throughput;
        return repeats.map(({ repeat, throughput, saturated, users }) => [
          ...other.of(sweep),
          ...[sweep.target, load, repeat, throughput, saturated ? 'yes' : 'no', users],
          ...[law?.value ?? null, law?.low ?? null, law?.high ?? null],
        ]);
      }),
    ),
  };
}
