import type { Variant } from '#contract/plan.ts';
import { formatCount, formatShort, formatTick } from '../format.ts';
import type { RunModel } from '../model.ts';
import type { Chart } from './chart.ts';
import { dashOf, symbolOf } from './palette.ts';
import { drawPanels, type Line, type Panel } from './panels.ts';
import { chosenTargets, chosenVariants, defaultWidthPx, findCell, rateUnit, type Selection } from './select.ts';
import { type ChartTheme, colourOf } from './theme.ts';

/** Factors whose levels are numbers, at least two of them: what a sweep can be drawn over. */
export function numericFactors({ plan }: Pick<RunModel, 'plan'>): readonly string[] {
  const names = new Set(plan.variants.flatMap(({ levels }) => Object.keys(levels)));
  return [...names].filter((name) => {
    const levels = new Set(plan.variants.map((variant) => variant.levels[name]));
    return levels.size > 1 && [...levels].every((level) => typeof level === 'number');
  });
}

/** Throughput over the levels of one numeric factor, one panel for each combination of the others. */
export function sweep(model: RunModel, factor: string, theme: ChartTheme, selection: Selection = {}): Chart {
  const variants = chosenVariants(model, selection);
  const levels = [...new Set(variants.map((variant) => Number(variant.levels[factor])))].sort((a, b) => a - b);
  const others = (variant: Variant) =>
    Object.entries(variant.levels)
      .filter(([name]) => name !== factor)
      .map(([, level]) => String(level))
      .join(' · ');
  const panels = [...new Set(variants.map(others))].flatMap((combination): Panel[] => {
    const own = variants.filter((variant) => others(variant) === combination);
    const lines = chosenTargets(model, selection).flatMap(({ name, index }): Line[] => {
      const points = own.flatMap((variant) => {
        const interval = findCell(model, variant.id, name)?.rowsPerSecond;
        return interval == null ? [] : [{ x: Number(variant.levels[factor]), interval }];
      });
      if (points.length === 0) return [];
      return [
        {
          name,
          colour: colourOf(theme, index),
          dash: dashOf(index),
          symbol: symbolOf(index),
          points: points.map(({ x, interval }) => [x, interval.value] as const).toSorted((a, b) => a[0] - b[0]),
          intervals: points.flatMap(({ x, interval: { low, high } }) =>
            low === null || high === null ? [] : [[x, low, high] as const],
          ),
          marked: true,
        },
      ];
    });
    const title = `${combination === '' ? 'Throughput' : combination} (${rateUnit(model)})`;
    return lines.length === 0 ? [] : [{ title, format: formatShort, tick: formatTick, lines }];
  });
  // Levels such as 1, 2, 4, 8 or 1, 10, 100 belong on a log axis.
  const log = levels.length > 2 && levels[0]! > 0 && levels.at(-1)! / levels[0]! >= 8;
  return {
    id: `sweep-${factor}`,
    title: `Throughput over ${factor}`,
    note: 'Means of the repeats with 95 % confidence intervals.',
    ...drawPanels(
      panels,
      {
        columns: 3,
        widthPx: selection.widthPx ?? defaultWidthPx,
        panelHeightPx: 200,
        xName: factor,
        xFormat: formatCount,
        xTicks: levels,
        ...(log ? { xLog: true, xMin: levels[0]!, xMax: levels.at(-1)! } : {}),
      },
      theme,
    ),
    data: {
      columns: [...Object.keys(variants[0]?.levels ?? {}), 'target', rateUnit(model), 'low', 'high', 'repeats'],
      rows: variants.flatMap((variant) =>
        chosenTargets(model, selection).flatMap(({ name }) => {
          const interval = findCell(model, variant.id, name)?.rowsPerSecond;
          if (interval == null) return [];
          const own = Object.values(variant.levels).map((level) => (typeof level === 'number' ? level : String(level)));
          return [[...own, name, interval.value, interval.low, interval.high, interval.n]];
        }),
      ),
    },
  };
}
