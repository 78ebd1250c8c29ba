import { perCallSummaries } from '#analysis/cells/per-call.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatMsTick } from '#model/format/format.ts';
import { variantText } from '#planning/variant-of.ts';
import { perCallNote } from '../tables/calls/per-call-table.ts';
import type { SceneChart } from './kit/chart.ts';
import { drawRows, type Row, underNames } from './kit/rows.ts';
import { scaleOf } from './kit/scale.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';
import { chosenTargets, chosenVariants, defaultWidthPx, type Selection } from './plot/select.ts';

const title = 'Service time of each call';

/**
 * The time of the first call, the second call and so on, for all targets side by side. Times that are far apart are
 * dots on a log axis, others are bars.
 */
export function perCallChart(model: RunModel, theme: ChartTheme, selection: Selection = {}): SceneChart {
  const targets = chosenTargets(model, selection);
  const variants = new Set(chosenVariants(model, selection).map(({ id }) => id));
  const shown = perCallSummaries(model).flatMap((order) => {
    const target = targets.find(({ name }) => name === order.target);
    return target && variants.has(order.variant) ? [{ ...order, index: target.index }] : [];
  });
  const rows = shown.flatMap(({ variant, target, index, calls }) =>
    calls.flatMap(({ number, ms, state }): Row[] => {
      if (ms === null) return [];
      const call = `call ${number}`;
      const name = variants.size > 1 ? `${variantText(model.plan, variant)} · ${call}` : call;
      const end = `${formatMs(ms.value)}${state === null ? '' : ` · ${state}`}`;
      const spoken = `${name}, ${target}: ${end}, ${ms.n} repeats`;
      return [{ name, target, colour: colourOf(theme, index), drawn: ms, end, spoken }];
    }),
  );
  return {
    id: 'per-call-times',
    title,
    note: perCallNote,
    scene: drawRows(
      {
        ...{ label: title, groups: [{ title: null, colour: null, rows: underNames(rows) }], isDense: true },
        scale: scaleOf(rows.flatMap(({ drawn }) => drawn ?? [])),
        axis: { name: 'service time', tick: formatMsTick },
      },
      theme,
      selection.widthPx ?? defaultWidthPx,
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
