import { formatPercent, formatPercentTick } from '../format.ts';
import type { RunModel } from '../model.ts';
import type { Chart } from './chart.ts';
import { axisStyle, tooltip } from './parts.ts';
import { chosenTargets, chosenVariants, findCell, type Selection } from './select.ts';
import type { ChartTheme } from './theme.ts';

const parts = [
  ['inCalls', 'waiting in calls'],
  ['encode', 'encoding'],
  ['generate', 'generating rows'],
  ['other', 'other'],
] as const;

/** Where the virtual users' time went, one stacked bar per cell. */
export function clientShares(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const cells = chosenVariants(model, selection).flatMap((variant) =>
    chosenTargets(model, selection).flatMap((target) => {
      const share = findCell(model, variant.id, target.name)?.clientShare;
      return share == null
        ? []
        : [{ label: `${variant.label} · ${target.name}`, variant: variant.id, target: target.name, share }];
    }),
  );
  return {
    id: 'client-shares',
    title: 'Where the client’s time went',
    note: 'Share of connections × elapsed time. For an in-process engine the calls are the client’s own processor time.',
    heightPx: 74 + cells.length * 18,
    option: {
      animation: false,
      textStyle: { fontFamily: theme.font, color: theme.text },
      tooltip: { ...tooltip(theme), trigger: 'axis', axisPointer: { type: 'shadow' } },
      legend: {
        top: 0,
        left: 11,
        itemWidth: 12,
        itemHeight: 9,
        itemGap: 24,
        textStyle: { color: theme.text, fontSize: 11, fontFamily: theme.font },
        inactiveColor: theme.axis,
        data: parts.map(([, label], i) => ({ name: label, itemStyle: { color: theme.shares[i]! } })),
      },
      grid: {
        left: Math.min(320, 16 + 6.2 * Math.max(0, ...cells.map(({ label }) => label.length))),
        right: 24,
        top: 30,
        bottom: 24,
      },
      xAxis: {
        ...axisStyle(theme),
        type: 'value',
        min: 0,
        max: 1,
        axisLine: { show: false },
        axisLabel: { color: theme.muted, fontSize: 10, formatter: (share: number) => formatPercentTick(share) },
      },
      yAxis: {
        ...axisStyle(theme),
        type: 'category',
        inverse: true,
        data: cells.map(({ label }) => label),
        axisLabel: { color: theme.text, fontSize: 10, interval: 0 },
      },
      series: parts.map(([part, label], i) => ({
        type: 'bar',
        name: label,
        stack: 'share',
        barWidth: 11,
        data: cells.map(({ share }) => share[part]),
        itemStyle: { color: theme.shares[i]!, borderColor: theme.axis, borderWidth: 0.5 },
        tooltip: { valueFormatter: (value) => (typeof value === 'number' ? formatPercent(value) : '–') },
      })),
    },
    data: {
      columns: ['variant', 'target', ...parts.map(([, label]) => `${label} (share)`)],
      rows: cells.map(({ variant, target, share }) => [variant, target, ...parts.map(([part]) => share[part])]),
    },
  };
}
