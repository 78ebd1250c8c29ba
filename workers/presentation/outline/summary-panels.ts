import { perCallTitle } from '#analysis/cells/per-call.ts';
import { publishedComparisons, publishedMarks } from '#analysis/compare/published.ts';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import { gradeOf } from '#analysis/grade/grade.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { leastLoads } from '#stats/fits/usl.ts';
import { perCallChart } from '../charts/per-call-chart.ts';
import { choosePicture } from '../charts/picture/choose-picture.ts';
import { scalability } from '../charts/scalability-chart.ts';
import { searchChart } from '../charts/search-chart.ts';
import { sweep, sweptFactors } from '../charts/sweep-chart.ts';
import { leastPoints, throughputLatency } from '../charts/throughput-latency-chart.ts';
import { exceptionsTable } from '../tables/calls/exceptions-table.ts';
import { judgedTimesTable } from '../tables/calls/latency-ratio-table.ts';
import { perCallTable } from '../tables/calls/per-call-table.ts';
import { statementShareTable } from '../tables/calls/statement-share-table.ts';
import { costTable } from '../tables/comparison/cost-table.ts';
import { gapTable } from '../tables/comparison/gap-table.ts';
import { goalTable } from '../tables/comparison/goal-table.ts';
import { publishedTable } from '../tables/comparison/published-table.ts';
import { loadTable } from '../tables/load/load-table.ts';
import { searchTable, searchTitle } from '../tables/load/search-table.ts';
import { scalabilityNote, sweepRows } from '../tables/load/sweep-table.ts';
import { answerOf } from '../text/answer.ts';
import { isError } from '../text/caveat-text.ts';
import { publishedSentences } from '../text/published-text.ts';
import { adviceContent } from './advice-blocks.ts';
import { decisionContent } from './decision-blocks.ts';
import {
  always,
  blocks,
  chart,
  charts,
  hasCalls,
  hasRows,
  hasSweepOf,
  hasTimesInTournament,
  inTab,
  isMeasured,
  isRehearsal,
  notedTable,
  onceBlocks,
  showsTournament,
  table,
} from './entry-parts.ts';
import { publishedBlocks, publishedNote } from './published-blocks.ts';
import { sweepBlocks } from './sweep-blocks.ts';
import { tournamentContent } from './tournament-blocks.ts';

/** The panels about the results and their explanations. */
export const summaryPanels = [
  ...inTab('summary', [
    {
      id: 'advice',
      title: 'Advice',
      when: ({ advice }) => advice !== null,
      draw: ({ run }) => adviceContent(run),
    },
    {
      id: 'answer',
      title: 'Answer',
      when: always,
      draw: ({ run, baseline }) => {
        const answer = answerOf(run, baseline);
        const statements = answer.statements && statementShareTable(run, answer.statements);
        const times =
          answer.latency && !hasTimesInTournament(run, baseline)
            ? judgedTimesTable(run, baseline, answer.latency)
            : null;
        return { kind: 'answer', answer, published: publishedSentences(run), statements, times };
      },
    },
    {
      id: 'errors',
      title: 'Errors',
      when: ({ caveats }) => caveats.some(isError),
      draw: ({ run }) => ({ kind: 'errors', caveats: run.caveats.filter(isError) }),
    },
    {
      id: 'decision',
      title: 'Decision',
      when: isRehearsal,
      draw: decisionContent,
    },
    { id: 'gap', title: 'Gap', when: hasRows(gapTable), draw: notedTable(gapTable) },
    { id: 'tournament', title: 'Tournament', when: showsTournament, draw: tournamentContent },
    { id: 'results', title: 'Results', when: always, draw: () => ({ kind: 'comparison' }) },
    {
      id: 'caveats',
      title: 'Caveats',
      // If the run has errors, or its data is not good, the panel does not say that nothing was found.
      when: (model) =>
        model.caveats.some((one) => !isError(one)) ||
        (isMeasured(model) && !model.caveats.some(isError) && (gradeOf(model)?.problems ?? []).length === 0),
      draw: ({ run }) => ({ kind: 'caveats', caveats: run.caveats.filter((caveat) => !isError(caveat)) }),
    },
    {
      id: 'search',
      title: searchTitle,
      when: ({ searches }) => searches.length > 0,
      draw: notedTable(searchTable),
    },
  ]),
  ...inTab('findings', [
    {
      id: 'findings',
      title: 'Findings',
      when: isMeasured,
      draw: ({ run }) => ({ kind: 'findings', findings: findingsOf(run) }),
    },
  ]),
  ...inTab('summary', [
    { id: 'per-call', title: perCallTitle, when: hasCalls, draw: notedTable(perCallTable) },
    {
      id: 'goals',
      title: 'Goals',
      when: hasRows(goalTable),
      draw: notedTable(goalTable),
    },
    {
      id: 'costs',
      title: 'Cost',
      when: hasRows((model) => costTable(model, baselineOf(model))),
      draw: ({ model, run, baseline }) => {
        const { note, ...table } = costTable(run, baseline, model.cells);
        return blocks(note, { kind: 'table', table });
      },
    },
    {
      id: 'load',
      title: 'Load',
      when: (model) => model.cells.some(({ load }) => load !== null),
      draw: ({ model }) => blocks(loadTable(model).note, ...onceBlocks(loadTable(model), 'Load')),
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
    {
      id: 'sweep-*',
      title: 'Throughput over a factor',
      // For a single factor, the picture of the results already shows this, except for published curves.
      when: (model) =>
        isMeasured(model) &&
        sweptFactors(model).length > 0 &&
        (choosePicture(model.plan).kind === 'heatMap' || publishedMarks(model).size > 0),
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
      id: 'exceptions',
      title: 'Skipped and failed',
      when: hasRows(exceptionsTable),
      draw: table(exceptionsTable),
    },
  ]),
] as const;
