import { variantLabel } from '#contract/variant-of.ts';
import { anonymise } from './anonymise.ts';
import { type Baseline, baselineOf } from './baseline.ts';
import { callOrderTable } from './call-order-words.ts';
import type { CellTable } from './cell-table.ts';
import { withinNote } from './change-words.ts';
import { callTimes } from './charts/call-chart.ts';
import { callByCall } from './charts/call-order-chart.ts';
import type { Chart } from './charts/chart.ts';
import { clientTimeChart, hasClientCourse } from './charts/client-time-chart.ts';
import { commitLatency } from './charts/commit-chart.ts';
import { hasEvents, serverEvents } from './charts/event-chart.ts';
import { latencyByPercentile, latencyHistogram } from './charts/latency-charts.ts';
import type { SvgRenderer } from './charts/render-svg.ts';
import { scalability } from './charts/scalability-chart.ts';
import { searchChart } from './charts/search-chart.ts';
import { clientShares } from './charts/share-chart.ts';
import { statementLatency } from './charts/statement-chart.ts';
import { numericFactors, sweep, sweptFactors } from './charts/sweep-chart.ts';
import { cssTheme } from './charts/theme.ts';
import { ratioChart, throughputByCell } from './charts/throughput-chart.ts';
import { throughputLatency } from './charts/throughput-latency-chart.ts';
import { throughputOverRows, throughputOverTime, waitingOverTime } from './charts/time-panels.ts';
import { checkTable } from './check-words.ts';
import { commitTable } from './commit-rows.ts';
import { ratios } from './compare.ts';
import { betweenCallsNote } from './conflict-words.ts';
import { experimentName } from './experiment-name.ts';
import { headlines } from './headlines.ts';
import { unlikeInWords } from './like-for-like.ts';
import { loadRemark, loadTable } from './load-words.ts';
import type { Caveat, RunModel } from './model.ts';
import { networkTable } from './network-table.ts';
import { publishedNote, publishedSentences, publishedTitle } from './published-words.ts';
import { cellTable } from './report/cell-table.ts';
import { clientTable } from './report/client-table.ts';
import { conflictsTable } from './report/conflicts-table.ts';
import { type Html, html, htmlText, trusted } from './report/html.ts';
import { publishedSection } from './report/published-section.ts';
import { serverSection } from './report/server-section.ts';
import { statementTable } from './report/statement-table.ts';
import { style } from './report/style.ts';
import { sweepTables } from './report/sweep-table.ts';
import {
  calibrationTable,
  environmentList,
  eventTable,
  likeForLike,
  meanings,
  missingTable,
  planList,
  resultTable,
  rowsTable,
  targetName,
  withinTable,
} from './report/tables.ts';
import { whyNote, whySection } from './report/why-section.ts';
import { searchTable } from './search-words.ts';
import { rateUnit } from './select-cells.ts';
import { sentence } from './sentence.ts';
import { serverNote } from './server-words.ts';
import { stageTable } from './stage-words.ts';
import { statementsTitle } from './statement-summary.ts';
import { scalabilityNote } from './sweep-table.ts';
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
  const cells = (table: CellTable, below: () => Html = () => html``): Html => {
    const lines = cellTable(model, table);
    return lines === null ? html`` : section(table.id, table.title, table.note, html`${lines}${below()}`);
  };
  const unlike = unlikeInWords(model);
  const remark = html`<p class="note">${loadRemark(model.plan)}</p>${unlike === null ? '' : html`<p class="note unlike"><a href="#fairness">${unlike}</a></p>`}`;
  const why = whySection(model);
  const figure = (chart: Chart): Html =>
    chart.data.rows.length === 0 ? html`` : section(chart.id, chart.title, chart.note, html`${remark}${draw(chart)}`);
  const missing = missingTable(model);
  const work = eventTable(model);
  const servers = serverSection(model, draw);
  const conflicts = conflictsTable(model);
  const statements = statementTable(model);
  const stored = rowsTable(model);
  const calibration = calibrationTable(model);
  const within = withinTable(model);
  const client = clientTable(model);
  const sweeps = sweepTables(model);
  const published = publishedSection(model);
  const meaning = meanings(model);

  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${experiment.name} – Dyno report</title><style>${trusted(style)}</style></head>
<body><main>
<header><h1>${experimentName(model.plan)}</h1><p class="question">${experiment.question}</p>
<p class="meta">${model.startedAt.slice(0, 16).replace('T', ' ')} UTC · ${statusWords[model.status]} · ${model.environment.cpu}, ${model.environment.cores} cores · ${model.plan.targets.map(({ name }) => name).join(', ')}${options.anonymous ? ' (anonymised)' : ''}</p>
<nav><a href="#verdicts">Verdicts</a><a href="#results">Results</a>${why === null ? html`` : html`<a href="#why">Why</a>`}<a href="#throughput">Charts</a><a href="#caveats">What to mind</a><a href="#fairness">Like for like</a><a href="#plan">Plan</a></nav></header>
${section('verdicts', 'What the run shows', null, html`<ul class="verdicts">${headlines(model, baseline, unit).map((line) => html`<li>${line}</li>`)}</ul>${publishedSentences(model).map((line) => html`<p class="note">${line}</p>`)}`)}
${section('results', 'Results', `Ratio: to ${baselineInWords(model, baseline)}. Grey: 95 % confidence interval over n repeats. ${sentence(betweenCallsNote)}. A dash: not measured, or too few calls for the percentile.`, resultTable(model, baseline))}
${why === null ? html`` : section('why', 'Why', whyNote, why)}
${missing === null ? html`` : section('missing', 'Skipped and failed', null, missing)}
${cells(searchTable(model), () => draw(searchChart(model, cssTheme)))}
${cells(callOrderTable(model), () => draw(callByCall(model, cssTheme)))}
${figure(throughputByCell(model, cssTheme))}
${figure(ratioChart(model, ratios(model, baseline), cssTheme))}
${published === null ? html`` : section('published', publishedTitle, publishedNote, published)}
${sweptFactors(model).map((factor) => figure(sweep(model, factor, cssTheme)))}
${figure(scalability(model, cssTheme))}
${figure(throughputLatency(model, cssTheme))}
${sweeps === null ? html`` : section('scaling', 'How it scales, in numbers', scalabilityNote, sweeps)}
${statements === null ? html`` : section('statements', statementsTitle(model), 'All repeats merged. Rows: returned or changed, on average. Wrong row counts are errors (wrongResult). A dash: too few calls for the percentile.', statements)}
${figure(statementLatency(model, cssTheme))}
${cells(loadTable(model))}
${figure(latencyByPercentile(model, cssTheme))}
${figure(latencyHistogram(model, cssTheme))}
${cells(commitTable(model))}
${numericFactors(model).map((factor) => figure(commitLatency(model, factor, cssTheme)))}
${figure(throughputOverTime(model, cssTheme))}
${figure(waitingOverTime(model, cssTheme))}
${cells(stageTable(model))}
${within === null ? html`` : section('within', 'Within the trials', withinNote, within)}
${servers === null ? html`` : section('server-time', 'Where the servers’ time went', serverNote, servers)}
${work === null ? html`` : section('server-work', 'Server’s own work', 'What servers timed of their own work during the measured phases, all repeats together. A dash: too few for the percentile, or the server does not tell (or tells only sums).', html`${work}${eventFigures(model, draw)}`)}
${figure(throughputOverRows(model, cssTheme))}
${figure(clientShares(model, cssTheme))}
${figure(callTimes(model, cssTheme))}
${client === null ? html`` : section('client-time', 'The clients’ time, in numbers', 'Shares of the client processes’ time; a mean call, its round trips, as seen at the sessions’ own sockets (a dash: none of their own). Below: the first repeat of each variant that took two seconds or more.', html`${client}${clientFigures(model, draw)}`)}
${cells(networkTable(model))}
${section('caveats', 'What to mind', null, caveatList(model))}
${conflicts === null ? html`` : section('retries', 'Lost to retries', 'What the server undid (deadlocks, serialization failures) was tried again. Time lost includes the pauses between tries; throughput counts what was committed, and a latency is that of one try.', conflicts)}
${cells(checkTable(model))}
${stored === null ? html`` : section('rows', 'Rows in the tables', 'Looked at after the clock had stopped, against what the client was told. Stored per row: table + indexes, free space within pages included; on disk unless it says in memory.', stored)}
${calibration === null ? html`` : section('calibration', 'Calibration', 'What the harness itself does on this machine with one process: calls handed out, rows made, the cheapest round trip of one connection.', calibration)}
${section('fairness', 'Like for like', 'Highlighted: targets that have the setting differ in it.', likeForLike(model))}
${meaning === null ? html`` : section('meaning', 'What was compared', null, meaning)}
${section('plan', 'Plan', null, planList(model))}
${section('environment', 'Environment', null, environmentList(model))}
${model.yaml === '' ? html`` : section('experiment', 'Experiment file', null, html`<pre>${model.yaml}</pre>`)}
<footer>Made by Dyno ${model.environment.app}. Verdicts: 95 % intervals of the ratio of mean throughputs over the repeats, by Welch’s t on logarithms, and from five repeats on by a studentised bootstrap that must agree; about one comparison of equals in twenty shows a difference nevertheless.</footer>
</main></body></html>
`;
  return htmlText(page);
}

/** The first repeat of each variant that has a course over time; all repeats, and shorter trials, are in the table. */
const eventFigures = (model: RunModel, draw: (chart: Chart) => Html): readonly Html[] =>
  model.plan.variants.flatMap(({ id, label }) => {
    const telling = model.trials.filter(
      (view) => view.trial.variant === id && hasEvents(view) && view.series.atMs.length > 1,
    );
    const first = Math.min(...telling.map(({ trial }) => trial.repeat));
    const views = telling.filter(({ trial }) => trial.repeat === first);
    if (views.length === 0) return [];
    const chart = serverEvents(model, views, cssTheme);
    return [html`<h3>${label}</h3><p class="note">${chart.note}</p>${draw(chart)}`];
  });

const clientFigures = (model: RunModel, draw: (chart: Chart) => Html): readonly Html[] =>
  model.plan.variants.flatMap(({ id, label }) => {
    const long = model.trials.filter((view) => view.trial.variant === id && hasClientCourse(view));
    const first = Math.min(...long.map(({ trial }) => trial.repeat));
    const views = long.filter(({ trial }) => trial.repeat === first);
    return views.length === 0 ? [] : [html`<h3>${label}</h3>${draw(clientTimeChart(model, views, cssTheme))}`];
  });

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
