import { perCallSummaries } from '#analysis/cells/per-call.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatMsTick } from '#model/format/format.ts';
import { variantText } from '#planning/variant-of.ts';
import { perCallNote } from '../tables/calls/per-call-table.ts';
import type { Chart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { drawIntervalRows, type IntervalMark } from './plot/interval-rows.ts';
import { chosenTargets, chosenVariants, type Selection } from './plot/select.ts';

/**
 * Time of the first call, the second…, target beside target. Bars where they can be compared by eye, dots on a log axis
 * where they cannot.
 */
export function perCallChart(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const targets = chosenTargets(model, selection);
  const variants = new Set(chosenVariants(model, selection).map(({ id }) => id));
  const shown = perCallSummaries(model).flatMap((order) => {
    const target = targets.find(({ name }) => name === order.target);
    return target && variants.has(order.variant) ? [{ ...order, index: target.index }] : [];
  });
  const marks = shown.flatMap(({ variant, target, index, calls }) =>
    calls.flatMap(({ number, ms, state }): IntervalMark[] => {
      if (ms === null) return [];
      const call = `call ${number}`;
      return [
        {
          row: variants.size > 1 ? `${variantText(model.plan, variant)} · ${call}` : call,
          series: target,
          index,
          interval: ms,
          label: `${formatMs(ms.value)}${state === null ? '' : ` · ${state}`}`,
        },
      ];
    }),
  );
  const values = marks.map(({ interval }) => interval.value);
  const log = Math.max(...values) / Math.min(...values) > 20;
  return {
    id: 'per-call-times',
    title: 'Service time of each call',
    note: perCallNote,
    ...drawIntervalRows(
      {
        rows: [...new Set(marks.map(({ row }) => row))],
        marks,
        kind: log ? 'dots' : 'bars',
        xName: 'service time',
        xFormat: formatMsTick,
      },
      theme,
    ),
    data: {
      columns: ['variant', 'target', 'call', 'ms', 'low', 'high', 'repeats', 'cache', 'pages read'],
      rows: shown.flatMap(({ variant, target, calls }) =>
        calls.map(({ number, ms, state, pagesRead }) => [
          ...[variant, target, number],
          ...[ms?.value ?? null, ms?.low ?? null, ms?.high ?? null, ms?.n ?? null],
          ...[state ?? '', pagesRead],
        ]),
      ),
    },
  };
}
