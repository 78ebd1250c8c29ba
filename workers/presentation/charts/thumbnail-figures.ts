import { latencyTitle } from '#analysis/cells/load-summary.ts';
import { rowsDone } from '#analysis/run-model/rows-done.ts';
import type { CellSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { findCell, rateUnit } from '#analysis/run-model/select-cells.ts';
import type { PictureKind } from '#experiment/schema/gallery-card.ts';
import { formatTick } from '#model/format/format.ts';
import { factorText, formatLevel, formatLevels } from '#planning/variant-of.ts';
import type { PlannedTarget, Variant } from '#protocol/plan.ts';
import { exactly, scaleOf } from './kit/scale.ts';
import { chosenTargets } from './plot/select.ts';
import { numericFactors } from './sweep-chart.ts';

/**
 * The figures of a small picture of a run, as plain data. They are kept beside the pictures of the gallery, so that a
 * change of the drawing needs no new run.
 */
export interface ThumbnailFigures {
  /** The name of the experiment. */
  readonly name: string;
  /** The name and unit above the value axis. */
  readonly title: string;
  /** The kind of the values: rates, or times in ms. */
  readonly values: 'rates' | 'times';
  /** True for lines over the levels of a factor or over rows, false for a group of marks for each variant. */
  readonly isLine: boolean;
  readonly axis: NameAxis;
  readonly series: readonly ThumbnailSeries[];
}

/** The axis below a plot: a name, and texts at positions from the left (0) to the right (1). */
export interface NameAxis {
  readonly name: string;
  readonly labels: readonly { readonly at: number; readonly text: string }[];
  /** True if some labels mean nothing without the others: there are all of them, or none. */
  readonly needsAll: boolean;
  /** True if the labels need no name beside them. */
  readonly namesItself: boolean;
}

/**
 * The drawn values of one target or trial. Values that a log scale cannot show are null. `at` has positions from the
 * left (0) to the right (1).
 */
export interface ThumbnailSeries {
  readonly target: string;
  /** The position of the target in the plan, which decides its colour. */
  readonly index: number;
  readonly values: readonly (number | null)[];
  readonly at: readonly number[];
}

/** A line needs this many levels to have a shape. */
const leastLevels = 4;

/** The value axis of a picture. */
interface Measure {
  title(model: RunModel): string;
  readonly values: ThumbnailFigures['values'];
  of(cell: CellSummary): number | null | undefined;
}

const throughput: Measure = {
  title: (model) => `Throughput (${rateUnit(model)})`,
  values: 'rates',
  of: ({ rowsPerSecond }) => rowsPerSecond?.value,
};
const measures: Readonly<Record<PictureKind, Measure>> = {
  throughput,
  references: throughput,
  timeline: throughput,
  commits: { title: () => 'Commit, p50', values: 'times', of: ({ commits }) => commits?.latencyMs.p50 },
  latency: {
    title: ({ cells }) => `${latencyTitle(cells)}, p99`,
    values: 'times',
    of: ({ latencyMs }) => latencyMs.p99,
  },
};

/** The figures of a run's picture. Null if nothing was measured. */
export function thumbnailFigures(model: RunModel, picture: PictureKind): ThumbnailFigures | null {
  const targets = picture === 'references' ? model.plan.targets : chosenTargets(model, {});
  const measure = measures[picture];
  const { all, isLine, axis } =
    picture === 'timeline' ? timelines(model, targets) : levels(model, targets, (cell) => measure.of(cell));
  const series = all
    .map(({ target, values, at }) => ({
      ...{ target: labelIn(model, target), index: target.index },
      ...{ values: values.map((value) => (value !== null && value > 0 ? short(value) : null)), at: at.map(short) },
    }))
    .filter(({ values }) => values.some((value) => value !== null));
  if (series.length === 0) return null;
  const { name } = model.plan.experiment;
  return { name, title: measure.title(model), values: measure.values, isLine, axis, series };
}

/** A number with the digits that a drawing can show. */
const short = (value: number): number => Number(value.toPrecision(6));

/** The values of one target or trial. */
interface Series extends Pick<ThumbnailSeries, 'values' | 'at'> {
  readonly target: PlannedTarget;
}

interface Drawn {
  readonly all: readonly Series[];
  readonly isLine: boolean;
  readonly axis: NameAxis;
}

type CellValue = (cell: CellSummary) => number | null | undefined;

function levels(model: RunModel, targets: readonly PlannedTarget[], value: CellValue): Drawn {
  const factor = numericFactors(model).find(
    (name) => new Set(model.plan.variants.map(({ levels }) => levels[name])).size >= leastLevels,
  );
  const [first] = model.plan.variants;
  // Each target has one curve. Curves of other levels are left out.
  const variants =
    factor === undefined
      ? model.plan.variants
      : model.plan.variants
          .filter(({ levels }) =>
            Object.entries(levels).every(([name, level]) => name === factor || level === first?.levels[name]),
          )
          .toSorted((a, b) => Number(a.levels[factor]) - Number(b.levels[factor]));
  const of = (variant: string, { name }: PlannedTarget) => {
    const cell = findCell(model, variant, name);
    return (cell && value(cell)) ?? null;
  };
  // A variant that all targets skip has no position.
  const measured = variants.filter(({ id }) => targets.some((target) => of(id, target) !== null));
  const at = measured.map((_, i) => (i + 0.5) / measured.length);
  const all = targets.map((target) => ({ target, at, values: measured.map(({ id }) => of(id, target)) }));
  const factors = factor === undefined ? Object.keys(first?.levels ?? {}) : [factor];
  const textOf = ({ levels, label }: Variant) => {
    const [only] = factors;
    return only !== undefined && factors.length === 1 ? formatLevel(only, levels[only]!) : label;
  };
  return {
    all,
    isLine: factor !== undefined,
    axis: {
      name: factors.map(factorText).join(' × '),
      // A single variant is the whole picture.
      labels: measured.length === 1 ? [] : measured.map((variant, i) => ({ at: at[i]!, text: textOf(variant) })),
      needsAll: factor === undefined,
      namesItself: measured.every((variant) => formatLevels(variant.levels) === textOf(variant)),
    },
  };
}

/** The first trial of each cell, over the number of rows in the table. */
function timelines(model: RunModel, targets: readonly PlannedTarget[]): Drawn {
  const own = targets.flatMap((target) =>
    model.trials
      .filter(({ trial }) => trial.target === target.name && trial.repeat === 1)
      .map((view) => ({ target, values: view.series.rowsPerSecond, rows: rowsDone(view) })),
  );
  const most = Math.max(...own.flatMap(({ rows }) => rows));
  const labels = scaleOf(exactly([most])).ticks.map((tick) => ({ at: tick / most, text: formatTick(tick) }));
  return {
    all: own.map(({ rows, ...one }) => ({ ...one, at: rows.map((count) => count / most) })),
    isLine: true,
    axis: { name: 'Rows so far', labels, needsAll: false, namesItself: false },
  };
}

/** The label of a built-in target without its place: "PostgreSQL". */
function labelIn({ targets }: RunModel, { name }: PlannedTarget): string {
  const builtIn = targets.find((one) => one.name === name)?.descriptor.builtIn.find(({ target }) => target === name);
  return builtIn?.label.replace(/ \(.*\)$/, '') ?? name;
}
