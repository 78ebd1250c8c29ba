import { tournamentsOf } from '#analysis/compare/tournament.ts';
import { gradeLabels, gradeReasons } from '#analysis/grade/grade-text.ts';
import { comparedSettings, countsAlways, unlikeText } from '#analysis/settings/compared-settings.ts';
import { productText } from '#engine-api/product-text.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { sceneText } from '../charts/kit/scene.ts';
import { cssTheme } from '../charts/kit/theme.ts';
import { drawPicture, pictureData, pictureText } from '../charts/picture/draw-picture.ts';
import { fittingOptions } from '../charts/picture/picture-options.ts';
import { statementLatency } from '../charts/statement-chart.ts';
import { adviceContent } from '../outline/advice-blocks.ts';
import { hasTimesInTournament, hasTournament } from '../outline/entry-parts.ts';
import { judgedTimesTable } from '../tables/calls/latency-ratio-table.ts';
import { statementShareTable } from '../tables/calls/statement-share-table.ts';
import { scaleNote, tournamentTable } from '../tables/comparison/tournament-table.ts';
import { answerOf } from '../text/answer.ts';
import { isError } from '../text/caveat-text.ts';
import { environmentFacts } from '../text/environment-facts.ts';
import { experimentName } from '../text/experiment-name.ts';
import type { Fact } from '../text/fact.ts';
import { loadsText } from '../text/load-text.ts';
import { planFacts } from '../text/plan-facts.ts';
import { publishedSentences } from '../text/published-text.ts';
import { renderBlock } from './blocks.ts';
import { renderCaveats, renderCaveatsInBrief } from './caveats.ts';
import { chartWidthPx, linkTo, type ReportContext, section } from './context.ts';
import { type Html, html, trusted, unbrokenRanges } from './html.ts';

interface Signature {
  readonly isAnonymous: boolean;
  readonly note: string;
  readonly author: string;
}

/** The first two pages: question, answer, picture, data quality, note and conditions. */
export function renderFirstPages(context: ReportContext, { isAnonymous, note, author }: Signature): Html {
  const { model } = context;
  const { plan, startedAt, status } = model;
  const errors = model.caveats.filter(isError);
  const meta = [
    `${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    statusLabels[status],
    `${plan.targets.map(({ name }) => name).join(', ')}${isAnonymous ? ' (anonymised)' : ''}`,
    ...(author === '' ? [] : [`by ${author}`]),
  ];
  return html`<header><h1>${experimentName(plan)}</h1><p class="question">${plan.experiment.question}</p>
<p class="meta">${meta.join(' · ')}</p></header>
${renderAdvice(context)}
${renderAnswer(context)}
${errors.length === 0 ? '' : section('errors', 'Errors', null, renderCaveats(model, errors))}
${renderTournament(context)}
${renderPicture(context)}
${section('data-quality', 'Data quality', null, renderCaveatsInBrief(context))}
${note === '' ? '' : section('note', 'Note', null, html`<p class="user-note">${note}</p>`)}
${section('conditions', 'Conditions', null, renderFacts(conditions(context)))}`;
}

const statusLabels = {
  running: 'still running',
  complete: 'complete',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
} as const;

function renderAnswer(context: ReportContext): Html {
  const { model, baseline } = context;
  const { headline, certainty, details, facts, grade, statements, latency } = answerOf(model, baseline);
  const times = latency && !hasTimesInTournament(model, baseline) ? judgedTimesTable(model, baseline, latency) : null;
  const shares = statements && statementShareTable(model, statements);
  return section(
    'answer',
    'Answer',
    null,
    html`<p class="headline">${unbrokenRanges(headline)}</p>${certainty === null ? '' : html`<p class="certainty">${certainty}</p>`}
${grade === null ? '' : html`<p class="grade"><strong class="${grade.level}">${gradeLabels[grade.level]}</strong> ${gradeReasons(grade).join(' ')}</p>`}
${shares === null ? '' : html`${renderBlock({ kind: 'table', table: shares }, context)}<p class="note">${shares.note}</p>`}
${times === null ? '' : html`${renderBlock({ kind: 'table', table: times }, context)}<p class="note">${times.note}</p>`}
${[...details, ...publishedSentences(model)].map((line) => html`<p class="note">${line}</p>`)}
${renderFacts(facts)}`,
  );
}

function renderAdvice(context: ReportContext): Html {
  const content = adviceContent(context.model);
  if (context.model.advice === null || content.kind !== 'blocks') return html``;
  const body = html`<p class="headline">${content.note ?? ''}</p>${content.blocks.map((one) => renderBlock(one, context))}`;
  return section('advice', 'Advice', null, body);
}

/** The table of the changes; the appendix has their plans. */
function renderTournament(context: ReportContext): Html {
  const { model, baseline } = context;
  if (!hasTournament(model)) return html``;
  const { note, ...table } = tournamentTable(model, tournamentsOf(model, baseline));
  const body = html`${renderBlock({ kind: 'table', table }, context)}<p class="note">${note} ${scaleNote}</p>`;
  return table.rows.length === 0 ? html`` : section('tournament', 'Tournament', null, body);
}

/** True if the run has one cell of custom statements: their times are the picture, and not a single bar. */
const isAboutStatements = ({ model, baseline }: Pick<ReportContext, 'model' | 'baseline'>): boolean =>
  model.plan.variants.length === 1 && answerOf(model, baseline).statements !== null;

function renderPicture(context: ReportContext): Html {
  const { model, baseline } = context;
  if (isAboutStatements(context)) {
    const chart = statementLatency(model, cssTheme, { widthPx: chartWidthPx });
    return section('results', chart.title, null, renderBlock({ kind: 'chart', chart }, context));
  }
  const options = fittingOptions(model, baseline);
  const input = { run: model, shown: model, baseline, options, theme: cssTheme, widthPx: chartWidthPx };
  const scene = drawPicture(pictureData(input), input);
  if (scene === null) return html``;
  const unlike = unlikeText(model);
  return section(
    'results',
    'Results',
    null,
    html`<div class="picture">${trusted(sceneText(scene))}</div>
<p class="note">${pictureText(input)} ${loadsText(model.plan)}. ${unlike === null ? '' : html`<span class="unlike">${linkTo(context, 'settings-compared', unlike)}.</span>`}</p>`,
  );
}

const renderFacts = (facts: readonly Fact[]): Html =>
  facts.length === 0
    ? html``
    : html`<dl>${facts.map(([name, value, about]) => html`<dt>${name}</dt><dd>${about === undefined ? value : html`<abbr title="${about}">${value}</abbr>`}</dd>`)}</dl>`;

const verdictsText =
  '95 % intervals of the ratio of mean throughputs over the repeats, by Welch’s t on logarithms, and from five repeats on by a studentised bootstrap that must agree. Times are compared by the ratio of the geometric means of the repeats, by Welch’s t on logarithms. About one comparison of equals in twenty shows a difference nevertheless.';

/** Facts of the plan that the header of the report has. */
const inHeader: readonly string[] = ['Question', 'Targets'];

/** The conditions under which the run measured: servers, settings that differ, plan, machine and programs. */
function conditions({ model }: ReportContext): readonly Fact[] {
  const { unlike } = comparedSettings(model);
  return [
    ...model.targets
      .filter(({ name }) => !isReference(model, name))
      .map(({ name, fingerprint, descriptor, address, error }): Fact => {
        const product = fingerprint ? productText(fingerprint) : (error?.message ?? descriptor.label);
        return [name, [product, address, descriptor.driver].filter((text) => text !== '–').join(' · ')];
      }),
    ...unlike
      .filter(({ matters }) => countsAlways(matters))
      .map(({ setting, words }): Fact => [`Differs: ${setting}`, words]),
    ...planFacts(model).filter(([name]) => !inHeader.includes(name)),
    ...environmentFacts(model),
    ['Verdicts', verdictsText],
  ];
}
