import { growsByBytes, throughputOverBytes } from '../charts/bytes-chart.ts';
import { clientTimeChart, hasClientTimeline, hasProcesses } from '../charts/client-time-chart.ts';
import { serverCounters } from '../charts/counter-chart.ts';
import { hasEvents, serverEvents } from '../charts/event-chart.ts';
import { firstRepeats, hasHosts, hostCharts } from '../charts/host-chart.ts';
import { percentilesOverTime } from '../charts/percentile-chart.ts';
import { runTimeline } from '../charts/run-timeline.ts';
import { hasServerTimeline, serverTimeChart } from '../charts/server-time-chart.ts';
import { clientHealth, throughputOverRows, throughputOverTime, waitingOverTime } from '../charts/time-panels.ts';
import { stageTable } from '../tables/load/stage-table.ts';
import { withinTable } from '../tables/load/within-table.ts';
import { serverWorkNote, serverWorkTable } from '../tables/server/server-work-table.ts';
import { withinNote } from '../text/change-text.ts';
import {
  always,
  blocks,
  chart,
  charts,
  fillsTables,
  hasProbes,
  hasRows,
  hasTimeline,
  inTab,
  notedTable,
  table,
} from './entry-parts.ts';

/** The panels that show the trials second by second. */
export const timeSeriesPanels = [
  ...inTab('timeline', [
    {
      id: 'run-timeline',
      title: 'Timeline of the run',
      when: ({ trials }) => trials.some(({ measuredFromMs }) => measuredFromMs !== null),
      draw: ({ model, theme, widthPx }) => charts(runTimeline(model, theme, widthPx)),
    },
  ]),
  ...inTab('timeSeries', [
    {
      id: 'percentiles-over-time',
      title: 'Percentiles over time',
      when: ({ trials }) =>
        trials.some(({ series }) => series.atMs.length > 1 && series.p50Ms.some((value) => value !== null)),
      draw: chart(percentilesOverTime),
    },
    {
      id: 'throughput-over-time',
      title: 'Throughput over time',
      when: hasTimeline,
      draw: chart(throughputOverTime),
    },
    {
      id: 'waiting-over-time',
      title: 'Waiting for a connection',
      when: ({ trials }) => trials.some(({ series }) => series.waiting.some((count) => count !== null)),
      draw: chart(waitingOverTime),
    },
    {
      id: 'throughput-over-rows',
      title: 'Throughput over rows done',
      when: (model) => hasTimeline(model) && fillsTables(model),
      draw: chart(throughputOverRows),
    },
    {
      id: 'throughput-over-bytes',
      title: 'Throughput over stored bytes',
      when: (model) => model.trials.some((view) => growsByBytes(model, view)),
      draw: chart(throughputOverBytes),
    },
    {
      id: 'stages',
      title: 'Stages of the load',
      when: ({ plan }) => plan.measure.stages !== undefined,
      draw: notedTable(stageTable),
    },
    {
      id: 'within',
      title: 'Within the trials',
      when: hasRows(withinTable),
      draw: table(withinTable, withinNote),
    },
    {
      id: 'client-time',
      title: 'Where the clients’ time went',
      when: ({ trials }) => trials.some(hasClientTimeline),
      draw: ({ model, views, theme, perProcess, widthPx }) =>
        charts(clientTimeChart(model, views, theme, { perProcess, widthPx })),
      trials: { has: hasClientTimeline, repeats: 'one', hasProcesses },
    },
    {
      id: 'server-time',
      title: 'Where the servers’ time went',
      when: (model) => model.trials.some((view) => hasServerTimeline(model, view)),
      draw: ({ model, views, theme }) => charts(serverTimeChart(model, views, theme)),
      trials: { has: (view, model) => hasServerTimeline(model, view), repeats: 'one' },
    },
    {
      id: 'server-work',
      title: 'Server’s own work',
      when: ({ trials }) => trials.some(hasEvents),
      draw: ({ model, views, theme }) => charts(serverEvents(model, views, theme)),
      trials: { has: hasEvents, repeats: 'one' },
    },
    {
      id: 'server-work-table',
      title: 'Server’s own work in numbers',
      when: ({ trials }) => trials.some(hasEvents),
      draw: ({ model, views }) => blocks(serverWorkNote, { kind: 'table', table: serverWorkTable(model, views) }),
      trials: { has: hasEvents, repeats: 'all' },
    },
    {
      id: 'client-health',
      title: 'Client health',
      when: ({ trials }) => trials.some(({ series }) => series.atMs.length > 0),
      draw: ({ model, views, theme }) => charts(clientHealth(model, views, theme)),
      trials: { has: always, repeats: 'all' },
    },
    {
      id: 'host-use',
      title: 'Hosts by the second',
      when: ({ trials }) => trials.some(hasHosts),
      draw: ({ model, views, theme, widthPx }) =>
        charts(...hostCharts(model, views.length > 0 ? views : firstRepeats(model), theme, widthPx)),
      trials: { has: hasHosts, repeats: 'one' },
    },
    {
      id: 'server-counters',
      title: 'Server counters',
      when: ({ trials }) => trials.some(hasProbes),
      draw: ({ model, views, theme, widthPx }) => charts(...serverCounters(model, views, theme, widthPx)),
      trials: { has: hasProbes, repeats: 'all' },
    },
  ]),
] as const;
