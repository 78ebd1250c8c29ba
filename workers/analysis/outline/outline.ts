import { fillingOperations } from '#contract/settings.ts';
import { leastLoads } from '#stats/usl.ts';
import { callOrderTitle } from '../call-order.ts';
import { callTimes } from '../charts/call-chart.ts';
import { callByCall } from '../charts/call-order-chart.ts';
import type { Chart } from '../charts/chart.ts';
import { clientTimeChart, hasClientCourse, hasProcesses } from '../charts/client-time-chart.ts';
import { commitLatency } from '../charts/commit-chart.ts';
import { hasEvents, serverEvents } from '../charts/event-chart.ts';
import { latencyByPercentile, latencyHistogram } from '../charts/latency-charts.ts';
import { runCourse } from '../charts/run-course.ts';
import { scalability } from '../charts/scalability-chart.ts';
import { searchChart } from '../charts/search-chart.ts';
import type { Selection } from '../charts/select.ts';
import { hasServerCourse, serverTimeChart } from '../charts/server-time-chart.ts';
import { clientShares } from '../charts/share-chart.ts';
import { statementLatency } from '../charts/statement-chart.ts';
import { numericFactors, sweep, sweptFactors } from '../charts/sweep-chart.ts';
import type { ChartTheme } from '../charts/theme.ts';
import { ratioChart, throughputByCell } from '../charts/throughput-chart.ts';
import { leastPoints, throughputLatency } from '../charts/throughput-latency-chart.ts';
import {
  clientHealth,
  serverProbes,
  throughputOverRows,
  throughputOverTime,
  waitingOverTime,
} from '../charts/time-panels.ts';
import { ratios } from '../compare.ts';
import { findingsOf } from '../findings/find-findings.ts';
import { latencyTitle } from '../load-summary.ts';
import type { RunModel, TrialView } from '../model.ts';
import { publishedComparisons } from '../published.ts';
import { rateUnit } from '../select-cells.ts';
import { serverSummaries } from '../server-summary.ts';
import { untoldByServers } from '../server-untold.ts';
import { statementsTitle } from '../statement-summary.ts';
import { sweepsOf } from '../sweep.ts';
import { calibrationNote, calibrationTable } from '../tables/calibration-table.ts';
import type { CellTable } from '../tables/cell-table.ts';
import { checkTable } from '../tables/check-table.ts';
import { clientTimeNote, clientTimeTable } from '../tables/client-time-table.ts';
import { commitTable } from '../tables/commit-table.ts';
import { exceptionsTable } from '../tables/exceptions-table.ts';
import { latencyTable, latencyTableNote } from '../tables/latency-table.ts';
import { loadTable } from '../tables/load-table.ts';
import { meaningsTable } from '../tables/meanings-table.ts';
import { networkTable } from '../tables/network-table.ts';
import { type PanelTable, tableOfCells } from '../tables/panel-table.ts';
import { callOrderTable } from '../tables/per-call-table.ts';
import { publishedNote, publishedTable } from '../tables/published-table.ts';
import { retriesNote, retriesTable } from '../tables/retries-table.ts';
import { searchTable, searchTitle } from '../tables/search-table.ts';
import { serverNote, serverTimeTable } from '../tables/server-time-table.ts';
import { serverWorkNote, serverWorkTable } from '../tables/server-work-table.ts';
import { settingsNote, settingsTable } from '../tables/settings-table.ts';
import { stageTable } from '../tables/stage-table.ts';
import { statementNote, statementTable } from '../tables/statement-table.ts';
import { storedNote, storedTable } from '../tables/stored-table.ts';
import { scalabilityNote, sweepRows } from '../tables/sweep-table.ts';
import { withinTable } from '../tables/within-table.ts';
import { withinNote } from '../text/change-text.ts';
import { environmentFacts } from '../text/environment-facts.ts';
import { headlines } from '../text/headlines.ts';
import { planFacts, trialLines } from '../text/plan-facts.ts';
import { publishedSentences } from '../text/published-text.ts';
import type { Block, Content, Panel, PanelInput } from './panel.ts';
import { publishedBlocks } from './published-blocks.ts';
import { sweepBlocks } from './sweep-blocks.ts';

const always = () => true;
const isMeasured = ({ cells }: RunModel): boolean => cells.some(({ ok }) => ok > 0);
const hasLatencies = ({ cells }: RunModel): boolean => cells.some(({ latencyMs }) => latencyMs.count > 0);
const hasCalls = ({ trials }: RunModel): boolean =>
  trials.some(({ result }) => result?.status === 'ok' && result.eachCall !== undefined);
const hasCourse = ({ trials }: RunModel): boolean => trials.some(({ series }) => series.atMs.length > 1);
const hasProbes = ({ series: { gauges, probes } }: TrialView): boolean =>
  Object.keys(gauges).length + Object.keys(probes).length > 0;
const fillsTables = ({ plan }: RunModel): boolean =>
  plan.variants.some(({ settings }) => fillingOperations.includes(settings.operation));
/** Whether some sweep over connections has as many loads. */
const hasSweepOf =
  (loads: number) =>
  (model: RunModel): boolean =>
    sweepsOf(model).some(({ points }) => points.length >= loads);
const hasRows =
  (build: (model: RunModel) => { readonly rows: readonly unknown[] }) =>
  (model: RunModel): boolean =>
    build(model).rows.length > 0;

const charts = (...all: readonly Chart[]): Content => ({ kind: 'charts', charts: all });
const blocks = (note: string, ...all: readonly Block[]): Content => ({ kind: 'blocks', note, blocks: all });

type DrawChart = (model: RunModel, theme: ChartTheme, selection: Selection) => Chart;
const chart =
  (draw: DrawChart) =>
  ({ model, theme, widthPx }: PanelInput): Content =>
    charts(draw(model, theme, { widthPx }));

const table =
  (build: (model: RunModel) => PanelTable, note = '') =>
  ({ model }: PanelInput): Content =>
    blocks(note, { kind: 'table', table: build(model) });

const cells =
  (build: (model: RunModel) => CellTable) =>
  ({ model }: PanelInput): Content => {
    const built = build(model);
    return blocks(built.note, { kind: 'table', table: tableOfCells(built) });
  };

/**
 * Every panel of a run's results, once, in the order of the report; the window shows those of a tab in the same order. To add a chart, write
 * its file and an entry here.
 */
const entries = [
  {
    id: 'verdicts',
    tab: 'results',
    title: 'What the run shows',
    when: always,
    draw: ({ run, baseline }) => ({
      kind: 'verdicts',
      sentences: headlines(run, baseline, rateUnit(run)),
      published: publishedSentences(run),
    }),
  },
  {
    id: 'search',
    tab: 'results',
    title: searchTitle,
    when: ({ searches }) => searches.length > 0,
    draw: cells(searchTable),
  },
  { id: 'results', tab: 'results', title: 'Results', when: always, draw: () => ({ kind: 'comparison' }) },
  {
    id: 'why',
    tab: 'why',
    title: 'Why',
    when: isMeasured,
    draw: ({ run }) => ({ kind: 'findings', findings: findingsOf(run) }),
  },
  { id: 'call-order', tab: 'results', title: callOrderTitle, when: hasCalls, draw: cells(callOrderTable) },
  {
    id: 'load',
    tab: 'results',
    title: 'Load',
    when: (model) => model.cells.some(({ load }) => load !== null),
    draw: cells(loadTable),
  },
  {
    id: 'search-curve',
    tab: 'results',
    title: 'What the search found',
    when: ({ plan }) => plan.measure.search !== undefined,
    draw: chart(searchChart),
  },
  { id: 'call-by-call', tab: 'results', title: 'Service time, call by call', when: hasCalls, draw: chart(callByCall) },
  { id: 'throughput', tab: 'results', title: 'Throughput', when: isMeasured, draw: chart(throughputByCell) },
  {
    id: 'ratios',
    tab: 'results',
    title: 'Ratio to the baseline',
    when: ({ cells }) => cells.filter(({ ok }) => ok > 0).length > 1,
    draw: ({ model, run, baseline, theme, widthPx }) =>
      charts(ratioChart(model, ratios(run, baseline), theme, { widthPx })),
  },
  {
    id: 'sweep-*',
    tab: 'results',
    title: 'Throughput over a factor',
    when: (model) => isMeasured(model) && sweptFactors(model).length > 0,
    draw: ({ model, theme, widthPx }) =>
      charts(...sweptFactors(model).map((factor) => sweep(model, factor, theme, { widthPx }))),
  },
  {
    id: 'scalability',
    tab: 'results',
    title: 'How it scales with connections',
    when: hasSweepOf(leastLoads),
    draw: chart(scalability),
  },
  {
    id: 'throughput-latency',
    tab: 'results',
    title: 'Latency over throughput',
    when: hasSweepOf(leastPoints),
    draw: chart(throughputLatency),
  },
  {
    id: 'scaling',
    tab: 'results',
    title: 'Scalability',
    when: (model) => sweepRows(model).length > 0,
    draw: ({ model }) => blocks(scalabilityNote, ...sweepBlocks(model)),
  },
  {
    id: 'published',
    tab: 'results',
    title: 'Published',
    when: (model) => publishedComparisons(model).length > 0,
    draw: ({ model }) => ({
      kind: 'blocks',
      note: publishedNote,
      blocks: publishedBlocks(model),
      csv: publishedTable(model),
    }),
  },
  {
    id: 'caveats',
    tab: 'results',
    title: 'Caveats',
    when: (model) => isMeasured(model) || model.caveats.length > 0,
    draw: ({ run }) => ({ kind: 'caveats', caveats: run.caveats }),
  },
  {
    id: 'exceptions',
    tab: 'results',
    title: 'Skipped and failed',
    when: hasRows(exceptionsTable),
    draw: table(exceptionsTable),
  },
  {
    id: 'statements',
    tab: 'latency',
    title: statementsTitle,
    when: hasRows(statementTable),
    draw: table(statementTable, statementNote),
  },
  {
    id: 'latency-table',
    tab: 'latency',
    title: ({ cells }) => latencyTitle(cells),
    when: hasLatencies,
    draw: ({ model }) => blocks(latencyTableNote(model), { kind: 'table', table: latencyTable(model) }),
  },
  {
    id: 'commits',
    tab: 'latency',
    title: 'Commits',
    when: (model) => model.cells.some(({ commits }) => commits !== null),
    draw: cells(commitTable),
  },
  {
    id: 'statement-latency',
    tab: 'latency',
    title: 'Service time of each statement',
    when: hasRows(statementTable),
    draw: chart(statementLatency),
  },
  {
    id: 'latency-percentiles',
    tab: 'latency',
    title: 'Latency by percentile',
    when: hasLatencies,
    draw: chart(latencyByPercentile),
  },
  {
    id: 'latency-histogram',
    tab: 'latency',
    title: 'Distribution of latency',
    when: hasLatencies,
    draw: chart(latencyHistogram),
  },
  {
    id: 'commit-*',
    tab: 'latency',
    title: 'Commit latency over a factor',
    when: (model) => model.cells.some(({ commits }) => commits !== null) && numericFactors(model).length > 0,
    draw: ({ model, theme, widthPx }) =>
      charts(...numericFactors(model).map((factor) => commitLatency(model, factor, theme, { widthPx }))),
  },
  {
    id: 'call-times',
    tab: 'latency',
    title: 'A call, from its start to its answer',
    when: ({ cells }) => cells.some(({ call, transaction }) => call !== null || transaction !== null),
    draw: chart(callTimes),
  },
  {
    id: 'client-shares',
    tab: 'latency',
    title: 'Where the client’s time went',
    when: hasLatencies,
    draw: chart(clientShares),
  },
  {
    id: 'client-time-table',
    tab: 'latency',
    title: 'The clients’ time in numbers',
    when: (model) => hasLatencies(model) && hasRows(clientTimeTable)(model),
    draw: table(clientTimeTable, clientTimeNote),
  },
  {
    id: 'run-course',
    tab: 'course',
    title: 'Course of the run',
    when: ({ trials }) => trials.some(({ measuredFromMs }) => measuredFromMs !== null),
    draw: ({ model, theme, widthPx }) => charts(runCourse(model, theme, widthPx)),
  },
  {
    id: 'throughput-over-time',
    tab: 'timeline',
    title: 'Throughput over time',
    when: hasCourse,
    draw: chart(throughputOverTime),
  },
  {
    id: 'waiting-over-time',
    tab: 'timeline',
    title: 'Waiting for a connection',
    when: ({ trials }) => trials.some(({ series }) => series.waiting.some((count) => count !== null)),
    draw: chart(waitingOverTime),
  },
  {
    id: 'throughput-over-rows',
    tab: 'timeline',
    title: 'Throughput over rows done',
    when: (model) => hasCourse(model) && fillsTables(model),
    draw: chart(throughputOverRows),
  },
  {
    id: 'stages',
    tab: 'timeline',
    title: 'Stages of the load',
    when: ({ plan }) => plan.measure.stages !== undefined,
    draw: cells(stageTable),
  },
  {
    id: 'within',
    tab: 'timeline',
    title: 'Within the trials',
    when: hasRows(withinTable),
    draw: table(withinTable, withinNote),
  },
  {
    id: 'client-time',
    tab: 'timeline',
    title: 'Where the clients’ time went',
    when: ({ trials }) => trials.some(hasClientCourse),
    draw: ({ model, views, theme, perProcess, widthPx }) =>
      charts(clientTimeChart(model, views, theme, { perProcess, widthPx })),
    trials: { has: hasClientCourse, repeats: 'one', hasProcesses },
  },
  {
    id: 'server-time',
    tab: 'timeline',
    title: 'Where the servers’ time went',
    when: (model) => model.trials.some((view) => hasServerCourse(model, view)),
    draw: ({ model, views, theme }) => charts(serverTimeChart(model, views, theme)),
    trials: { has: (view, model) => hasServerCourse(model, view), repeats: 'one' },
  },
  {
    id: 'server-work',
    tab: 'timeline',
    title: 'Server’s own work',
    when: ({ trials }) => trials.some(hasEvents),
    draw: ({ model, views, theme }) => charts(serverEvents(model, views, theme)),
    trials: { has: hasEvents, repeats: 'one' },
  },
  {
    id: 'server-work-table',
    tab: 'timeline',
    title: 'Server’s own work in numbers',
    when: ({ trials }) => trials.some(hasEvents),
    draw: ({ model, views }) => blocks(serverWorkNote, { kind: 'table', table: serverWorkTable(model, views) }),
    trials: { has: hasEvents, repeats: 'all' },
  },
  {
    id: 'client-health',
    tab: 'timeline',
    title: 'Client health',
    when: ({ trials }) => trials.some(({ series }) => series.atMs.length > 0),
    draw: ({ model, views, theme }) => charts(clientHealth(model, views, theme)),
    trials: { has: always, repeats: 'allInWindow' },
  },
  {
    id: 'server-counters',
    tab: 'timeline',
    title: 'Server counters',
    when: ({ trials }) => trials.some(hasProbes),
    draw: ({ model, views, theme, widthPx }) => charts(serverProbes(model, views, theme, widthPx)),
    trials: { has: hasProbes, repeats: 'allInWindow' },
  },
  {
    id: 'fairness',
    tab: 'conditions',
    title: 'Like for like',
    when: always,
    draw: table(settingsTable, settingsNote),
  },
  {
    id: 'network',
    tab: 'conditions',
    title: 'Network between client and server',
    when: (model) => networkTable(model).rows.length > 0,
    draw: cells(networkTable),
  },
  { id: 'checks', tab: 'conditions', title: 'Checks', when: hasRows(checkTable), draw: cells(checkTable) },
  {
    id: 'stored',
    tab: 'conditions',
    title: 'Rows in the tables',
    when: hasRows(storedTable),
    draw: table(storedTable, storedNote),
  },
  {
    id: 'server-time-table',
    tab: 'conditions',
    title: 'Where the servers’ time went, in numbers',
    when: (model) => serverSummaries(model).length > 0,
    draw: ({ model }) =>
      blocks(
        serverNote,
        { kind: 'table', table: serverTimeTable(model) },
        ...untoldByServers(model).map(
          ({ target, sentences }) => ({ kind: 'text', text: `Not told by ${target}: ${sentences.join(' ')}` }) as const,
        ),
      ),
  },
  {
    id: 'retries',
    tab: 'conditions',
    title: 'Retry overhead',
    when: hasRows(retriesTable),
    draw: table(retriesTable, retriesNote),
  },
  {
    id: 'calibration',
    tab: 'conditions',
    title: 'Calibration',
    when: ({ calibration }) => calibration.length > 0,
    draw: table(calibrationTable, calibrationNote),
  },
  {
    id: 'meaning',
    tab: 'conditions',
    title: 'What was compared',
    when: hasRows(meaningsTable),
    draw: table(meaningsTable),
  },
  {
    id: 'plan',
    tab: 'conditions',
    title: 'Plan',
    when: always,
    draw: ({ model }) =>
      blocks(
        '',
        { kind: 'facts', facts: planFacts(model) },
        {
          kind: 'fold',
          summary: 'Order of the trials',
          blocks: [{ kind: 'code', text: trialLines(model) }],
          isOpenInReport: false,
        },
      ),
  },
  {
    id: 'environment',
    tab: 'conditions',
    title: 'Environment',
    when: always,
    draw: ({ model }) => blocks('', { kind: 'facts', facts: environmentFacts(model) }),
  },
  {
    id: 'experiment',
    tab: 'file',
    title: 'Experiment file',
    when: ({ yaml }) => yaml !== '',
    draw: ({ model }) => blocks('', { kind: 'code', text: model.yaml }),
  },
] as const satisfies readonly Panel[];

export type PanelId = (typeof entries)[number]['id'];
export const outline: readonly Panel[] = entries;

/** The panel with this id. */
export const panelOf = (id: PanelId): Panel => outline.find((panel) => panel.id === id)!;

export const panelTitle = ({ title }: Panel, model: RunModel): string =>
  typeof title === 'string' ? title : title(model);

/** The name of a panel, for texts that speak of it. */
export const titleOf = (id: PanelId, model: RunModel): string => panelTitle(panelOf(id), model);
