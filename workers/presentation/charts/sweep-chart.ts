import { publishedMarks } from '#analysis/compare/published.ts';
import { loadFactor, othersOf, type Sweep } from '#analysis/compare/sweep.ts';
import type { Interval, RunModel } from '#analysis/run-model/run-model.ts';
import { findCell, rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatCount } from '#model/format/format.ts';
import { factorText, formatLevels } from '#planning/variant-of.ts';
import type { PlannedTarget, Variant } from '#protocol/plan.ts';
import { tooShort } from '../tables/load/sweep-table.ts';
import { publishedChartText } from '../text/published-text.ts';
import { rateAxis } from './kit/axes.ts';
import type { Chart, Drawing } from './kit/chart.ts';
import { type ChartTheme, lookOf } from './kit/theme.ts';
import { drawPanels, type Line, type Panel } from './plot/panels.ts';
import { publishedLines } from './plot/published-lines.ts';
import { decadesWithinReach } from './plot/reach.ts';
import { chosenCells, chosenTargets, chosenVariants, type Selection } from './plot/select.ts';

/** Factors whose levels are numbers, at least two of them: what a sweep can be drawn over. */
export function numericFactors({ plan }: Pick<RunModel, 'plan'>): readonly string[] {
  const names = new Set(plan.variants.flatMap(({ levels }) => Object.keys(levels)));
  return [...names].filter((name) => {
    const levels = new Set(plan.variants.map((variant) => variant.levels[name]));
    return levels.size > 1 && [...levels].every((level) => typeof level === 'number');
  });
}

/** Numeric factors without the load that a search raises, which has a chart of its own. */
export const sweptFactors = (model: Pick<RunModel, 'plan'>): readonly string[] =>
  numericFactors(model).filter((name) => name !== model.plan.measure.search?.setting);

/** A sweep over connections makes its readers expect the Universal Scalability Law. */
function noLawText(model: RunModel, factor: string): string {
  const why = factor === loadFactor ? tooShort(model) : null;
  return why === null ? '' : ` No scalability law is fitted. ${why}`;
}

/** The figures that are drawn over a factor. */
export interface SweepMeasure {
  /** Title of a panel; `combination`: levels of the other factors, empty where there are none. */
  title(combination: string): string;
  of(variant: string, target: string): Interval | null | undefined;
  readonly format: (value: number) => string;
  readonly tick: (value: number) => string;
  readonly log?: boolean;
  /** Bytes. */
  readonly binary?: boolean;
  readonly levels?: NonNullable<Panel['levels']>;
  /** The moments that a panel marks. */
  moments?(combination: string): NonNullable<Panel['moments']>;
  /** Lines that were not measured here, among these variants. */
  references?(own: readonly Variant[], target: PlannedTarget): readonly Line[];
}

/** Measures over the levels of one numeric factor, a panel of each for each combination of the others. */
export function drawSweep(
  model: RunModel,
  factor: string,
  measures: readonly SweepMeasure[],
  theme: ChartTheme,
  selection: Selection,
): Drawing {
  const variants = chosenVariants(model, selection);
  const levels = [...new Set(variants.map((variant) => Number(variant.levels[factor])))].sort((a, b) => a - b);
  const others = (variant: Variant) => formatLevels(othersOf(variant, factor));
  const panels = [...new Set(variants.map(others))].flatMap((combination) =>
    measures.flatMap(({ title, of, references, moments, ...axis }): Panel[] => {
      const own = variants.filter((variant) => others(variant) === combination);
      const lines = chosenTargets(model, selection).flatMap((target): readonly Line[] => {
        const points = own.flatMap((variant) => {
          const interval = of(variant.id, target.name);
          return interval == null ? [] : [{ x: Number(variant.levels[factor]), interval }];
        });
        if (points.length === 0) return [];
        return [
          {
            ...lookOf(target, theme),
            points: points.map(({ x, interval }) => [x, interval.value] as const).toSorted((a, b) => a[0] - b[0]),
            intervals: points.flatMap(({ x, interval: { low, high } }) =>
              low === null || high === null ? [] : [[x, low, high] as const],
            ),
            marked: true,
          },
          ...(references?.(own, target) ?? []),
        ];
      });
      if (lines.length === 0) return [];
      const values = lines.flatMap((line) => line.points.flatMap(([, value]) => value ?? []));
      const ends = lines.flatMap(({ intervals = [] }) => intervals.flatMap(([, low, high]) => [low, high]));
      const decades = axis.log && !axis.binary ? decadesWithinReach(values, ends) : {};
      return [
        { title: title(combination), lines, ...axis, ...decades, ...(moments && { moments: moments(combination) }) },
      ];
    }),
  );
  // Levels such as 1, 2, 4, 8 or 1, 10, 100 belong on a log axis.
  const log = levels.length > 2 && levels[0]! > 0 && levels.at(-1)! / levels[0]! >= 8;
  return drawPanels(
    panels,
    {
      columns: 3,
      widthPx: selection.widthPx,
      panelHeightPx: 200,
      xName: factorText(factor),
      xFormat: formatCount,
      xTicks: levels,
      ...(log ? { xLog: true, xMin: levels[0]!, xMax: levels.at(-1)! } : {}),
    },
    theme,
  );
}

/** Throughput over the levels of one numeric factor, one panel for each combination of the others. */
export function sweep(model: RunModel, factor: string, theme: ChartTheme, selection: Selection = {}): Chart {
  const variants = chosenVariants(model, selection);
  const unit = rateUnit(model);
  const rateOf = (variant: string, target: string) => findCell(model, variant, target)?.rowsPerSecond;
  const title = (combination: string) => `${combination === '' ? 'Throughput' : combination} (${unit})`;
  const published = publishedMarks(model);
  const references = (own: readonly Variant[], target: PlannedTarget) =>
    publishedLines(published, own, target, factor, theme);
  const measure = { title, of: rateOf, ...rateAxis, references };
  const drawn = chosenTargets(model, selection).flatMap((target) => references(variants, target));
  const dashed = drawn.length === 0 ? '' : ` ${publishedChartText([...published.values()].flat())}`;
  return {
    id: `sweep-${factor}`,
    title: `Throughput over ${factorText(factor)}`,
    note: `Means of the repeats with 95 % confidence intervals.${noLawText(model, factor)}${dashed}`,
    ...drawSweep(model, factor, [measure], theme, selection),
    data: {
      columns: [...levelNames(variants), 'target', unit, 'low', 'high', 'repeats'],
      rows: chosenCells(model, selection).flatMap(({ variant, target: { name }, cell: { rowsPerSecond: rate } }) =>
        rate === null ? [] : [[...levelsOf(variant), name, rate.value, rate.low, rate.high, rate.n]],
      ),
    },
  };
}

export const levelNames = ([first]: readonly Variant[]): readonly string[] => Object.keys(first?.levels ?? {});

/** The levels of a variant as a table has them. */
export const levelsOf = ({ levels }: Variant): readonly (string | number)[] =>
  Object.values(levels).map((level) => (typeof level === 'number' ? level : String(level)));

/** Columns for the factors besides the load, for tables of several sweeps. */
export function otherColumns(sweeps: readonly Sweep[]): {
  readonly names: readonly string[];
  readonly of: (sweep: Sweep) => readonly (string | number | null)[];
} {
  const names = [...new Set(sweeps.flatMap(({ others }) => Object.keys(others)))];
  return {
    names,
    of: ({ others }) =>
      names.map((name) => {
        const level = others[name];
        return typeof level === 'boolean' ? String(level) : (level ?? null);
      }),
  };
}
