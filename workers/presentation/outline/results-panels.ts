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
import { publishedTable } from '../tables/published-table.ts';
import { searchTable, searchTitle } from '../tables/search-table.ts';
import { scalabilityNote, sweepRows } from '../tables/sweep-table.ts';
import { headlines } from '../text/headlines.ts';
import { publishedSentences } from '../text/published-text.ts';
import {
  always,
  blocks,
  chart,
  charts,
  hasCalls,
  hasRows,
  hasSweepOf,
  inTab,
  isMeasured,
  notedTable,
  table,
} from './entry-parts.ts';
import { publishedBlocks, publishedNote } from './published-blocks.ts';
import { sweepBlocks } from './sweep-blocks.ts';

/** What came out, and why. */
export const resultsPanels = [
  ...inTab('results', [
    {
      id: 'verdicts',
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
      title: searchTitle,
      when: ({ searches }) => searches.length > 0,
      draw: notedTable(searchTable),
    },
    { id: 'results', title: 'Results', when: always, draw: () => ({ kind: 'comparison' }) },
  ]),
  ...inTab('why', [
    {
      id: 'why',
      title: 'Why',
      when: isMeasured,
      draw: ({ run }) => ({ kind: 'findings', findings: findingsOf(run) }),
    },
  ]),
  ...inTab('results', [
    { id: 'per-call', title: perCallTitle, when: hasCalls, draw: notedTable(perCallTable) },
    {
      id: 'load',
      title: 'Load',
      when: (model) => model.cells.some(({ load }) => load !== null),
      draw: notedTable(loadTable),
    },
    {
      id: 'search-curve',
      title: 'What the search found',
      when: ({ plan }) => plan.measure.search !== undefined,
      draw: chart(searchChart),
    },
    {
      id: 'per-call-times',
      title: 'Service time of each call',
      when: hasCalls,
      draw: chart(perCallChart),
    },
    { id: 'throughput', title: 'Throughput', when: isMeasured, draw: chart(throughputByCell) },
    {
      id: 'ratios',
      title: 'Ratio to the baseline',
      when: ({ cells }) => cells.filter(({ ok }) => ok > 0).length > 1,
      draw: ({ model, run, baseline, theme, widthPx }) =>
        charts(ratioChart(model, ratios(run, baseline), theme, { widthPx })),
    },
    {
      id: 'sweep-*',
      title: 'Throughput over a factor',
      when: (model) => isMeasured(model) && sweptFactors(model).length > 0,
      draw: ({ model, theme, widthPx }) =>
        charts(...sweptFactors(model).map((factor) => sweep(model, factor, theme, { widthPx }))),
    },
    {
      id: 'scalability',
      title: 'How it scales with connections',
      when: hasSweepOf(leastLoads),
      draw: chart(scalability),
    },
    {
      id: 'throughput-latency',
      title: 'Latency over throughput',
      when: hasSweepOf(leastPoints),
      draw: chart(throughputLatency),
    },
    {
      id: 'scaling',
      title: 'Scalability',
      when: (model) => sweepRows(model).length > 0,
      draw: ({ model }) => blocks(scalabilityNote, ...sweepBlocks(model)),
    },
    {
      id: 'published',
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
      title: 'Caveats',
      when: (model) => isMeasured(model) || model.caveats.length > 0,
      draw: ({ run }) => ({ kind: 'caveats', caveats: run.caveats }),
    },
    {
      id: 'exceptions',
      title: 'Skipped and failed',
      when: hasRows(exceptionsTable),
      draw: table(exceptionsTable),
    },
  ]),
] as const;
