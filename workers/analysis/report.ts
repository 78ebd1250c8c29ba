import { variantLabel } from '#contract/variant-of.ts';
import { anonymise } from './anonymise.ts';
import { type Baseline, baselineOf } from './baseline.ts';
import type { Chart } from './charts/chart.ts';
import { latencyByPercentile, latencyHistogram } from './charts/latency-charts.ts';
import type { SvgRenderer } from './charts/render-svg.ts';
import { rateUnit } from './charts/select.ts';
import { clientShares } from './charts/share-chart.ts';
import { numericFactors, sweep } from './charts/sweep-chart.ts';
import { cssTheme } from './charts/theme.ts';
import { ratioChart, throughputByCell } from './charts/throughput-chart.ts';
import { throughputOverRows, throughputOverTime } from './charts/time-panels.ts';
import { ratios } from './compare.ts';
import { headlines } from './headlines.ts';
import type { Caveat, RunModel } from './model.ts';
import { type Html, html, trusted } from './report/html.ts';
import { style } from './report/style.ts';
import {
  calibrationTable,
  environmentList,
  likeForLike,
  meanings,
  missingTable,
  planList,
  resultTable,
  rowsTable,
  targetName,
} from './report/tables.ts';
import { baselineInWords } from './text.ts';

export interface ReportOptions {
  /** Names of targets and engines become letters: some licences forbid publishing results by name. */
  readonly anonymous: boolean;
  /** From charts/render-svg.ts. */
  readonly renderSvg: SvgRenderer;
  /** Default: the experiment's own. */
  readonly baseline?: Baseline;
}

/** The run as one HTML file: no script, nothing loaded from anywhere, light and dark, ready to print. */
export function renderReport(run: RunModel, options: ReportOptions): string {
  const model = options.anonymous ? anonymise(run) : run;
  const baseline = (options.anonymous ? undefined : options.baseline) ?? baselineOf(model);
  const unit = rateUnit(model);
  const { experiment } = model.plan;
  const draw = (chart: Chart): Html => trusted(options.renderSvg(chart));
  const figure = (chart: Chart): Html =>
    chart.data.rows.length === 0 ? html`` : section(chart.id, chart.title, chart.note, draw(chart));
  const missing = missingTable(model);
  const stored = rowsTable(model);
  const calibration = calibrationTable(model);
  const meaning = meanings(model);

  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${experiment.name} – Dyno report</title><style>${trusted(style)}</style></head>
<body><main>
<header><h1>${experiment.name}</h1><p class="question">${experiment.question}</p>
<p class="meta">${model.startedAt.slice(0, 16).replace('T', ' ')} UTC · ${statusWords[model.status]} · ${model.environment.cpu}, ${model.environment.cores} cores · ${model.plan.targets.map(({ name }) => name).join(', ')}${options.anonymous ? ' (anonymised)' : ''}</p>
<nav><a href="#verdicts">Verdicts</a><a href="#results">Results</a><a href="#throughput">Charts</a><a href="#caveats">What to mind</a><a href="#fairness">Like for like</a><a href="#plan">Plan</a></nav></header>
${section('verdicts', 'What the run shows', null, html`<ul class="verdicts">${headlines(model, baseline, unit).map((line) => html`<li>${line}</li>`)}</ul>`)}
${section('results', 'Results', `Ratio: to ${baselineInWords(model, baseline)}. Grey: 95 % confidence interval over n repeats. Client: share of time outside the calls. A dash: not measured, or too few calls for the percentile.`, resultTable(model, baseline))}
${missing === null ? html`` : section('missing', 'Skipped and failed', null, missing)}
${figure(throughputByCell(model, cssTheme))}
${figure(ratioChart(model, ratios(model, baseline), cssTheme))}
${numericFactors(model).map((factor) => figure(sweep(model, factor, cssTheme)))}
${figure(latencyByPercentile(model, cssTheme))}
${figure(latencyHistogram(model, cssTheme))}
${figure(throughputOverTime(model, cssTheme))}
${figure(throughputOverRows(model, cssTheme))}
${figure(clientShares(model, cssTheme))}
${section('caveats', 'What to mind', null, caveatList(model))}
${stored === null ? html`` : section('rows', 'Rows in the tables', 'Looked at after the clock had stopped, against what the client was told. Stored per row: table + indexes, free space within pages included.', stored)}
${calibration === null ? html`` : section('calibration', 'Calibration', 'What the harness itself does on this machine with one process: calls handed out, rows made, the cheapest round trip of one connection.', calibration)}
${section('fairness', 'Like for like', 'Highlighted: targets that have the setting differ in it.', likeForLike(model))}
${meaning === null ? html`` : section('meaning', 'What was compared', null, meaning)}
${section('plan', 'Plan', null, planList(model))}
${section('environment', 'Environment', null, environmentList(model))}
${model.yaml === '' ? html`` : section('experiment', 'Experiment file', null, html`<pre>${model.yaml}</pre>`)}
<footer>Made by Dyno ${model.environment.app}. Verdicts: Welch’s t on the logarithms of the repeats’ throughput, 95 % confidence; about one comparison of equals in twenty shows a difference nevertheless.</footer>
</main></body></html>
`;
  return page.markup;
}

const statusWords = {
  running: 'still running',
  complete: 'complete',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
} as const;

const section = (id: string, title: string, note: string | null, body: Html): Html =>
  html`<section id="${id}"><h2>${title}</h2>${note === null || note === '' ? '' : html`<p class="note">${note}</p>`}${body}</section>`;

/** Caveats of the same kind and text stand once, with all their cells. */
function caveatList(model: RunModel): Html {
  const groups = new Map<string, Caveat[]>();
  for (const caveat of model.caveats) {
    const key = `${caveat.severity}|${caveat.title}|${caveat.text}`;
    groups.set(key, [...(groups.get(key) ?? []), caveat]);
  }
  if (groups.size === 0) return html`<p class="note">Nothing was found that would speak against the numbers.</p>`;
  const where = ({ cell }: Caveat): Html[] =>
    cell === null
      ? []
      : [
          html`<span class="where">${cell.target === undefined ? '' : targetName(model, cell.target)} ${cell.variant === undefined ? '' : variantLabel(model.plan, cell.variant)}</span> `,
        ];
  return html`<ul class="caveats">${[...groups.values()].map(
    (group) =>
      html`<li><span class="badge ${group[0]!.severity}">${group[0]!.title}</span> ${group.flatMap(where)}<br>${group[0]!.text}</li>`,
  )}</ul>`;
}
