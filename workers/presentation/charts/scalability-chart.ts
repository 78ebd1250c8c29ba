import { loadFactor, type Sweep, sweepsOf } from '#analysis/compare/sweep.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatCount, formatShort } from '#model/format/format.ts';
import { type Estimate, farthest } from '#planning/search/fit-sweep.ts';
import { type CurvePoint, leastLoads, throughputAt } from '#stats/fits/usl.ts';
import type { Table } from '../tables/shared/csv.ts';
import { formatLoads, nameOf } from '../text/sweep-text.ts';
import { rateAxis } from './kit/axes.ts';
import type { Chart } from './kit/chart.ts';
import { symbolOf } from './kit/palette.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';
import { drawPanels, type Line } from './plot/panels.ts';
import { halo, inPanel, type Series, textStyle } from './plot/parts.ts';
import { chosenTargets, type Selection } from './plot/select.ts';
import { otherColumns } from './sweep-chart.ts';

/** The Universal Scalability Law through every sweep over connections, one panel each; repeats are points. */
export function scalability(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const targets = new Map(chosenTargets(model, selection).map(({ name, index }) => [name, index]));
  const wanted = (variant: string) => selection.variants?.includes(variant) ?? true;
  // Shorter ones are in the chart of plain means.
  const sweeps = sweepsOf(model).filter(
    ({ target, points }) =>
      targets.has(target) && points.length >= leastLoads && points.some(({ variant }) => wanted(variant)),
  );
  const drawn = drawPanels(
    sweeps.map((sweep) => ({
      title: `${nameOf(sweep)} (${sweep.unit})`,
      ...rateAxis,
      lines: curveLines(sweep, targets.get(sweep.target)!, theme),
    })),
    {
      columns: 2,
      widthPx: selection.widthPx,
      panelHeightPx: 300,
      xName: loadFactor,
      xFormat: formatCount,
      xMin: 0,
      xTicks: [...new Set(sweeps.flatMap(({ points }) => points.map(({ load }) => load)))].toSorted((a, b) => a - b),
    },
    theme,
  );
  const { tooltip, ...option } = drawn.option;
  return {
    id: 'scalability',
    title: 'How it scales with connections',
    note: noteOf(sweeps),
    heightPx: drawn.heightPx,
    option: {
      ...option,
      tooltip: { ...tooltip, trigger: 'item' },
      series: [
        ...sweeps.flatMap((sweep, i) => bandSeries(sweep, i, colourOf(theme, targets.get(sweep.target)!))),
        ...[drawn.option.series ?? []].flat(),
        ...sweeps.flatMap((sweep, i) => [
          ...repeatSeries(sweep, i, targets.get(sweep.target)!, theme),
          ...markSeries(sweep, i, theme),
        ]),
      ],
    },
    data: tableOf(sweeps, rateUnit(model)),
  };
}

function noteOf(sweeps: readonly Sweep[]): string {
  const saturated = sweeps.some(({ points }) => points.some(({ repeats }) => repeats.some((one) => one.saturated)));
  const beyond = sweeps.some(({ curve, highestLoad }) => highestLoad !== null && curve.at(-1)!.load > highestLoad);
  const isFitted = sweeps.some(({ fit }) => fit !== null);
  return [
    'Points: repeats.',
    isFitted
      ? 'Line: the Universal Scalability Law (Gunther 2007) with its 95 % band, read for each load by itself.'
      : 'No law is drawn: the numbers say why.',
    ...(beyond ? [`Dashed: extrapolated, to the peak or ${farthest} × the highest load.`] : []),
    ...(saturated ? ['Hollow: client-bound, no part of the fit.'] : []),
    ...(sweeps.length > 1 ? ['Each panel has an axis of its own.'] : []),
  ].join(' ');
}

const pairs = (curve: readonly CurvePoint[]) => curve.map(({ load, throughput }) => [load, throughput.value] as const);

function curveLines({ target, curve, highestLoad }: Sweep, index: number, theme: ChartTheme): Line[] {
  if (highestLoad === null) return [];
  const look = { name: target, colour: colourOf(theme, index), symbol: symbolOf(index) };
  const beyond = curve.filter(({ load }) => load >= highestLoad);
  return [
    { ...look, dash: 'solid', points: pairs(curve.filter(({ load }) => load <= highestLoad)) },
    ...(beyond.length > 1 ? [{ ...look, dash: [4, 4], points: pairs(beyond) }] : []),
  ];
}

/** The properties that all marks here share. */
const at = (panel: number) => ({ ...inPanel(panel), animation: false });

function bandSeries({ target, curve }: Sweep, panel: number, colour: string): Series[] {
  if (curve.length === 0) return [];
  const data = curve.map(({ load, throughput: { value, low, high } }) => [load, low ?? value, high ?? value]);
  return [
    {
      ...at(panel),
      type: 'custom',
      name: target,
      silent: true,
      tooltip: { show: false },
      clip: true,
      itemStyle: { color: colour },
      encode: { x: 0, y: [1, 2] },
      data,
      // One shape for all of them, drawn with the first.
      renderItem: ({ dataIndex }, api) =>
        dataIndex > 0
          ? null
          : {
              type: 'polygon',
              shape: {
                points: [
                  ...data.map(([load, , high]) => api.coord([load!, high!])),
                  ...data.map(([load, low]) => api.coord([load!, low!])).toReversed(),
                ] as [number, number][],
              },
              style: { fill: colour, opacity: 0.14 },
            },
    },
  ];
}

function repeatSeries({ target, points, unit }: Sweep, panel: number, index: number, theme: ChartTheme): Series[] {
  const colour = colourOf(theme, index);
  const all = points.flatMap(({ load, repeats }) => repeats.map((one) => ({ load, ...one })));
  return [
    {
      ...at(panel),
      type: 'line',
      name: target,
      lineStyle: { width: 0 },
      symbol: symbolOf(index),
      symbolSize: 6,
      showSymbol: true,
      showAllSymbol: true,
      emphasis: { disabled: true },
      data: all.map(({ load, throughput, saturated }) => ({
        value: [load, throughput],
        itemStyle: saturated
          ? { color: theme.background, borderColor: colour, borderWidth: 1.4 }
          : { color: colour, opacity: 0.75 },
      })),
      tooltip: {
        formatter: (params: unknown) => {
          const one = all[(params as { readonly dataIndex: number }).dataIndex];
          if (one === undefined) return '';
          const why = one.saturated ? '\nclient-bound' : '';
          return `${target}\n${formatCount(one.load)} connections, repeat ${one.repeat}: ${formatShort(one.throughput)} ${unit}${why}`;
        },
      },
    },
  ];
}

/** Knee and peak: a mark on the curve, its interval as a whisker, and the load in words. */
function markSeries({ fit, knee, peak, target, curve }: Sweep, panel: number, theme: ChartTheme): Series[] {
  if (fit === null) return [];
  const end = curve.at(-1)!.load;
  const marks = [
    // Below the curve, and the peak above it: they may lie close together.
    ...(knee === null ? [] : [{ name: 'knee', at: knee, throughput: throughputAt(fit, knee.value), up: false }]),
    ...(peak === null
      ? []
      : [{ name: peakNames[peak.kind], at: peak.load, throughput: peak.throughput.value, up: true }]),
  ];
  return marks.map((mark) => markOf(mark, end, target, panel, theme));
}

const peakNames = { measured: 'peak', extrapolated: 'peak, extrapolated' } as const;

interface Mark {
  readonly name: string;
  readonly at: Estimate;
  readonly throughput: number;
  readonly up: boolean;
}

const labelGapPx = 16;

const markOf = (
  { name, at: load, throughput, up }: Mark,
  end: number,
  target: string,
  panel: number,
  theme: ChartTheme,
): Series => ({
  ...at(panel),
  type: 'custom',
  name: target,
  // Over the points.
  z: 4,
  silent: true,
  tooltip: { show: false },
  itemStyle: { color: theme.text },
  encode: { x: 0, y: 1 },
  data: [[Math.min(load.value, end), throughput]],
  renderItem: ({ coordSys }, api) => {
    const plot = coordSys as unknown as Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
    const { x: left, y: top, width, height } = plot;
    const [x, y] = api.coord([load.value, throughput]) as [number, number];
    const [from, to] = [load.low, load.high ?? Number.POSITIVE_INFINITY].map((value) =>
      Math.max(left, Math.min(left + width, api.coord([Math.min(value, 10 * end), throughput])[0]!)),
    ) as [number, number];
    const away = Math.max(top + 8, Math.min(top + height - 8, up ? y - labelGapPx : y + labelGapPx));
    // Towards the middle of the panel: no label is cut off at its side.
    const align = x > left + width * 0.6 ? ('right' as const) : ('left' as const);
    const stroke = (x1: number, y1: number, x2: number, y2: number, dashed = false) => ({
      type: 'line' as const,
      shape: { x1, y1, x2, y2 },
      style: { stroke: theme.text, lineWidth: 1.2, ...(dashed ? { lineDash: [2, 3] } : {}) },
    });
    return {
      type: 'group',
      children: [
        stroke(x, y, x, top + height, true),
        stroke(from, y, to, y),
        stroke(from, y - 4, from, y + 4),
        ...(load.high !== null && load.high <= end ? [stroke(to, y - 4, to, y + 4)] : []),
        {
          type: 'circle',
          shape: { cx: x, cy: y, r: 3.5 },
          style: { fill: theme.background, stroke: theme.text, lineWidth: 1.6 },
        },
        {
          type: 'text',
          style: {
            text: `${name} ${formatLoads(load)}`,
            x: align === 'right' ? x - 6 : x + 6,
            y: away,
            align,
            fill: theme.text,
            ...halo(theme),
            ...textStyle(theme, 12),
          },
        },
      ],
    };
  },
});

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
