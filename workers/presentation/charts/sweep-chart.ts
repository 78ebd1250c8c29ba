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
import type { SceneChart } from './kit/chart.ts';
import { drawPlots, type Plot, type PlotLine } from './kit/plots.ts';
import type { Scene } from './kit/scene.ts';
import { type ChartTheme, lookOf } from './kit/theme.ts';
import { publishedLines } from './plot/published-lines.ts';
import { chosenCells, chosenTargets, chosenVariants, defaultWidthPx, type Selection } from './plot/select.ts';

/** The numeric factors with at least two levels, over which a sweep can be drawn. */
export function numericFactors({ plan }: Pick<RunModel, 'plan'>): readonly string[] {
  const names = new Set(plan.variants.flatMap(({ levels }) => Object.keys(levels)));
  return [...names].filter((name) => {
    const levels = new Set(plan.variants.map((variant) => variant.levels[name]));
    return levels.size > 1 && [...levels].every((level) => typeof level === 'number');
  });
}

/** The numeric factors without the load of a search, which has its own chart. */
export const sweptFactors = (model: Pick<RunModel, 'plan'>): readonly string[] =>
  numericFactors(model).filter((name) => name !== model.plan.measure.search?.setting);

/** Readers of a sweep over connections expect the Universal Scalability Law. */
function noLawText(model: RunModel, factor: string): string {
  const why = factor === loadFactor ? tooShort(model) : null;
  return why === null ? '' : ` The scalability law was not fitted. ${why}`;
}

/** The metrics that are drawn over a factor. */
export interface SweepMeasure extends Pick<Plot, 'tick' | 'scale' | 'limit'> {
  /** The title of a plot. `combination` has the levels of the other factors, and is empty without other factors. */
  title(combination: string): string;
  of(variant: string, target: string): Interval | null | undefined;
  readonly format: (value: number) => string;
  /** The markers on the axis of a plot. */
  marks?(combination: string): NonNullable<Plot['marks']>;
  /** Lines of published values for these variants. */
  references?(own: readonly Variant[], target: PlannedTarget): readonly PlotLine[];
}

/** Draws metrics over the levels of one numeric factor. Each combination of the other factors has its own plots. */
export function drawSweep(
  model: RunModel,
  factor: string,
  measures: readonly SweepMeasure[],
  theme: ChartTheme,
  selection: Selection,
): Scene {
  const variants = chosenVariants(model, selection);
  const xName = factorText(factor);
  const others = (variant: Variant) => formatLevels(othersOf(variant, factor));
  const plots = [...Map.groupBy(variants, others)].flatMap(([combination, own]) =>
    measures.flatMap(({ title, of, references, marks, format, ...axis }): Plot[] => {
      const lines = chosenTargets(model, selection).flatMap((target): readonly PlotLine[] => {
        const points = own
          .flatMap((variant) => {
            const y = of(variant.id, target.name);
            const x = Number(variant.levels[factor]);
            const spoken = (value: number) => `${target.name}, ${xName} ${formatCount(x)}: ${format(value)}`;
            return y == null ? [] : [{ x, y, spoken: spoken(y.value) }];
          })
          .toSorted((a, b) => a.x - b.x);
        if (points.length === 0) return [];
        return [{ label: target.name, ...lookOf(target, theme), points }, ...(references?.(own, target) ?? [])];
      });
      return lines.length === 0
        ? []
        : [{ title: title(combination), lines, ...axis, ...(marks && { marks: marks(combination) }) }];
    }),
  );
  const layout = { xName, xTick: formatCount, xTicks: 'points', names: 'legend' } as const;
  const widthPx = selection.widthPx ?? defaultWidthPx;
  return drawPlots(plots, { ...layout, columns: 3, leastPx: 250, heightPx: 230 }, theme, widthPx);
}

/** Throughput over the levels of one numeric factor, one panel for each combination of the others. */
export function sweep(model: RunModel, factor: string, theme: ChartTheme, selection: Selection = {}): SceneChart {
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
    scene: drawSweep(model, factor, [measure], theme, selection),
    data: {
      columns: [...levelNames(variants), 'target', unit, 'low', 'high', 'repeats'],
      rows: chosenCells(model, selection).flatMap(({ variant, target: { name }, cell: { rowsPerSecond: rate } }) =>
        rate === null ? [] : [[...levelsOf(variant), name, rate.value, rate.low, rate.high, rate.n]],
      ),
    },
  };
}

export const levelNames = ([first]: readonly Variant[]): readonly string[] => Object.keys(first?.levels ?? {});

/** The levels of a variant, formatted for a table. */
export const levelsOf = ({ levels }: Variant): readonly (string | number)[] =>
  Object.values(levels).map((level) => (typeof level === 'number' ? level : String(level)));

/** The columns for the factors besides the load, in tables of several sweeps. */
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
