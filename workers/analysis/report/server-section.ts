import { variantLabel } from '#planning/variant-of.ts';
import type { Chart } from '../charts/chart.ts';
import { hasServerCourse, serverTimeChart } from '../charts/server-time-chart.ts';
import { cssTheme } from '../charts/theme.ts';
import type { RunModel } from '../model.ts';
import { serverSummaries } from '../server-summary.ts';
import { untoldByServers } from '../server-untold.ts';
import { serverColumns, serverRow } from '../server-words.ts';
import { type Html, html } from './html.ts';
import { targetName } from './tables.ts';

/** What the servers told of each cell, and the course of the first repeat of each variant; null where no server told anything. */
export function serverSection(model: RunModel, draw: (chart: Chart) => Html): Html | null {
  const summaries = serverSummaries(model);
  if (summaries.length === 0) return null;
  const rows = summaries.map((summary, i) => {
    const first = summaries[i - 1]?.variant !== summary.variant;
    const texts = serverRow(summary);
    return html`<tr class="${first ? 'group' : ''}"><td class="first">${first ? variantLabel(model.plan, summary.variant) : ''}</td><td class="target">${targetName(model, summary.target)}</td>${serverColumns.map((title) => html`<td>${texts[title]}</td>`)}</tr>`;
  });
  const untold = untoldByServers(model).map(
    ({ target, sentences }) => html`<p class="note">Not told by ${target}: ${sentences.join(' ')}</p>`,
  );
  const head = serverColumns.map((title) => html`<th>${title}</th>`);
  return html`<div class="scroll"><table><thead><tr><th>Variant</th><th>Target</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>${untold}${courses(model, draw)}`;
}

const courses = (model: RunModel, draw: (chart: Chart) => Html): readonly Html[] =>
  model.plan.variants.flatMap(({ id, label }) => {
    const telling = model.trials.filter((view) => view.trial.variant === id && hasServerCourse(model, view));
    const first = Math.min(...telling.map(({ trial }) => trial.repeat));
    const views = telling.filter(({ trial }) => trial.repeat === first);
    if (views.length === 0) return [];
    const chart = serverTimeChart(model, views, cssTheme);
    return [html`<h3>${label}</h3><p class="note">${chart.note}</p>${draw(chart)}`];
  });
