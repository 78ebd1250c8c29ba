import type { PlannedTarget, Variant } from '#contract/plan.ts';
import { ceilingOf, roundTripsOf } from '../ceilings.ts';
import { formatRate, formatRatioInterval, formatTick } from '../format.ts';
import type { Interval, Ratio, RunModel } from '../model.ts';
import type { Chart } from './chart.ts';
import { drawIntervalRows, type IntervalMark } from './interval-rows.ts';
import { chosenTargets, chosenVariants, findCell, isReference, rateUnit, type Selection } from './select.ts';
import type { ChartTheme } from './theme.ts';

/** Throughput of every cell with its interval. Bars where they can be compared by eye, dots on a log axis where they cannot. */
export function throughputByCell(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const unit = rateUnit(model);
  const variants = chosenVariants(model, selection);
  const targets = chosenTargets(model, selection);
  const marks = variants.flatMap((variant) =>
    targets.flatMap((target): IntervalMark[] => {
      const cell = findCell(model, variant.id, target.name);
      if (cell?.rowsPerSecond == null) return [];
      const hollow = cell.clientSaturated && !isReference(model, target.name);
      const label = `${formatRate(cell.rowsPerSecond.value, unit)}${hollow ? ' · client' : ''}`;
      const { name, index } = target;
      return [{ row: variant.label, series: name, index, interval: cell.rowsPerSecond, label, hollow }];
    }),
  );
  const values = marks.map(({ interval }) => interval.value).filter((value) => value > 0);
  const log = Math.max(...values) / Math.min(...values) > 20;
  const left = model.plan.targets.length - targets.length;
  const client = marks.some(({ hollow }) => hollow);
  return {
    id: 'throughput',
    title: 'Throughput',
    note: [
      'Mean of the repeats with its 95 % confidence interval.',
      log ? 'Log axis: equal distances are equal ratios.' : '',
      client ? 'Hollow, “client”: the client was saturated, the server may do more.' : '',
      left > 0 && selection.targets === undefined ? 'Reference targets, which do no work, are left out.' : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
    ...drawIntervalRows(
      {
        rows: variants.map(({ label }) => label),
        marks,
        kind: log ? 'dots' : 'bars',
        xName: unit,
        xFormat: formatTick,
        levels: calibrationLevels(model, variants, targets, values),
      },
      theme,
    ),
    data: {
      columns: ['variant', 'target', unit, 'low', 'high', 'repeats'],
      rows: variants.flatMap((variant) =>
        targets.map((target) => [
          variant.id,
          target.name,
          ...numbers(findCell(model, variant.id, target.name)?.rowsPerSecond ?? null),
        ]),
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
  const marks = variants.flatMap((variant) =>
    targets.flatMap(({ name, index }): (IntervalMark & { readonly found: Ratio })[] => {
      const found = all.find(({ variant: id, target }) => id === variant.id && target === name);
      if (found === undefined) return [];
      const baseline = found.verdict === 'baseline';
      const label = baseline
        ? 'baseline'
        : `${formatRatioInterval(found.ratio)}${found.verdict === 'noDifferenceShown' ? ' no difference shown' : ''}`;
      return [{ row: variant.label, series: name, index, interval: found.ratio, label, hollow: baseline, found }];
    }),
  );
  // A row with nothing but its baseline says nothing.
  const compared = new Set(marks.filter(({ hollow }) => !hollow).map(({ row }) => row));
  const shown = marks.filter(({ row }) => compared.has(row));
  return {
    id: 'ratios',
    title: 'Ratio to the baseline',
    note: 'Throughput ÷ the baseline’s, with 95 % confidence intervals (Welch’s t on logarithms). Log axis.',
    ...drawIntervalRows(
      {
        rows: variants.map(({ label }) => label).filter((label) => compared.has(label)),
        marks: shown,
        kind: 'dots',
        xName: 'times the baseline',
        xFormat: (value) => `${formatTick(value)}×`,
        levels: [{ value: 1, label: '' }],
      },
      theme,
    ),
    data: {
      columns: ['variant', 'target', 'ratio', 'low', 'high', 'repeats', 'verdict'],
      rows: shown.map(({ found: { variant, target, ratio, verdict } }) => [
        variant,
        target,
        ...numbers(ratio),
        verdict,
      ]),
    },
  };
}

/** Calibration that says the same of every variant shown and is near enough to matter; all of it stands in the calibration table. */
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
