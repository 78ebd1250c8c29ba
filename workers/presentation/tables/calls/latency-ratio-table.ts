import type { LatencyClaims } from '#analysis/compare/latency-claims.ts';
import { type LatencyRatio, latencyRatios } from '#analysis/compare/latency-ratios.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatTimeName, formatWork, timeRatioText } from '#analysis/text/latency-text.ts';
import { digitsWithin, formatBounds, formatInterval, formatMsTo } from '#model/format/format.ts';
import { formatFigure, timeFigures } from '#planning/judged/trial-times.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { baselineText } from '../../text/baseline-text.ts';
import type { Table } from '../shared/csv.ts';
import { heads, type NotedTable, numbers, type PanelColumn, targets, words } from '../shared/panel-table.ts';

/** Explains the numbers of both tables. */
const methodText =
  'A time is the geometric mean of the repeats’ values, with its 95 % interval; tables of percentiles merge all calls instead. A ratio has the interval of Welch’s t on logarithms over the repeats.';

/** The answer shows this many rows at most, and then only the certain differences. */
const mostRows = 24;

const cellColumns = ({ plan }: Pick<RunModel, 'plan'>): readonly PanelColumn[] => [
  ...(plan.variants.length > 1 ? words('Variant') : []),
  ...targets('Target'),
];
const cellTexts = ({ plan }: Pick<RunModel, 'plan'>, { variant, target }: LatencyRatio): readonly string[] => [
  ...(plan.variants.length > 1 ? [variantText(plan, variant)] : []),
  target,
];

const formatTime = ({ ms }: LatencyRatio): string => (ms === null ? '–' : formatInterval(ms, formatMsTo));

/** A time, below it its interval, and below that its ratio. */
function linesOf(one: LatencyRatio): readonly string[] {
  const { ms } = one;
  if (ms === null) return ['–'];
  const bounds = formatBounds(ms, formatMsTo);
  return [formatMsTo(ms.value, digitsWithin(ms)), ...(bounds === '' ? [] : [`(${bounds})`]), timeRatioText(one)];
}

/** The times that the answer judges, work by work, with their ratios to the baseline. */
export function judgedTimesTable(model: RunModel, baseline: Baseline, latency: LatencyClaims): NotedTable {
  const { ratios, certain, comparisons } = latency;
  const isLong = ratios.length > mostRows;
  const shown = isLong
    ? ratios
        .filter((one) => certain.has(one))
        .toSorted((a, b) => Math.abs(Math.log(b.ratio!.value)) - Math.abs(Math.log(a.ratio!.value)))
        .slice(0, mostRows)
    : ratios;
  const doubt = (one: LatencyRatio) =>
    isDifference(one.verdict) && !certain.has(one) ? `, not certain among ${comparisons} comparisons` : '';
  return {
    note: `${isLong ? `The certain differences among ${comparisons} comparisons, the largest first; the tab Latency has all of them. ` : ''}${methodText}${serviceNote(ratios)}`,
    columns: [
      ...heads('Judged'),
      ...cellColumns(model),
      ...numbers('Time'),
      ...words(`Against ${baselineText(model, baseline)}`),
    ],
    rows: shown.map((one) => ({
      cells: [formatTimeName(one), ...cellTexts(model, one), formatTime(one), `${timeRatioText(one)}${doubt(one)}`],
    })),
  };
}

/** The kinds of times of statements, transactions and scenarios. Empty: none is shown. */
function serviceNote(ratios: readonly LatencyRatio[]): string {
  const kinds = new Set(ratios.flatMap(({ work, time }) => (work === null ? [] : [time])));
  if (kinds.size === 0) return '';
  if (!kinds.has('response'))
    return ' Times of a statement or transaction are service times: they do not contain the wait for a connection.';
  return kinds.has('service')
    ? ' Times of units of work are response times, from the intended start; steps of transactions and passes of scenarios have service times.'
    : ' Times are response times: they begin at the intended start, and contain the wait for a connection.';
}

const allTimesText = (model: RunModel, baseline: Baseline): string =>
  `Ratios refer to ${baselineText(model, baseline)}. ${methodText} Each interval holds for its own comparison. A dash means that a repeat has too few calls (ten have to be slower than the percentile) or, for the mean and the maximum, that it gave up units of work. Maxima are compared only where the sides made about as many calls. Times of a scenario contain its pauses.`;

/**
 * The mean, p50, p95, p99 and maximum of each kind of call in each cell, with their ratios to the baseline. Empty if
 * there is no other cell than the baseline’s.
 */
export function allTimesTable(model: RunModel, baseline: Baseline): NotedTable {
  const all = latencyRatios(model, baseline);
  const compared = all.some(({ verdict }) => verdict !== 'baseline') ? all : [];
  const rows = Map.groupBy(compared, (one) => JSON.stringify([one.work, keyOf(one)]));
  const hasWorks = new Set(compared.map(formatWork)).size > 1;
  return {
    note: allTimesText(model, baseline),
    columns: [
      ...(hasWorks ? heads('Calls') : words('Calls')),
      ...cellColumns(model),
      ...numbers(...timeFigures.map(formatFigure)),
    ],
    rows: [...rows.values()].map((own) => ({
      cells: [formatWork(own[0]!), ...cellTexts(model, own[0]!), ...own.map((one) => ({ text: linesOf(one) }))],
    })),
  };
}

/** The same in numbers. */
export const allTimesCsv = (model: RunModel, baseline: Baseline): Table => ({
  columns: [
    ...['calls', 'kind', 'time', 'figure', 'variant', 'target', 'ms', 'ms low', 'ms high'],
    ...['ratio', 'ratio low', 'ratio high', 'verdict', 'repeats', 'repeats needed'],
  ],
  rows: latencyRatios(model, baseline).map((one) => [
    ...[one.work ?? '', one.kind, one.time, formatFigure(one.figure), variantText(model.plan, one.variant), one.target],
    ...[one.ms?.value ?? null, one.ms?.low ?? null, one.ms?.high ?? null],
    ...[one.ratio?.value ?? null, one.ratio?.low ?? null, one.ratio?.high ?? null],
    ...[one.verdict, one.ms?.n ?? null, one.repeatsNeeded],
  ]),
});
