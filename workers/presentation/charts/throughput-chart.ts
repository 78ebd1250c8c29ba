import { ceilingOf, roundTripsOf } from '#analysis/cells/ceilings.ts';
import { usefulMargin } from '#analysis/compare/compare.ts';
import { publishedMarks } from '#analysis/compare/published.ts';
import type { Interval, Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { findCell, rateUnit } from '#analysis/run-model/select-cells.ts';
import { methodLabels } from '#analysis/text/verdict-text.ts';
import { formatRate, formatRatioInterval, formatShort, formatTick } from '#model/format/format.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { PlannedTarget, Variant } from '#protocol/plan.ts';
import { outlierScore } from '#stats/outliers.ts';
import { formatPublishedRatio, publishedChartNote, publishedName } from '../text/published-text.ts';
import { sentences } from '../text/sentences.ts';
import type { Chart } from './plot/chart.ts';
import { drawIntervalRows, type IntervalMark, type RowCeiling } from './plot/interval-rows.ts';
import { chosenCells, chosenTargets, chosenVariants, type Selection } from './plot/select.ts';
import type { ChartTheme } from './plot/theme.ts';

/**
 * Throughput of every cell with its interval. Bars where they can be compared by eye, dots on a log axis where they
 * cannot.
 */
export function throughputByCell(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const unit = rateUnit(model);
  const variants = chosenVariants(model, selection);
  const targets = chosenTargets(model, selection);
  const published = publishedMarks(model);
  const marks = chosenCells(model, selection).flatMap(({ variant, target, cell }): IntervalMark[] => {
    const { rowsPerSecond: interval, outliers: far } = cell;
    if (interval === null) return [];
    const hollow = cell.clientSaturated && !isReference(model, target.name);
    const outliers = far.map(({ value }) => value);
    const away = outliers.map((value) => ` × ${formatShort(value)}`).join('');
    const label = `${formatRate(interval.value, unit)}${hollow ? ' · client' : ''}${away}`;
    const { name: series, index } = target;
    const dashed = ticksOf(published.get(keyOf(cell)), 1);
    return [{ row: variant.label, series, index, interval, label, hollow, outliers, published: dashed }];
  });
  const values = marks
    .flatMap((mark) => [mark.interval.value, ...(mark.published ?? []).map(({ value }) => value)])
    .filter((value) => value > 0);
  const hasReference = model.plan.targets.some(({ name }) => isReference(model, name));
  const ceilings = hasReference
    ? referenceCeilings(model, variants, targets, marks, unit)
    : calibratedCeilings(model, variants, marks, unit);
  const spread = Math.max(...values, ...ceilings.map(({ value }) => value)) / Math.min(...values);
  // A ceiling far above would press bars together.
  const log = spread > (ceilings.length > 0 ? 8 : 20);
  const left = model.plan.targets.length - targets.length;
  const client = marks.some(({ hollow }) => hollow);
  return {
    id: 'throughput',
    title: 'Throughput',
    note: sentences(
      'Mean of the repeats with its 95 % confidence interval.',
      log ? 'Log axis: equal distances are equal ratios.' : '',
      marks.some(({ outliers = [] }) => outliers.length > 0)
        ? `×: ${repeatCount(marks)} far from the others of the cell (modified z-score of the logarithms beyond ±\u00a0${outlierScore}, and by 10\u00a0% or more); kept.`
        : '',
      client ? 'Hollow, “client”: the client was saturated, the server may do more.' : '',
      publishedChartNote(shownPairs(published, marks)),
      left > 0 && selection.targets === undefined ? 'Reference targets, which do no work, are left out.' : '',
      ceilings.length > 0
        ? `A dashed line across a row: what ${hasReference ? 'such a target reached with the same variant' : 'calibration reached without a server'}, a ceiling for all others.`
        : '',
    ),
    ...drawIntervalRows(
      {
        rows: variants.map(({ label }) => label),
        marks,
        kind: log ? 'dots' : 'bars',
        xName: unit,
        xFormat: formatTick,
        levels: calibrationLevels(model, variants, targets, values),
        ceilings,
        widthPx: selection.widthPx,
      },
      theme,
    ),
    data: {
      columns: [
        ...['variant', 'target', unit, 'low', 'high', 'repeats', 'outliers'],
        ...['retries', 'given up', 'retry overhead (share of client time)'],
      ],
      rows: variants.flatMap((variant) =>
        targets.map((target) => {
          const cell = findCell(model, variant.id, target.name);
          const lost = cell?.conflicts;
          return [
            variant.id,
            target.name,
            ...numbers(cell?.rowsPerSecond ?? null),
            (cell?.outliers ?? []).map(({ repeat, value }) => `${value} (repeat ${repeat})`).join('; '),
            ...[lost?.retries ?? null, lost?.gaveUp ?? null, lost?.lostShare ?? null],
          ];
        }),
      ),
    },
  };
}

/** Ratios to the baseline on a log axis, with a line at 1: an interval that touches it shows no difference. */
export function ratioChart(
  model: RunModel,
  all: readonly Ratio[],
  theme: ChartTheme,
  selection: Selection = {},
): Chart {
  const variants = chosenVariants(model, selection);
  const targets = chosenTargets(model, selection);
  const published = publishedMarks(model);
  const marks = variants.flatMap((variant) =>
    targets.flatMap(({ name, index }): (IntervalMark & { readonly found: Ratio })[] => {
      const found = all.find(({ variant: id, target }) => id === variant.id && target === name);
      if (found === undefined) return [];
      const baseline = found.verdict === 'baseline';
      const label = baseline
        ? 'baseline'
        : `${formatRatioInterval(found.ratio)}${found.verdict === 'noDifferenceShown' ? ' no difference shown' : ''}`;
      const cell = findCell(model, variant.id, name)?.rowsPerSecond;
      // What one ratio is in throughput here, so that the tick lies where it does among the rates.
      const one = cell == null || cell.value === 0 ? null : found.ratio.value / cell.value;
      const dashed = one === null ? [] : ticksOf(published.get(keyOf({ variant: variant.id, target: name })), one);
      const mark = { row: variant.label, series: name, index, interval: found.ratio, label, hollow: baseline };
      return [{ ...mark, found, published: dashed }];
    }),
  );
  // A row with nothing but its baseline says nothing.
  const compared = new Set(marks.filter(({ hollow }) => !hollow).map(({ row }) => row));
  const shown = marks.filter(({ row }) => compared.has(row));
  return {
    id: 'ratios',
    title: 'Ratio to the baseline',
    note: sentences(ratioNote(all), publishedChartNote(shownPairs(published, shown))),
    ...drawIntervalRows(
      {
        rows: variants.map(({ label }) => label).filter((label) => compared.has(label)),
        marks: shown,
        kind: 'dots',
        xName: 'times the baseline',
        xFormat: (value) => `${formatTick(value)}×`,
        levels: [{ value: 1, label: '' }],
        widthPx: selection.widthPx,
      },
      theme,
    ),
    data: {
      columns: [
        ...['variant', 'target', 'ratio', 'low', 'high', 'repeats', 'verdict'],
        ...['interval by', `repeats for ±${usefulMargin * 100} %`],
      ],
      rows: shown.map(({ found: { variant, target, ratio, verdict, method, repeatsNeeded } }) => [
        variant,
        target,
        ...numbers(ratio),
        verdict,
        method,
        repeatsNeeded,
      ]),
    },
  };
}

type Marks = ReturnType<typeof publishedMarks>;

const ticksOf = (marks: readonly NonNullable<ReturnType<Marks['get']>>[number][] | undefined, scale: number) =>
  (marks ?? []).map((mark) => ({
    value: mark.rate * scale,
    text: `${publishedName(mark.published)}: ${formatPublishedRatio(mark)} there`,
  }));

const shownPairs = (published: Marks, marks: readonly IntervalMark[]) =>
  marks.some((mark) => (mark.published?.length ?? 0) > 0) ? [...published.values()].flat() : [];

const repeatCount = (marks: readonly IntervalMark[]): string => {
  const count = marks.reduce((sum, { outliers = [] }) => sum + outliers.length, 0);
  return count === 1 ? 'a repeat' : `${count} repeats`;
};

function ratioNote(all: readonly Ratio[]): string {
  const methods = new Set(all.flatMap(({ method }) => method ?? []));
  const how = [...methods].map((method) => methodLabels[method]).join('; ');
  return `Throughput ÷ the baseline’s, with 95 % confidence intervals${how === '' ? '' : ` (${how})`}. Log axis.`;
}

/** A ceiling farther above limits nothing here. */
const mostAbove = 20;

/**
 * What references that are not shown themselves reached with each variant: the client alone, which no server can make
 * faster.
 */
function referenceCeilings(
  model: RunModel,
  variants: readonly Variant[],
  targets: readonly PlannedTarget[],
  marks: readonly IntervalMark[],
  unit: string,
): readonly RowCeiling[] {
  const references = model.plan.targets.filter((one) => isReference(model, one.name) && !targets.includes(one));
  return variants.flatMap(({ id, label }) => {
    const most = highestOf(marks, label);
    return references.flatMap(({ name }) => {
      const rate = findCell(model, id, name)?.rowsPerSecond?.value ?? Number.POSITIVE_INFINITY;
      return rate > most * mostAbove ? [] : [{ row: label, value: rate, label: `${name} ${formatRate(rate, unit)}` }];
    });
  });
}

/** The same from calibration, where no reference was measured with each variant and the limits differ. */
function calibratedCeilings(
  model: RunModel,
  variants: readonly Variant[],
  marks: readonly IntervalMark[],
  unit: string,
): readonly RowCeiling[] {
  const entry = model.calibration.find(({ kind }) => kind === 'noopEngine');
  const rates = variants.map(({ settings }) => (entry ? ceilingOf(entry, settings, model.environment) : null));
  if (new Set(rates).size < 2) return [];
  return variants.flatMap(({ label }, i) => {
    const rate = rates[i] ?? Number.POSITIVE_INFINITY;
    return rate > highestOf(marks, label) * mostAbove
      ? []
      : [{ row: label, value: rate, label: `client alone ${formatRate(rate, unit)}` }];
  });
}

const highestOf = (marks: readonly IntervalMark[], label: string): number =>
  Math.max(0, ...marks.filter(({ row }) => row === label).map(({ interval }) => interval.value));

/**
 * Calibration that says the same of every variant shown and is near enough to matter; all of it stands in the
 * calibration table.
 */
function calibrationLevels(
  model: RunModel,
  variants: readonly Variant[],
  targets: readonly PlannedTarget[],
  values: readonly number[],
) {
  const most = Math.max(0, ...values);
  const isServer = (name: string | null) =>
    targets.some((target) => target.name === name) &&
    model.targets.find((target) => target.name === name)?.descriptor.inProcess !== true;
  return model.calibration.flatMap((entry) => {
    const levels = variants.map(({ settings }) =>
      isServer(entry.target) ? roundTripsOf(entry, settings) : ceilingOf(entry, settings, model.environment),
    );
    const [value, ...others] = new Set(levels);
    return value == null || others.length > 0 || value >= most * 4 ? [] : [{ value, label: entry.label }];
  });
}

const numbers = (interval: Interval | null): readonly [number | null, number | null, number | null, number] => [
  interval?.value ?? null,
  interval?.low ?? null,
  interval?.high ?? null,
  interval?.n ?? 0,
];
