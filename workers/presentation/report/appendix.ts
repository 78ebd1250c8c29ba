import type { RunModel } from '#analysis/run-model/run-model.ts';
import { betweenCallsNote } from '#analysis/text/conflict-text.ts';
import { sentence } from '#model/format/sentence.ts';
import type { SectionName } from '#protocol/report-choices.ts';
import { comparisonHint } from '../charts/picture/draw-picture.ts';
import { type DrawnPanel, drawPanel } from '../outline/draw-panel.ts';
import { fillsTables } from '../outline/entry-parts.ts';
import { panelOf } from '../outline/outline.ts';
import { unknownPercentile } from '../tables/calls/latency-table.ts';
import { caveatsByKind, caveatsInDetail } from './caveats.ts';
import { chartWidthPx, type PanelId, type ReportContext, section } from './context.ts';
import type { ReportSection } from './document.ts';
import { findingBlocks } from './findings.ts';
import { outlineBlocks } from './outline-blocks.ts';
import { resultTable } from './result-table.ts';

/** A chart over time needs more seconds than this, because fewer seconds make dots and no curve. */
const leastSeconds = 5;
const lastsLong = ({ trials }: RunModel): boolean => trials.some(({ series }) => series.atMs.length > leastSeconds);
/** Tables and charts of single cells are left out where they would fill many pages. */
const mostCells = 24;
const hasFewCells = ({ cells }: RunModel): boolean => cells.length <= mostCells;
/** The charts of hosts fill a page for each cell. */
const mostHostCells = 4;
/** The plan of an insert has nothing to compare. */
const hasReads = (model: RunModel): boolean => model.plan.experiment.statements !== undefined || !fillsTables(model);

/**
 * The panels of the appendix in their order, each with its section, and with a condition for those that are worth a
 * page in some runs only. The window has the others: charts of single trials, second by second, and the time of
 * clients and servers.
 */
export const appendixPanels: readonly (readonly [
  section: SectionName,
  panel: PanelId,
  when?: (model: RunModel) => boolean,
])[] = [
  ['numbers', 'results'],
  ['caveats', 'caveats'],
  ['findings', 'findings'],
  ['numbers', 'search'],
  ['numbers', 'per-call'],
  ['numbers', 'goals'],
  ['numbers', 'costs'],
  ['numbers', 'load'],
  ['numbers', 'sweep-*'],
  ['numbers', 'scalability'],
  ['numbers', 'throughput-latency'],
  ['numbers', 'scaling'],
  ['numbers', 'published'],
  ['numbers', 'exceptions'],
  ['latency', 'latency-percentiles', hasFewCells],
  ['latency', 'times-compared', hasFewCells],
  ['latency', 'statement-latency', (model) => model.cells.length > 1 && hasFewCells(model)],
  ['latency', 'statements'],
  ['latency', 'commit-*', hasFewCells],
  ['latency', 'commits', hasFewCells],
  ['latency', 'connecting', hasFewCells],
  ['time', 'percentiles-over-time', (model) => hasFewCells(model) && lastsLong(model)],
  ['time', 'throughput-over-time', (model) => hasFewCells(model) && lastsLong(model)],
  ['time', 'stages'],
  ['time', 'within'],
  ['plans', 'query-plans', hasReads],
  ['plans', 'rows-examined', hasFewCells],
  ['settings', 'settings-compared'],
  ['settings', 'network'],
  ['settings', 'sessions'],
  ['settings', 'server-parameters'],
  ['checks', 'answers'],
  ['checks', 'checks'],
  ['numbers', 'stored', hasFewCells],
  ['numbers', 'indexes'],
  ['numbers', 'consumption', hasFewCells],
  ['numbers', 'wait-histogram-*', hasFewCells],
  ['numbers', 'waits', hasFewCells],
  ['numbers', 'retries'],
  ['machine', 'load-hosts'],
  ['machine', 'machine', hasFewCells],
  ['machine', 'hosts', hasFewCells],
  ['machine', 'host-use', (model) => model.cells.length <= mostHostCells && lastsLong(model)],
  ['experiment', 'meaning'],
  ['experiment', 'experiment'],
];

/** The panels of the chosen sections. */
export const chosenPanels = (chosen: readonly SectionName[]): readonly PanelId[] =>
  appendixPanels.flatMap(([section, panel]) => (chosen.includes(section) ? [panel] : []));

/** The sections that a reader needs to check the first pages, as far as they are chosen. */
export function appendixSections(context: ReportContext): readonly ReportSection[] {
  const { model, baseline, theme } = context;
  const input = { model, run: model, baseline, theme, widthPx: chartWidthPx, views: [], perProcess: false };
  return appendixPanels.flatMap(([_, id, when]) => {
    const isWanted = context.hasPanel(id) && (when === undefined || when(model));
    const panel = isWanted ? drawPanel(panelOf(id), input) : null;
    return panel === null ? [] : panelSections(panel, context);
  });
}

/** A panel as one section, or as one section for each of its charts. */
function panelSections({ id, title, content }: DrawnPanel, context: ReportContext): readonly ReportSection[] {
  const { model, baseline } = context;
  switch (content.kind) {
    case 'charts':
      return content.charts.map((chart) => section(chart.id, chart.title, [{ kind: 'chart', chart }], chart.note));
    case 'blocks':
      return [section(id, title, outlineBlocks(content.blocks), content.note)];
    case 'comparison': {
      const note = `${sentence(betweenCallsNote)}. A dash means: not measured, or ${unknownPercentile}. ${comparisonHint(model, baseline)}`;
      const table = resultTable(model, baseline);
      return [section(`${id}-table`, 'Results in numbers', [{ kind: 'table', table }], note.trim())];
    }
    case 'findings':
      return [section(id, title, findingBlocks(context, content.findings))];
    case 'caveats': {
      const caveats = caveatsInDetail(model);
      return caveats.length === 0 ? [] : [section(id, 'Caveats of single cells', [caveatsByKind(model, caveats)])];
    }
    case 'answer':
    case 'errors':
      return [];
  }
}

/** The last sentence of the appendix. */
export const runFileNote =
  'The run file also has the measurements of each trial, second by second. Open it in Dyno to see them.';
