import { tournamentsOf } from '#analysis/compare/tournament.ts';
import { gradeLabels, gradeReasons } from '#analysis/grade/grade-text.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { comparedSettings, countsAlways, unlikeText } from '#analysis/settings/compared-settings.ts';
import { productText } from '#engine-api/product-text.ts';
import { isReference } from '#planning/rates/contenders.ts';
import type { SectionName } from '#protocol/report-choices.ts';
import { drawPicture, pictureData, pictureText } from '../charts/picture/draw-picture.ts';
import { fittingOptions } from '../charts/picture/picture-options.ts';
import { statementLatency } from '../charts/statement-chart.ts';
import { adviceContent } from '../outline/advice-blocks.ts';
import { decisionContent } from '../outline/decision-blocks.ts';
import { hasTimesInTournament, isRehearsal, showsTournament } from '../outline/entry-parts.ts';
import { judgedTimesTable } from '../tables/calls/latency-ratio-table.ts';
import { statementShareTable } from '../tables/calls/statement-share-table.ts';
import { gapTable } from '../tables/comparison/gap-table.ts';
import { scaleNote, tournamentTable } from '../tables/comparison/tournament-table.ts';
import type { NotedTable } from '../tables/shared/panel-table.ts';
import { type Answer, answerOf } from '../text/answer.ts';
import { isError } from '../text/caveat-text.ts';
import { environmentFacts } from '../text/environment-facts.ts';
import type { Fact } from '../text/fact.ts';
import { loadsText } from '../text/load-text.ts';
import { planFacts } from '../text/plan-facts.ts';
import { publishedSentences } from '../text/published-text.ts';
import { caveatsByKind, caveatsInBrief } from './caveats.ts';
import { chartWidthPx, linkTo, paragraph, type ReportContext, section } from './context.ts';
import type { ReportBlock, ReportSection } from './document.ts';
import { outlineBlocks, reportTable } from './outline-blocks.ts';

/**
 * The first two pages, as far as their sections are chosen. The first has the answer, one picture and the three most
 * important caveats; the second has the details of the answer, the other caveats, the note and the conditions. Errors
 * are always there, because the numbers mean something else with them.
 */
export function firstSections(
  context: ReportContext,
  note: string,
  chosen: readonly SectionName[],
): readonly ReportSection[] {
  const { model, baseline } = context;
  const answer = answerOf(model, baseline);
  const errors = model.caveats.filter(isError);
  const drawn: readonly (readonly [SectionName | null, () => readonly ReportSection[]])[] = [
    ['answer', () => adviceSection(context)],
    ['answer', () => [section('answer', 'Answer', answerBlocks(model, answer))]],
    [null, () => (errors.length === 0 ? [] : [section('errors', 'Errors', [caveatsByKind(model, errors)])])],
    ['answer', () => decisionSection(context)],
    ['answer', () => tournamentSection(context)],
    ['picture', () => pictureSection(context, answer)],
    ['caveats', () => [section('data-quality', 'Data quality', caveatsInBrief(context, 'first'))]],
    ['answer', () => filled(section('details', 'Answer in detail', detailBlocks(context, answer)))],
    ['caveats', () => filled(section('other-caveats', 'Other caveats', caveatsInBrief(context, 'others')))],
    ['note', () => (note === '' ? [] : [section('note', 'Note', [paragraph('own', note)])])],
    ['conditions', () => [section('conditions', 'Conditions', [{ kind: 'facts', facts: conditions(context) }])]],
  ];
  return drawn.flatMap(([name, sections]) => (name === null || chosen.includes(name) ? sections() : []));
}

const filled = (one: ReportSection): readonly ReportSection[] => (one.blocks.length === 0 ? [] : [one]);

/** The headline, its certainty and the grade; the statements too, if they are the answer. */
function answerBlocks(model: RunModel, { headline, certainty, grade, statements }: Answer): readonly ReportBlock[] {
  return [
    paragraph('headline', headline),
    ...(certainty === null ? [] : [paragraph('certainty', certainty)]),
    ...(grade === null
      ? []
      : [
          paragraph('grade', [
            { text: gradeLabels[grade.level], look: grade.level },
            ` ${gradeReasons(grade).join(' ')}`,
          ]),
        ]),
    ...notedTable(statements && statementShareTable(model, statements)),
  ];
}

function detailBlocks({ model, baseline }: ReportContext, { details, facts, latency }: Answer): readonly ReportBlock[] {
  const times = latency && !hasTimesInTournament(model, baseline) ? judgedTimesTable(model, baseline, latency) : null;
  return [
    ...(facts.length === 0 ? [] : [{ kind: 'facts', facts } as const]),
    ...notedTable(times),
    ...notedTable(gapTable(model)),
    ...[...details, ...publishedSentences(model)].map((line) => paragraph('note', line)),
  ];
}

const notedTable = (built: NotedTable | null): readonly ReportBlock[] =>
  built === null || built.rows.length === 0
    ? []
    : [{ kind: 'table', table: reportTable(built) }, paragraph('note', built.note)];

function adviceSection({ model }: ReportContext): readonly ReportSection[] {
  const content = adviceContent(model);
  if (model.advice === null || content.kind !== 'blocks') return [];
  const blocks = [paragraph('headline', content.note ?? ''), ...outlineBlocks(content.blocks)];
  return [section('advice', 'Advice', blocks)];
}

/** The decision of a rehearsal with its plans. */
function decisionSection({ model }: ReportContext): readonly ReportSection[] {
  if (!isRehearsal(model)) return [];
  const content = decisionContent({ run: model, model });
  if (content.kind !== 'blocks') return [];
  return [section('decision', 'Decision', [...outlineBlocks(content.blocks), paragraph('note', content.note ?? '')])];
}

/** The table of the changes; the appendix has their plans. */
function tournamentSection({ model, baseline }: ReportContext): readonly ReportSection[] {
  if (!showsTournament(model, baseline)) return [];
  const { note, ...table } = tournamentTable(model, tournamentsOf(model, baseline));
  const blocks: readonly ReportBlock[] = [
    { kind: 'table', table: reportTable(table) },
    paragraph('note', `${note} ${scaleNote}`),
  ];
  return table.rows.length === 0 ? [] : [section('tournament', 'Tournament', blocks)];
}

function pictureSection(context: ReportContext, { statements }: Answer): readonly ReportSection[] {
  const { model, baseline, theme } = context;
  // The cells of a rehearsal are its statements, whose rates say nothing beside each other.
  if (isRehearsal(model)) return [];
  // The run has one cell of custom statements: their times are the picture, and not a single bar.
  if (model.plan.variants.length === 1 && statements !== null) {
    const chart = statementLatency(model, theme, { widthPx: chartWidthPx });
    return [section('results', chart.title, [{ kind: 'chart', chart }])];
  }
  const options = fittingOptions(model, baseline);
  const input = { run: model, shown: model, baseline, options, theme, widthPx: chartWidthPx };
  const scene = drawPicture(pictureData(input), input);
  if (scene === null) return [];
  const unlike = unlikeText(model);
  const words = [
    `${pictureText(input)} ${loadsText(model.plan)}. `,
    ...(unlike === null ? [] : [{ ...linkTo(context, 'settings-compared', unlike), look: 'warning' } as const, '.']),
  ];
  return [section('results', 'Results', [{ kind: 'picture', scene }, paragraph('note', words)])];
}

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
      .flatMap(({ name, fingerprint, descriptor, address, error }): readonly Fact[] => {
        const product = fingerprint ? productText(fingerprint) : (error?.message ?? descriptor.label);
        const texts = [product, address, descriptor.driver].filter((text) => text !== '–' && text !== name);
        return texts.length === 0 ? [] : [[name, texts.join(' · ')]];
      }),
    ...unlike
      .filter(({ matters }) => countsAlways(matters))
      .map(({ setting, words }): Fact => [`Differs: ${setting}`, words]),
    ...planFacts(model).filter(([name]) => !inHeader.includes(name)),
    ...environmentFacts(model),
    ['Verdicts', verdictsText],
  ];
}
