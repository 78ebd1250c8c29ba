import type { RunModel } from '#analysis/run-model/run-model.ts';
import { betweenCallsNote } from '#analysis/text/conflict-text.ts';
import { sentence } from '#model/format/sentence.ts';
import { cssTheme } from '../charts/kit/theme.ts';
import { comparisonHint } from '../charts/picture/draw-picture.ts';
import { type DrawnPanel, drawPanel } from '../outline/draw-panel.ts';
import { fillsTables } from '../outline/entry-parts.ts';
import { panelOf } from '../outline/outline.ts';
import { unknownPercentile } from '../tables/calls/latency-table.ts';
import { renderBlock } from './blocks.ts';
import { caveatsInDetail, renderCaveats } from './caveats.ts';
import { chartWidthPx, type ReportContext, section } from './context.ts';
import { renderFindings } from './findings.ts';
import { type Html, html } from './html.ts';
import { resultTable } from './result-table.ts';

type PanelId = Parameters<typeof panelOf>[0];

/** A chart over time needs more seconds than this, because fewer seconds make dots and no curve. */
const leastSeconds = 5;
const lastsLong = ({ trials }: RunModel): boolean => trials.some(({ series }) => series.atMs.length > leastSeconds);
/** Tables and charts of single cells are left out where they would fill many pages. */
const mostCells = 24;
const hasFewCells = ({ cells }: RunModel): boolean => cells.length <= mostCells;
/** The plan of an insert has nothing to compare. */
const hasReads = (model: RunModel): boolean => model.plan.experiment.statements !== undefined || !fillsTables(model);

/**
 * The panels of the appendix in their order, with a condition for those that are worth a page in some runs only. The
 * window has the others: charts of single trials, second by second, and the time of clients and servers.
 */
export const appendixPanels: readonly (readonly [panel: PanelId, when?: (model: RunModel) => boolean])[] = [
  ['results'],
  ['caveats'],
  ['findings'],
  ['search'],
  ['per-call'],
  ['goals'],
  ['load'],
  ['sweep-*'],
  ['scalability'],
  ['throughput-latency'],
  ['scaling'],
  ['published'],
  ['exceptions'],
  ['latency-percentiles', hasFewCells],
  ['times-compared', hasFewCells],
  ['statement-latency', (model) => model.cells.length > 1 && hasFewCells(model)],
  ['statements'],
  ['commit-*', hasFewCells],
  ['commits', hasFewCells],
  ['percentiles-over-time', (model) => hasFewCells(model) && lastsLong(model)],
  ['throughput-over-time', (model) => hasFewCells(model) && lastsLong(model)],
  ['stages'],
  ['within'],
  ['query-plans', hasReads],
  ['rows-examined', hasFewCells],
  ['settings-compared'],
  ['network'],
  ['sessions'],
  ['server-parameters'],
  ['answers'],
  ['checks'],
  ['stored', hasFewCells],
  ['indexes'],
  ['retries'],
  ['load-hosts'],
  ['machine', hasFewCells],
  ['meaning'],
  ['experiment'],
];

/** The sections that a reader needs to check the first pages. */
export function renderAppendix(context: ReportContext): Html {
  const { model, baseline } = context;
  const input = { model, run: model, baseline, theme: cssTheme, widthPx: chartWidthPx, views: [], perProcess: false };
  const drawn = appendixPanels.flatMap(([id, when]) => {
    const panel = when === undefined || when(model) ? drawPanel(panelOf(id), input) : null;
    return panel === null ? [] : renderPanel(panel, context);
  });
  return html`<div class="appendix" id="appendix"><h1>Appendix</h1>
<nav>${drawn.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
${drawn.map(({ id, title, note, body }) => section(id, title, note, body))}
<p class="note">The run file also has the measurements of each trial, second by second. Open it in Dyno to see them.</p></div>`;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly note: string | null | undefined;
  readonly body: Html;
}

/** Draws a panel as one section, or as one section for each of its charts. */
function renderPanel({ id, title, content }: DrawnPanel, context: ReportContext): readonly Section[] {
  const { model, baseline } = context;
  switch (content.kind) {
    case 'charts':
      return content.charts.map((chart) => ({
        id: chart.id,
        title: chart.title,
        note: chart.note,
        body: renderBlock({ kind: 'chart', chart }, context),
      }));
    case 'blocks':
      return [
        { id, title, note: content.note, body: html`${content.blocks.map((block) => renderBlock(block, context))}` },
      ];
    case 'comparison': {
      const note = `${sentence(betweenCallsNote)}. A dash means: not measured, or ${unknownPercentile}. ${comparisonHint(model, baseline)}`;
      return [
        { id: `${id}-table`, title: 'Results in numbers', note: note.trim(), body: resultTable(model, baseline) },
      ];
    }
    case 'findings':
      return [{ id, title, note: null, body: renderFindings(model, content.findings) }];
    case 'caveats': {
      const caveats = caveatsInDetail(model);
      return caveats.length === 0
        ? []
        : [{ id, title: 'Caveats of single cells', note: null, body: renderCaveats(model, caveats) }];
    }
    case 'answer':
    case 'errors':
      return [];
  }
}
