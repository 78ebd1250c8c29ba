import { describeUnlike } from '#analysis/like-for-like/like-for-like.ts';
import { betweenCallsNote } from '#analysis/text/conflict-text.ts';
import { sentence } from '#model/format/sentence.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import type { DrawnPanel } from '../outline/draw-panel.ts';
import { panelOf } from '../outline/outline.ts';
import { describeBaseline } from '../text/baseline-text.ts';
import { describeLoads } from '../text/load-text.ts';
import { type BlockContext, renderBlock } from './blocks.ts';
import { renderCaveats } from './caveats.ts';
import { findingsNote, renderFindings } from './findings.ts';
import { type Html, html } from './html.ts';
import { resultTable } from './result-table.ts';

/** A panel as sections of the report: one, or one for each of its charts. */
export function renderPanel({ id, title, content }: DrawnPanel, baseline: Baseline, context: BlockContext): Html {
  const { model } = context;
  switch (content.kind) {
    case 'charts': {
      const remark = chartRemark(context);
      return html`${content.charts.map((chart) =>
        section(chart.id, chart.title, chart.note, html`${remark}${renderBlock({ kind: 'chart', chart }, context)}`),
      )}`;
    }
    case 'blocks':
      return section(id, title, content.note, html`${content.blocks.map((block) => renderBlock(block, context))}`);
    case 'verdicts': {
      const sentences = html`<ul class="verdicts">${content.sentences.map((line) => html`<li>${line}</li>`)}</ul>`;
      return section(
        id,
        title,
        null,
        html`${sentences}${content.published.map((line) => html`<p class="note">${line}</p>`)}`,
      );
    }
    case 'comparison': {
      const note = `Ratio: to ${describeBaseline(model, baseline)}. Grey: 95 % confidence interval over n repeats. ${sentence(betweenCallsNote)}. A dash: not measured, or too few calls for the percentile.`;
      return section(id, title, note, resultTable(model, baseline));
    }
    case 'findings':
      return section(id, title, findingsNote, renderFindings(model, content.findings));
    case 'caveats':
      return section(id, title, null, renderCaveats(model, content.caveats));
  }
}

const section = (id: string, title: string, note: string | null | undefined, body: Html): Html =>
  html`<section id="${id}"><h2>${title}</h2>${note ? html`<p class="note">${note}</p>` : ''}${body}</section>
`;

/** Under every chart: the load, and where the targets are not compared like for like. */
function chartRemark({ model }: BlockContext): Html {
  const unlike = describeUnlike(model);
  const link = html`<p class="note unlike"><a href="#${panelOf('like-for-like').id}">${unlike}</a></p>`;
  return html`<p class="note">${describeLoads(model.plan)}</p>${unlike === null ? '' : link}`;
}
