import { ratios } from '#analysis/compare/compare.ts';
import { publishedMarks } from '#analysis/compare/published.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { manyComparisonsText } from '#analysis/text/verdict-text.ts';
import { formatCount, formatMs, formatTick } from '#model/format/format.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { factorText } from '#planning/variant-of.ts';
import { baselineText } from '../../text/baseline-text.ts';
import { publishedChartText } from '../../text/published-text.ts';
import { sentences } from '../../text/sentences.ts';
import { drawPlots, type Plot, type PlotLine } from '../kit/plots.ts';
import type { Scene } from '../kit/scene.ts';
import { type ChartTheme, colourOf } from '../kit/theme.ts';
import { choosePicture } from './choose-picture.ts';
import { drawBars } from './draw-bars.ts';
import { drawHeatMap } from './draw-heat-map.ts';
import type { PictureOptions } from './picture-options.ts';
import { cellGroups, heatGrids, type PictureData, type PictureLine, pictureLines } from './picture-rows.ts';
import { areJudged, type Metric, metricText, metricTitle, pictureValues } from './picture-values.ts';

interface PictureInput {
  /** The whole run. A filter may hide its baseline. */
  readonly run: RunModel;
  /** The part of the run that passes the filter. */
  readonly shown: RunModel;
  readonly baseline: Baseline;
  readonly options: PictureOptions;
  readonly theme: ChartTheme;
  readonly widthPx: number;
  /** The id of the line that stands out. */
  readonly highlighted?: string | null;
}

/** Returns the chosen metric, or the first one if the shown cells do not have it. */
export const pictureData = ({
  run,
  shown,
  baseline,
  options: { metric },
}: Pick<PictureInput, 'run' | 'shown' | 'baseline' | 'options'>): PictureData => ({
  model: shown,
  text: metricText(run, metric),
  values: pictureValues(run, metric, baseline),
});

/**
 * Draws the picture that answers the question of a run: bars, lines or a heat map. Null if no cell passes the filter.
 */
export function drawPicture(data: PictureData, input: PictureInput): Scene | null {
  const { options, theme, widthPx } = input;
  const { text } = data;
  if (options.view === 'heatMap') {
    const grids = heatGrids(data, options);
    const heat = { label: text.label, grids, show: options.show, higherIsBetter: text.higherIsBetter };
    return grids.length === 0 ? null : drawHeatMap(heat, theme, widthPx);
  }
  const picture = choosePicture(data.model.plan);
  if (picture.kind !== 'bars' && picture.kind !== 'heatMap') {
    const panels = panelsOf(data, input, picture);
    return panels.length === 0
      ? null
      : drawPlots(
          panels,
          {
            ...{ xName: factorText(picture.factor), xTick: formatCount, xTicks: 'points', names: 'ends' },
            ...{ columns: 2, leastPx: 440, heightPx: 320, highlighted: input.highlighted ?? null },
          },
          theme,
          widthPx,
        );
  }
  const groups = cellGroups(data, options);
  const isRatio = options.show === 'ratio';
  const isOneTarget = options.group === 'target' || data.model.plan.targets.length === 1;
  const bars = {
    label: text.label,
    groups,
    show: options.show,
    rowsAre: options.group === 'variant' ? 'targets' : isOneTarget ? 'variants' : 'both',
    axisName: isRatio ? 'times the baseline' : [text.label, text.unit].join(' ').trim(),
    tick: (value: number) => (isRatio ? `${formatTick(value)}×` : text.tick(value)),
  } as const;
  return groups.length === 0 ? null : drawBars(bars, theme, widthPx);
}

/** Says, for a tooltip, which intervals are adjusted for multiple comparisons. Empty for a single comparison. */
export const comparisonHint = (run: RunModel, baseline: Baseline): string => manyComparisonsText(ratios(run, baseline));

/** The mark that shows the bounds of a value. Null for a heat map, which does not show bounds. */
function boundsName(
  { plan }: RunModel,
  { view }: PictureOptions,
): 'Whiskers' | 'Bands' | 'Numbers below a value' | null {
  if (view !== 'chart') return view === 'table' ? 'Numbers below a value' : null;
  const { kind } = choosePicture(plan);
  return kind === 'bars' || kind === 'heatMap' ? 'Whiskers' : 'Bands';
}

/** Explains the bounds beside a value. */
function boundsText(run: RunModel, options: PictureOptions): string {
  const name = boundsName(run, options);
  const isThroughput = options.metric === 'throughput';
  const areMerged = !isThroughput && !areJudged(run);
  if (name === null) return areMerged ? 'All repeats are merged.' : '';
  const cut = name === 'Numbers below a value' ? '' : '; an arrowhead marks an interval that extends beyond the axis';
  return areMerged
    ? `All repeats are merged; ${name.toLowerCase()} show the lowest and the highest repeat${cut}.`
    : `${name} show 95 % confidence intervals of the ${isThroughput ? '' : 'geometric '}mean of the repeats${cut}.`;
}

/** The note that a reader needs to understand the picture. */
export function pictureText({ run, baseline, options }: Pick<PictureInput, 'run' | 'baseline' | 'options'>): string {
  const pairs = [...publishedMarks(run).values()].flat();
  const hasOutliers = run.cells.some(({ outliers, target }) => outliers.length > 0 && !isReference(run, target));
  return sentences(
    boundsText(run, options),
    hasOutliers && options.metric === 'throughput' && boundsName(run, options) === 'Whiskers'
      ? '× marks an outlier among the repeats of a cell; it counts in the mean.'
      : '',
    `Ratios refer to ${baselineText(run, baseline)}.`,
    options.metric === 'throughput' ? publishedChartText(pairs) : '',
  );
}

type Curve = Exclude<ReturnType<typeof choosePicture>, { readonly kind: 'bars' | 'heatMap' }>;

/** The chosen metric; with users or a search, throughput and a latency. */
function panelsOf(data: PictureData, input: PictureInput, picture: Curve): readonly Plot[] {
  const { run, baseline, options, theme } = input;
  const isRatio = options.show === 'ratio';
  const panelOf = (metric: Metric, limitMs: number | null = null): Plot => {
    const own =
      metric === options.metric
        ? data
        : { ...data, text: metricText(run, metric), values: pictureValues(run, metric, baseline) };
    const { label, tick } = own.text;
    return {
      title: isRatio ? `${label}, times the baseline` : metricTitle(own.text),
      lines: pictureLines(own, options, picture.factor).map((line) =>
        plotLine(line, factorText(picture.factor), theme),
      ),
      tick: (value) => (isRatio ? `${formatTick(value)}×` : tick(value)),
      ...(limitMs !== null && !isRatio && { limit: { value: limitMs, label: `limit ${formatMs(limitMs)}` } }),
    };
  };
  const latency = options.metric === 'throughput' ? 'p99' : options.metric;
  const panels =
    picture.kind === 'lines'
      ? [panelOf(options.metric)]
      : picture.kind === 'users'
        ? [panelOf('throughput'), panelOf(latency)]
        : [panelOf(latency, latency === 'p99' ? picture.limitMs : null), panelOf('throughput')];
  return panels.filter(({ lines }) => lines.length > 0);
}

const plotLine = ({ label, index, points }: PictureLine, xName: string, theme: ChartTheme): PlotLine => ({
  ...{ label, colour: colourOf(theme, index) },
  points: points.map(({ x, y, cell }) => ({
    ...{ x, y, cell, spoken: `${label}, ${xName} ${formatCount(x)}: ${cell.valueText}` },
    ...(cell.isApart ? { look: 'outline' } : cell.isClientBound && { look: 'hollow' }),
  })),
});
