import { gradeLabels, gradeReasons } from '#analysis/grade/grade-text.ts';
import { unlikeText } from '#analysis/settings/compared-settings.ts';
import { betweenCallsNote } from '#analysis/text/conflict-text.ts';
import { sentence } from '#model/format/sentence.ts';
import { type Baseline, compareOf } from '#planning/rates/baseline.ts';
import { sceneText } from '../charts/kit/scene.ts';
import { cssTheme } from '../charts/kit/theme.ts';
import { comparisonHint, drawPicture, pictureData, pictureText } from '../charts/picture/draw-picture.ts';
import { fittingOptions } from '../charts/picture/picture-options.ts';
import { defaultWidthPx } from '../charts/plot/select.ts';
import type { DrawnPanel } from '../outline/draw-panel.ts';
import { panelOf } from '../outline/outline.ts';
import { unknownPercentile } from '../tables/calls/latency-table.ts';
import { caveatGroupText, groupCaveats, isError } from '../text/caveat-text.ts';
import { loadsText } from '../text/load-text.ts';
import { type BlockContext, renderBlock } from './blocks.ts';
import { renderCaveats } from './caveats.ts';
import { findingsNote, renderFindings } from './findings.ts';
import { type Html, html, trusted } from './html.ts';
import { resultTable } from './result-table.ts';

/** Draws a panel as one section of the report, or as one section for each of its charts. */
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
    case 'answer': {
      const { headline, certainty, details, facts, grade } = content.answer;
      const { statements } = content;
      return section(
        id,
        title,
        null,
        html`<p class="headline">${headline}</p>${certainty === null ? '' : html`<p class="certainty">${certainty}</p>`}
${grade === null ? '' : html`<p class="grade"><strong class="${grade.level}">${gradeLabels[grade.level]}</strong> ${gradeReasons(grade).join(' ')}</p>`}
${statements === null ? '' : html`${renderBlock({ kind: 'table', table: statements }, context)}<p class="note">${statements.note}</p>`}
${[...details, ...content.published].map((line) => html`<p class="note">${line}</p>`)}
${facts.length === 0 ? '' : html`<dl>${facts.map(([name, value, about]) => html`<dt>${name}</dt><dd>${about === undefined ? value : html`<abbr title="${about}">${value}</abbr>`}</dd>`)}</dl>`}`,
      );
    }
    case 'comparison':
      return comparison(id, title, baseline, context);
    case 'findings':
      return section(id, title, findingsNote, renderFindings(model, content.findings));
    case 'errors':
    case 'caveats':
      return section(id, title, null, renderCaveats(model, content.caveats));
  }
}

/** The picture with its caveats, then its numbers. */
function comparison(id: string, title: string, baseline: Baseline, context: BlockContext): Html {
  const { model } = context;
  const options = fittingOptions(model, compareOf(model, baseline));
  const input = { run: model, shown: model, baseline, options, theme: cssTheme, widthPx: defaultWidthPx };
  const scene = drawPicture(pictureData(input), input);
  const picture = scene === null ? '' : html`<div class="picture scroll">${trusted(sceneText(scene))}</div>`;
  const kinds = groupCaveats(
    model,
    model.caveats.filter((caveat) => !isError(caveat)),
  ).map(caveatGroupText);
  const doubts = html`<p class="note unlike"><a href="#${panelOf('caveats').id}">Data quality: ${kinds.join(' · ')}</a></p>`;
  const tableNote =
    `${sentence(betweenCallsNote)}. A dash means: not measured, or ${unknownPercentile}. ${comparisonHint(model, baseline)}`.trim();
  return html`${section(id, title, pictureText(input), html`${picture}${chartRemark(context)}${kinds.length === 0 ? '' : doubts}`)}
${section(`${id}-table`, 'Results in numbers', tableNote, resultTable(model, baseline))}`;
}

const section = (id: string, title: string, note: string | null | undefined, body: Html): Html =>
  html`<section id="${id}"><h2>${title}</h2>${note ? html`<p class="note">${note}</p>` : ''}${body}</section>
`;

/** The remark under every chart: the load, and the settings in which targets differ. */
function chartRemark({ model }: BlockContext): Html {
  const unlike = unlikeText(model);
  const link = html`<p class="note unlike"><a href="#${panelOf('settings-compared').id}">${unlike}</a></p>`;
  return html`<p class="note">${loadsText(model.plan)}</p>${unlike === null ? '' : link}`;
}
