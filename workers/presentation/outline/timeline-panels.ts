import { clientTimeChart, hasClientCourse, hasProcesses } from '../charts/client-time-chart.ts';
import { hasEvents, serverEvents } from '../charts/event-chart.ts';
import { runCourse } from '../charts/run-course.ts';
import { hasServerCourse, serverTimeChart } from '../charts/server-time-chart.ts';
import {
  clientHealth,
  serverProbes,
  throughputOverRows,
  throughputOverTime,
  waitingOverTime,
} from '../charts/time-panels.ts';
import { serverWorkNote, serverWorkTable } from '../tables/server-work-table.ts';
import { stageTable } from '../tables/stage-table.ts';
import { withinTable } from '../tables/within-table.ts';
import { withinNote } from '../text/change-text.ts';
import {
  always,
  blocks,
  chart,
  charts,
  fillsTables,
  hasCourse,
  hasProbes,
  hasRows,
  inTab,
  notedTable,
  table,
} from './entry-parts.ts';

/** How the trials went second by second. */
export const timelinePanels = [
  ...inTab('course', [
    {
      id: 'run-course',
      title: 'Course of the run',
      when: ({ trials }) => trials.some(({ measuredFromMs }) => measuredFromMs !== null),
      draw: ({ model, theme, widthPx }) => charts(runCourse(model, theme, widthPx)),
    },
  ]),
  ...inTab('timeline', [
    {
      id: 'throughput-over-time',
      title: 'Throughput over time',
      when: hasCourse,
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
      when: (model) => hasCourse(model) && fillsTables(model),
      draw: chart(throughputOverRows),
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
      when: ({ trials }) => trials.some(hasClientCourse),
      draw: ({ model, views, theme, perProcess, widthPx }) =>
        charts(clientTimeChart(model, views, theme, { perProcess, widthPx })),
      trials: { has: hasClientCourse, repeats: 'one', hasProcesses },
    },
    {
      id: 'server-time',
      title: 'Where the servers’ time went',
      when: (model) => model.trials.some((view) => hasServerCourse(model, view)),
      draw: ({ model, views, theme }) => charts(serverTimeChart(model, views, theme)),
      trials: { has: (view, model) => hasServerCourse(model, view), repeats: 'one' },
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
      trials: { has: always, repeats: 'allInWindow' },
    },
    {
      id: 'server-counters',
      title: 'Server counters',
      when: ({ trials }) => trials.some(hasProbes),
      draw: ({ model, views, theme, widthPx }) => charts(serverProbes(model, views, theme, widthPx)),
      trials: { has: hasProbes, repeats: 'allInWindow' },
    },
  ]),
] as const;
