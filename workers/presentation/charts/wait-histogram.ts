import type { RunModel } from '#analysis/run-model/run-model.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import type { ServerWait } from '#analysis/server/server-waits.ts';
import { formatMsTick } from '#model/format/format.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { shareAxis } from './kit/axes.ts';
import type { PanelChart } from './kit/chart.ts';
import { type ChartTheme, lookOf } from './kit/theme.ts';
import { drawPanels, type Line, type Panel } from './plot/panels.ts';
import { chosenCells, type Selection } from './plot/select.ts';

/** The most charts; the others have less time, and are in the file of the table. */
const mostCharts = 6;

/** The waits with a histogram of the server, those with the most time over the run first. */
export function waitsWithHistogram(model: RunModel): readonly string[] {
  const times = new Map<string, number>();
  for (const { waits } of serverSummaries(model))
    for (const { name, totalMs, buckets } of waits?.most ?? [])
      if (buckets.length > 0) times.set(name, (times.get(name) ?? 0) + totalMs);
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostCharts)
    .map(([name]) => name);
}

/** The distribution of the times of one wait on a log axis, from the server's own histogram, variant by variant. */
export function waitHistogram(model: RunModel, wait: string, theme: ChartTheme, selection: Selection = {}): PanelChart {
  const summaries = new Map(serverSummaries(model).map((one) => [keyOf(one), one]));
  const cells = chosenCells(model, selection).flatMap(({ variant, target }) => {
    const own = summaries.get(keyOf({ variant: variant.id, target: target.name }))?.waits?.most;
    const found = own?.find(({ name, buckets }) => name === wait && buckets.length > 0);
    return found === undefined ? [] : [{ variant, target, found }];
  });
  const panels = [...Map.groupBy(cells, ({ variant }) => variant.label)].map(
    ([title, own]): Panel => ({
      ...{ title, ...shareAxis },
      lines: own.map(
        ({ target, found }): Line => ({ ...lookOf(target, theme), points: outline(found), step: true, filled: true }),
      ),
    }),
  );
  return {
    id: `wait-histogram-${wait.replaceAll(/\W+/g, '-')}`,
    title: `Distribution of ${wait}`,
    note: 'The share of waits in each bin, from the server’s own histogram of the whole instance: a bin for each power of two. All repeats are merged. Several peaks suggest several media or caches.',
    ...drawPanels(
      panels,
      { columns: 3, widthPx: selection.widthPx, xName: 'time of the wait', xFormat: formatMsTick, xLog: true },
      theme,
    ),
    data: {
      columns: ['variant', 'target', 'wait', 'up to ms', 'waits'],
      rows: cells.flatMap(({ variant, target, found }) =>
        found.buckets.map(([upToMs, count]) => [variant.id, target.name, wait, upToMs, count]),
      ),
    },
  };
}

/**
 * Shares at the middle of each bin on a log axis, with an empty bin at both ends so that the outline closes. A bin
 * reaches from half of its bound to its bound.
 */
function outline({ buckets }: ServerWait): readonly (readonly [number, number])[] {
  const counts = new Map(buckets.map(([upToMs, count]) => [Math.round(Math.log2(upToMs * 1_000)), count]));
  const all = buckets.reduce((sum, [, count]) => sum + count, 0);
  const [first, last] = [Math.min(...counts.keys()) - 1, Math.max(...counts.keys()) + 1];
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const exponent = first + i;
    return [2 ** (exponent - 0.5) / 1_000, (counts.get(exponent) ?? 0) / all] as const;
  });
}
