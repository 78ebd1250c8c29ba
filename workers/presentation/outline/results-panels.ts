import { perCallTitle } from '#analysis/cells/per-call.ts';
import { ratios } from '#analysis/compare/compare.ts';
import { publishedComparisons } from '#analysis/compare/published.ts';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { leastLoads } from '#stats/usl.ts';
import { perCallChart } from '../charts/per-call-chart.ts';
import { scalability } from '../charts/scalability-chart.ts';
import { searchChart } from '../charts/search-chart.ts';
import { sweep, sweptFactors } from '../charts/sweep-chart.ts';
import { ratioChart, throughputByCell } from '../charts/throughput-chart.ts';
import { leastPoints, throughputLatency } from '../charts/throughput-latency-chart.ts';
import { exceptionsTable } from '../tables/exceptions-table.ts';
import { loadTable } from '../tables/load-table.ts';
import { perCallTable } from '../tables/per-call-table.ts';
import { publishedNote, publishedTable } from '../tables/published-table.ts';
import { searchTable, searchTitle } from '../tables/search-table.ts';
import { scalabilityNote, sweepRows } from '../tables/sweep-table.ts';
import { headlines } from '../text/headlines.ts';
import { publishedSentences } from '../text/published-text.ts';
import {
  always,
  blocks,
  cells,
  chart,
  charts,
  hasCalls,
  hasRows,
  hasSweepOf,
  isMeasured,
  table,
} from './entry-parts.ts';
import type { Panel } from './panel.ts';
import { publishedBlocks } from './published-blocks.ts';
import { sweepBlocks } from './sweep-blocks.ts';

/** What came out, and why. */
export const resultsPanels = [
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
  { id: 'per-call', tab: 'results', title: perCallTitle, when: hasCalls, draw: cells(perCallTable) },
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
  {
    id: 'per-call-times',
    tab: 'results',
    title: 'Service time of each call',
    when: hasCalls,
    draw: chart(perCallChart),
  },
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
] as const satisfies readonly Panel[];
