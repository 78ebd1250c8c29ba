import { latencyTitle } from '#analysis/cells/load-summary.ts';
import { statementsTitle } from '#analysis/cells/statement-summary.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { callTimes } from '../charts/call-chart.ts';
import { commitLatency } from '../charts/commit-chart.ts';
import { latencyByPercentile, latencyHistogram } from '../charts/latency-charts.ts';
import { clientShares } from '../charts/share-chart.ts';
import { statementLatency } from '../charts/statement-chart.ts';
import { numericFactors } from '../charts/sweep-chart.ts';
import { connectingByTrial, connectingTable } from '../tables/calls/connecting-table.ts';
import { allTimesCsv, allTimesTable } from '../tables/calls/latency-ratio-table.ts';
import { latencyTable, latencyTableText } from '../tables/calls/latency-table.ts';
import { statementNote, statementTable } from '../tables/calls/statement-table.ts';
import { clientTimeNote, clientTimeTable } from '../tables/client/client-time-table.ts';
import { commitTable } from '../tables/server/commit-table.ts';
import { blocks, chart, charts, hasLatencies, hasRows, inTab, notedTable, onceBlocks, table } from './entry-parts.ts';

const timesTitle = 'Times against the baseline';

/** The panels about the latency of calls and the time of the client. Each chart comes before its numbers. */
export const latencyPanels = inTab('latency', [
  {
    id: 'latency-percentiles',
    title: 'Latency by percentile',
    when: hasLatencies,
    draw: chart(latencyByPercentile),
  },
  {
    id: 'latency-table',
    title: ({ cells }) => latencyTitle(cells),
    when: hasLatencies,
    draw: ({ model }) => blocks(latencyTableText(model), { kind: 'table', table: latencyTable(model) }),
  },
  {
    id: 'times-compared',
    title: timesTitle,
    when: hasRows((model) => allTimesTable(model, baselineOf(model))),
    // A filter may hide the baseline.
    draw: ({ run, baseline }) => {
      const { note, ...table } = allTimesTable(run, baseline);
      return { kind: 'blocks', note, blocks: onceBlocks(table, timesTitle), csv: allTimesCsv(run, baseline) };
    },
  },
  {
    id: 'statement-latency',
    title: 'Service time of each statement',
    when: hasRows(statementTable),
    draw: chart(statementLatency),
  },
  {
    id: 'statements',
    title: statementsTitle,
    when: hasRows(statementTable),
    draw: table(statementTable, statementNote),
  },
  {
    id: 'commit-*',
    title: 'Commit latency over a factor',
    when: (model) => model.cells.some(({ commits }) => commits !== null) && numericFactors(model).length > 0,
    draw: ({ model, theme, widthPx }) =>
      charts(...numericFactors(model).map((factor) => commitLatency(model, factor, theme, { widthPx }))),
  },
  {
    id: 'commits',
    title: 'Commits',
    when: (model) => model.cells.some(({ commits }) => commits !== null),
    draw: notedTable(commitTable),
  },
  {
    id: 'connecting',
    title: 'Connecting',
    when: (model) => model.cells.some(({ connecting }) => connecting !== null),
    draw: ({ model }) => {
      const { note, ...built } = connectingTable(model);
      return blocks(
        note,
        { kind: 'table', table: built },
        {
          kind: 'fold',
          summary: 'Trial by trial',
          blocks: onceBlocks(connectingByTrial(model), 'Trials'),
          isOpenInReport: false,
        },
      );
    },
  },
  {
    id: 'latency-histogram',
    title: 'Distribution of latency',
    when: hasLatencies,
    draw: chart(latencyHistogram),
  },
  {
    id: 'call-times',
    title: 'A call, from its start to its answer',
    when: ({ cells }) => cells.some(({ call, transaction }) => call !== null || transaction !== null),
    draw: chart(callTimes),
  },
  {
    id: 'client-shares',
    title: 'Where the client’s time went',
    when: hasLatencies,
    draw: chart(clientShares),
  },
  {
    id: 'client-time-table',
    title: 'The clients’ time in numbers',
    when: (model) => hasLatencies(model) && hasRows(clientTimeTable)(model),
    draw: ({ model }) => blocks(clientTimeNote, ...onceBlocks(clientTimeTable(model), 'Clients’ time')),
  },
]);
