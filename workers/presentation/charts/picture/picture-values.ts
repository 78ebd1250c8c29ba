import { ratios } from '#analysis/compare/compare.ts';
import { latencyRatiosOf } from '#analysis/compare/latency-ratios.ts';
import { publishedMarks } from '#analysis/compare/published.ts';
import type { CellSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatMsTick, formatMsTo, formatShort, formatTick } from '#model/format/format.ts';
import type { TimeFigure } from '#planning/judged/trial-times.ts';
import { type Baseline, baselineCell } from '#planning/rates/baseline.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { trialLatency } from '#planning/rates/load-rates.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import type { LatencySummary } from '#stats/histogram/percentiles.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { formatPublishedRatio, publishedName } from '../../text/published-text.ts';
import type { Bounded } from '../kit/scale.ts';

type Percentile = Exclude<keyof LatencySummary, 'count' | 'max' | 'p90'>;

/** The metric that a picture shows. */
export type Metric = 'throughput' | Percentile;

const percentileLabels: Readonly<Record<Percentile, string>> = {
  p50: 'p50 latency',
  p95: 'p95 latency',
  p99: 'p99 latency',
  p999: 'p99.9 latency',
  mean: 'Mean latency',
};

/** The texts and formats of a metric. */
export interface MetricText {
  readonly metric: Metric;
  readonly label: string;
  /** The unit of an axis. Empty if the format of each value includes the unit. */
  readonly unit: string;
  readonly higherIsBetter: boolean;
  /** Formats a value with `digits` significant digits, 3 by default. */
  readonly format: (value: number, digits?: number) => string;
  readonly tick: (value: number) => string;
}

/** The title of a picture of a metric: "Throughput (rows/s)". */
export const metricTitle = ({ label, unit }: Pick<MetricText, 'label' | 'unit'>): string =>
  unit === '' ? label : `${label} (${unit})`;

/** Returns the texts and formats of a metric. */
export const metricText = (model: Pick<RunModel, 'trials'>, metric: Metric): MetricText =>
  metric === 'throughput'
    ? {
        metric,
        label: 'Throughput',
        unit: rateUnit(model),
        higherIsBetter: true,
        format: formatShort,
        tick: formatTick,
      }
    : {
        metric,
        label: percentileLabels[metric],
        unit: '',
        higherIsBetter: false,
        format: (ms, digits = 3) => formatMsTo(ms, digits),
        tick: formatMsTick,
      };

/** The metrics that at least one cell of the run has, throughput first. */
export const metricsOf = (model: RunModel): readonly MetricText[] =>
  (['throughput', ...(Object.keys(percentileLabels) as Percentile[])] as const)
    .filter((metric) => metric === 'throughput' || model.cells.some(({ latencyMs }) => latencyMs[metric] !== null))
    .map((metric) => metricText(model, metric));

/** One cell of a picture. */
export interface PictureValue extends Cell {
  readonly value: Bounded;
  /** The ratio to the baseline's value. Null if the baseline has no value. */
  readonly ratio: Bounded | null;
  readonly isBaseline: boolean;
  /** True if the comparison shows no difference, or has too few repeats to show one. */
  readonly isUncertain: boolean;
  /** True if the offered load determined both throughputs, so that their ratio does not tell which is faster. */
  readonly isSetByLoad: boolean;
  /** True if the cell returned other rows than the baseline, so that it has no ratio. */
  readonly isApart: boolean;
  /** True if the client was saturated, so that the server may be faster. */
  readonly isClientBound: boolean;
  /** Outlying repeats. They count in the mean, and are also drawn as single points. */
  readonly outliers: readonly number[];
  /** Published values, placed relative to their baseline in this run. They are not measurements. */
  readonly published: readonly { readonly value: number; readonly text: string }[];
}

/**
 * The values of a metric by keyOf, with 95 % confidence intervals. In a search, percentiles merge all repeats, and have
 * the lowest and the highest repeat.
 */
export function pictureValues(model: RunModel, metric: Metric, baseline: Baseline): ReadonlyMap<string, PictureValue> {
  const found = metric === 'throughput' ? throughputs(model, baseline) : latencies(model, metric, baseline);
  return new Map(found.map((one) => [keyOf(one), one]));
}

const clientBound = (model: RunModel, { clientSaturated, target }: CellSummary): boolean =>
  clientSaturated && !isReference(model, target);

function throughputs(model: RunModel, baseline: Baseline): readonly PictureValue[] {
  const published = publishedMarks(model);
  const compared = new Map(ratios(model, baseline).map((one) => [keyOf(one), one]));
  return model.cells.flatMap((cell): PictureValue[] => {
    const { variant, target, rowsPerSecond } = cell;
    if (rowsPerSecond === null) return [];
    const ratio = compared.get(keyOf(cell));
    return [
      {
        variant,
        target,
        value: rowsPerSecond,
        ratio: ratio?.otherRows ? null : (ratio?.ratio ?? null),
        isApart: cell.rowProblems.length > 0,
        isBaseline: ratio?.verdict === 'baseline' && cell.rowProblems.length === 0,
        isUncertain: ratio?.verdict === 'notSignificant' || ratio?.verdict === 'notEnoughRepeats',
        isSetByLoad: ratio?.verdict === 'setByLoad',
        isClientBound: clientBound(model, cell),
        outliers: cell.outliers.map((one) => one.value),
        published: (published.get(keyOf(cell)) ?? []).map((mark) => ({
          value: mark.rate,
          text: `${publishedName(mark.published)}: ${formatPublishedRatio(mark)} there`,
        })),
      },
    ];
  });
}

/** The figures of the percentiles, by which verdicts compare them. */
const figures: Readonly<Record<Percentile, TimeFigure>> = { p50: 0.5, p95: 0.95, p99: 0.99, p999: 0.999, mean: 'mean' };

/** The metric of a figure; null if pictures do not show it. */
export const metricOf = (figure: TimeFigure): Metric | null =>
  (Object.keys(figures) as Percentile[]).find((metric) => figures[metric] === figure) ?? null;

/** True if times are those that verdicts compare; a search compares its loads by the percentiles of all repeats. */
export const areJudged = ({ plan }: Pick<RunModel, 'plan'>): boolean => plan.measure.search === undefined;

function latencies(model: RunModel, metric: Percentile, baseline: Baseline): readonly PictureValue[] {
  const ofRepeats = latenciesOfRepeats(model, metric);
  const values = new Map(model.cells.map((cell) => [keyOf(cell), cell.latencyMs[metric]]));
  const compared = areJudged(model)
    ? latencyRatiosOf(model, baseline, [{ work: null, figure: figures[metric] }])
    : ([] as const);
  const judged = new Map(compared.map((one) => [keyOf(one), one]));
  return model.cells.flatMap((cell): PictureValue[] => {
    const { variant, target } = cell;
    const merged = values.get(keyOf(cell));
    if (merged == null) return [];
    const isApart = cell.rowProblems.length > 0;
    const one = judged.get(keyOf(cell));
    const other = isApart ? null : baselineCell(cell, baseline);
    const isBaseline = other !== null && keyOf(other) === keyOf(cell);
    const repeats = ofRepeats.get(keyOf(cell)) ?? [];
    const hasRange = repeats.length > 1 && !areJudged(model);
    // If each repeat has too few calls, all repeats together may have enough, but no interval.
    const value = one?.ms ?? {
      value: merged,
      low: hasRange ? Math.min(merged, ...repeats) : null,
      high: hasRange ? Math.max(merged, ...repeats) : null,
    };
    const base = other === null ? null : (judged.get(keyOf(other))?.ms?.value ?? values.get(keyOf(other)) ?? null);
    const plain = base === null || base === 0 ? null : { value: value.value / base, low: null, high: null };
    return [
      {
        variant,
        target,
        value,
        ratio: isApart ? null : (one?.ratio ?? plain),
        isBaseline,
        isUncertain: !isBaseline && areJudged(model) && !isDifference(one?.verdict),
        isSetByLoad: false,
        isApart,
        isClientBound: clientBound(model, cell),
        outliers: [],
        published: [],
      },
    ];
  });
}

function latenciesOfRepeats({ trials }: RunModel, metric: Percentile): ReadonlyMap<string, readonly number[]> {
  const values = new Map<string, number[]>();
  for (const { trial, result } of trials) {
    if (result?.status !== 'ok') continue;
    const value = trialLatency(result.totals)[metric];
    if (value === null) continue;
    const known = values.get(keyOf(trial));
    if (known) known.push(value);
    else values.set(keyOf(trial), [value]);
  }
  return values;
}
