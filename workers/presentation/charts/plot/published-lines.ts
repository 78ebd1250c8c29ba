import type { publishedMarks } from '#analysis/compare/published.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { PlannedTarget, Variant } from '#protocol/plan.ts';
import { publishedName } from '../../text/published-text.ts';
import type { PlotLine } from '../kit/plots.ts';
import { exactly } from '../kit/scale.ts';
import { type ChartTheme, colourOf } from '../kit/theme.ts';

/**
 * Published values over a factor, as dashed lines that pass through the baseline of this run. Each source with a figure
 * among these variants has one line.
 */
export function publishedLines(
  marks: ReturnType<typeof publishedMarks>,
  own: readonly Variant[],
  { name, index }: PlannedTarget,
  factor: string,
  theme: ChartTheme,
): readonly PlotLine[] {
  const levels = new Map(own.map(({ id, levels: all }) => [id, Number(all[factor])]));
  const found = own
    .flatMap(({ id }) => marks.get(keyOf({ variant: id, target: name })) ?? [])
    .filter(({ baseline }) => levels.has(baseline.variant));
  return [...Map.groupBy(found, ({ published }) => published)].map(([published, all]) => {
    const points = new Map(
      all.flatMap(({ cell, baseline, rate, ratio }) => [
        [levels.get(baseline.variant)!, rate / ratio],
        [levels.get(cell.variant)!, rate],
      ]),
    );
    return {
      label: `${name}, ${publishedName(published)}`,
      colour: colourOf(theme, index),
      dash: [2, 4],
      symbol: 'emptyCircle',
      points: [...points].toSorted((a, b) => a[0] - b[0]).map(([x, value]) => ({ x, y: exactly([value])[0]! })),
      draws: 'line',
    };
  });
}
