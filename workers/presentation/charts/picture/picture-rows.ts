import type { RunModel } from '#analysis/run-model/run-model.ts';
import { noTrialText } from '#analysis/text/no-result-text.ts';
import { verdictWords } from '#analysis/text/verdict-text.ts';
import { digitsWithin, formatChange, formatRatio, formatSpeed } from '#model/format/format.ts';
import { workingTargets } from '#planning/rates/contenders.ts';
import { factorText, formatLevel, formatLevels } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell, PlannedTarget, Variant } from '#protocol/plan.ts';
import type { Bounded } from '../kit/scale.ts';
import type { HitCell } from '../kit/scene.ts';
import { isNumeric, levelsOfFactor, variedFactors } from './choose-picture.ts';
import type { MetricText, PictureValue } from './picture-values.ts';

/** The arrangement that the user has chosen. */
export interface Arrangement {
  readonly show: 'value' | 'ratio';
  readonly sort: 'fastest' | 'planned';
  readonly group: 'none' | 'variant' | 'target';
  /** The words that the name of a cell must contain. */
  readonly filter: string;
}

/** The data of a picture: a run, and a metric of its cells. */
export interface PictureData {
  readonly model: RunModel;
  readonly text: MetricText;
  readonly values: ReadonlyMap<string, PictureValue>;
}

/** The name and the drawn value of one cell. */
export interface PictureCell extends HitCell {
  /** The position of the target, which determines its colour. */
  readonly index: number;
  /** The drawn value: the metric or a ratio, depending on the arrangement. Null if nothing was measured. */
  readonly drawn: Bounded | null;
  readonly valueText: string;
  readonly ratioText: string;
  readonly isBaseline: boolean;
  /** True if the cell returned other rows than the baseline, so that it has no comparison. */
  readonly isApart: boolean;
  readonly isClientBound: boolean;
  /** Outlying repeats, on the scale of the drawn values. */
  readonly outliers: readonly number[];
  /** Published figures, on the scale of the drawn values. */
  readonly published: PictureValue['published'];
  /** The kinds of warnings and errors about this cell alone, the most severe first. */
  readonly doubts: readonly string[];
  /** The reason why there is no value. Empty if there is a value. */
  readonly why: string;
}

/** Cells under a common heading. Null for a group without heading. */
export interface CellGroup {
  readonly title: string | null;
  readonly index: number | null;
  readonly cells: readonly PictureCell[];
}

/** True if the name of a cell contains each of the words. */
function passes(filter: string, name: string): boolean {
  const words = filter.toLowerCase().split(/\s+/);
  return words.every((word) => name.toLowerCase().includes(word));
}

function missingText(run: RunModel, cell: Cell): string {
  const { skipped, cells, trials } = run;
  const key = keyOf(cell);
  const left = skipped.find((one) => keyOf(one) === key);
  if (left) return `Skipped: ${left.reason}`;
  const summary = cells.find((one) => keyOf(one) === key);
  const damage = trials.find((view) => view.damage !== null && keyOf(view.trial) === key)?.damage;
  if (damage && !summary?.ok) return `Damaged: ${damage}`;
  if (summary === undefined || summary.ok + summary.failed === 0) return noTrialText(run);
  if (summary.ok === 0) return `Failed: ${summary.firstError?.message ?? 'no trial succeeded.'}`;
  return 'No value: too few calls for the percentile, or units of work were given up.';
}

/**
 * "66× faster", "41 % lower", "baseline", "set by the load", "not comparable", or "≈ 1.02×" where the repeats show no
 * difference.
 */
function ratioText(value: PictureValue, higherIsBetter: boolean): string {
  const { ratio, isBaseline, isUncertain, isSetByLoad, isApart } = value;
  if (isApart) return verdictWords.notComparable;
  if (isBaseline) return 'baseline';
  if (ratio === null) return '';
  if (isSetByLoad) return verdictWords.setByLoad;
  if (isUncertain || ratio.value === 1) return `≈ ${formatRatio(ratio.value, digitsWithin(ratio))}`;
  return higherIsBetter ? formatSpeed(ratio) : formatChange(ratio, 'higher', 'lower');
}

const isOf = (cell: Cell, { variant, target }: Partial<Cell>) => variant === cell.variant && target === cell.target;

/** Keeps warnings and errors. Caveats of severity "info" do not change how to read a number. */
const doubtsOf = ({ caveats }: RunModel, cell: Cell): readonly string[] => [
  ...new Set(
    caveats.flatMap((one) => (one.cell !== null && isOf(cell, one.cell) && one.severity !== 'info' ? [one.title] : [])),
  ),
];

function cellOf(data: PictureData, arrangement: Arrangement, variant: Variant, target: PlannedTarget): PictureCell {
  const { model, text, values } = data;
  const cell = { variant: variant.id, target: target.name };
  const value = values.get(keyOf(cell));
  // The number of drawn units per unit of the metric.
  const scale = arrangement.show === 'value' ? 1 : (value?.ratio?.value ?? 0) / (value?.value.value || 1);
  return {
    ...cell,
    label: variant.label,
    index: target.index,
    drawn: value === undefined ? null : arrangement.show === 'value' ? value.value : value.ratio,
    valueText: value === undefined ? '' : text.format(value.value.value, digitsWithin(value.value)),
    ratioText: value === undefined ? '' : ratioText(value, text.higherIsBetter),
    isBaseline: value?.isBaseline ?? false,
    isApart: value?.isApart ?? false,
    isClientBound: value?.isClientBound ?? false,
    outliers: (value?.outliers ?? []).map((rate) => rate * scale),
    published: (value?.published ?? []).map(({ value: rate, text: words }) => ({ value: rate * scale, text: words })),
    doubts: doubtsOf(model, cell),
    hasTrials: model.cells.some((one) => isOf(cell, one) && one.ok + one.failed > 0),
    why: value === undefined ? missingText(model, cell) : '',
  };
}

/** Sorts the best cell first. Cells that are not comparable come later, and cells without a value last. */
const byRank =
  ({ text: { higherIsBetter } }: PictureData) =>
  (a: PictureCell, b: PictureCell): number => {
    if (a.drawn === null || b.drawn === null) return Number(a.drawn === null) - Number(b.drawn === null);
    if (a.isApart !== b.isApart) return Number(a.isApart) - Number(b.isApart);
    return (b.drawn.value - a.drawn.value) * (higherIsBetter ? 1 : -1);
  };

/** The filtered cells, arranged for bars. References are left out, because they do no work. */
export function cellGroups(data: PictureData, arrangement: Arrangement): readonly CellGroup[] {
  const { model } = data;
  const { group, sort, filter } = arrangement;
  const targets = workingTargets(model);
  const cells = model.plan.variants.flatMap((variant) =>
    targets
      .filter(({ name }) => passes(filter, `${variant.label} ${name}`))
      .map((target) => cellOf(data, arrangement, variant, target)),
  );
  const sorted = (own: readonly PictureCell[]) => (sort === 'fastest' ? own.toSorted(byRank(data)) : own);
  if (group === 'none') return cells.length === 0 ? [] : [{ title: null, index: null, cells: sorted(cells) }];
  const keyed = Map.groupBy(cells, (cell) => (group === 'variant' ? cell.variant : cell.target));
  const groups = [...keyed.values()].map(
    (own): CellGroup => ({
      title: group === 'variant' ? own[0]!.label : own[0]!.target,
      index: group === 'variant' ? null : own[0]!.index,
      cells: sorted(own),
    }),
  );
  const rank = byRank(data);
  return sort === 'fastest' ? groups.toSorted((a, b) => rank(a.cells[0]!, b.cells[0]!)) : groups;
}

/** One table of a heat map. */
export interface HeatGrid {
  readonly title: string | null;
  /** The colour of the dot before the title. */
  readonly index: number | null;
  /** The title of the rows and the title of the columns. */
  readonly corner: string;
  readonly columns: readonly { readonly label: string; readonly index: number | null }[];
  readonly rows: readonly {
    readonly id: string;
    readonly label: string;
    readonly index: number | null;
    readonly cells: readonly (PictureCell | null)[];
  }[];
}

/** One table of all filtered cells, with variants as rows and targets as columns. */
export function cellGrid(
  data: PictureData,
  arrangement: Arrangement,
  targets: readonly PlannedTarget[],
): HeatGrid | null {
  const { variants } = data.model.plan;
  const at = cellAt(data, arrangement);
  const shown = targets.filter((target) => variants.some((variant) => at(variant, target) !== null));
  const rows = sortedRows(
    data,
    arrangement,
    variants.map(({ id, label }, v) => ({
      id,
      label,
      index: null,
      cells: shown.map((target) => at(variants[v], target)),
    })),
  );
  const columns = shown.map(({ name, index }) => ({ label: name, index }));
  const corner = variedFactors(variants).map(factorText).join(', ');
  return rows.length === 0 ? null : { title: null, index: null, corner, columns, rows };
}

const cellAt =
  (data: PictureData, arrangement: Arrangement) =>
  (variant: Variant | undefined, target: PlannedTarget): PictureCell | null =>
    variant !== undefined && passes(arrangement.filter, `${variant.label} ${target.name}`)
      ? cellOf(data, arrangement, variant, target)
      : null;

/** Rows that have a cell, in the order of the arrangement. */
function sortedRows(data: PictureData, { sort }: Arrangement, rows: HeatGrid['rows']): HeatGrid['rows'] {
  const rank = byRank(data);
  const best = (cells: readonly (PictureCell | null)[]) => cells.flatMap((cell) => cell ?? []).toSorted(rank)[0];
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== null));
  return sort === 'planned' ? filled : filled.toSorted((a, b) => rank(best(a.cells)!, best(b.cells)!));
}

/**
 * Arranges the cells as tables. If two or more factors vary and the reader arranges by target, each target has a table
 * with the levels of one factor as columns. Otherwise the run has one table, with variants as rows and targets as
 * columns.
 */
export function heatGrids(data: PictureData, arrangement: Arrangement): readonly HeatGrid[] {
  const { model } = data;
  const { variants } = model.plan;
  const targets = workingTargets(model);
  const { group } = arrangement;
  const at = cellAt(data, arrangement);
  const factors = variedFactors(variants);
  if (group === 'target' && factors.length > 1) {
    const across = columnFactor(variants, factors);
    const rest = (variant: Variant) =>
      formatLevels(Object.fromEntries(Object.entries(variant.levels).filter(([name]) => name !== across)));
    const byRest = Map.groupBy(variants, rest);
    const columns = levelsOfFactor(variants, across);
    return targets.flatMap((target) => {
      const rows = [...byRest].map(([label, own]) => ({
        id: label,
        label,
        index: null,
        cells: columns.map((level) =>
          at(
            own.find(({ levels }) => levels[across] === level),
            target,
          ),
        ),
      }));
      const kept = sortedRows(data, arrangement, rows);
      return kept.length === 0
        ? []
        : [
            {
              title: target.name,
              index: target.index,
              corner: factorText(across),
              columns: columns.map((level) => ({ label: formatLevel(across, level), index: null })),
              rows: kept,
            },
          ];
    });
  }
  const grid = cellGrid(data, arrangement, targets);
  return grid === null ? [] : [grid];
}

/** Chooses the numeric factor with the most levels, or else the factor with the fewest names. */
function columnFactor(variants: readonly Variant[], factors: readonly string[]): string {
  const count = (factor: string) => levelsOfFactor(variants, factor).length;
  const numeric = factors.filter((factor) => isNumeric(variants, factor)).toSorted((a, b) => count(b) - count(a));
  return numeric[0] ?? factors.toSorted((a, b) => count(a) - count(b))[0]!;
}

/** One line over the levels of a factor. */
export interface PictureLine {
  readonly label: string;
  readonly index: number;
  readonly points: readonly { readonly x: number; readonly y: Bounded; readonly cell: PictureCell }[];
}

/** One line for each target and each combination of the other factors, over the levels of one factor. */
export function pictureLines(data: PictureData, arrangement: Arrangement, factor: string): readonly PictureLine[] {
  const { model } = data;
  const targets = workingTargets(model);
  const rest = ({ levels }: Variant) =>
    formatLevels(Object.fromEntries(Object.entries(levels).filter(([name]) => name !== factor)));
  return [...Map.groupBy(model.plan.variants, rest)].flatMap(([combination, variants]) =>
    targets.flatMap((target): PictureLine[] => {
      const label = [target.name, combination].filter((part) => part !== '').join(' · ');
      if (!passes(arrangement.filter, label)) return [];
      const points = variants
        .flatMap((variant) => {
          const cell = cellOf(data, arrangement, variant, target);
          return cell.drawn === null ? [] : [{ x: Number(variant.levels[factor]), y: cell.drawn, cell }];
        })
        .toSorted((a, b) => a.x - b.x);
      return points.length === 0 ? [] : [{ label, index: target.index, points }];
    }),
  );
}
