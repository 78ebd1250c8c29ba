import { widerThanWanted } from '#analysis/caveats/repeat-caveats.ts';
import { indexCostText } from '#analysis/cells/index-costs.ts';
import { ratios } from '#analysis/compare/compare.ts';
import type { LatencyClaims } from '#analysis/compare/latency-claims.ts';
import { meanRatios } from '#analysis/compare/mean-ratios.ts';
import { tournamentsOf } from '#analysis/compare/tournament.ts';
import type { StatementShares } from '#analysis/findings/statements/statement-shares.ts';
import { gradeLabels, gradeReasons } from '#analysis/grade/grade-text.ts';
import { decisionOf } from '#analysis/rehearsal/decision.ts';
import type { Caveat, CellSummary, Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { betweenCalls, betweenCallsNote, conflictsText } from '#analysis/text/conflict-text.ts';
import { answersElsewhereText, elsewhereAdvice, rowAdvice, rowProblemText } from '#analysis/text/row-text.ts';
import {
  comparisonText,
  enoughText,
  formatMeanRatio,
  manyComparisonsText,
  methodLabels,
  neededRepeatsText,
} from '#analysis/text/verdict-text.ts';
import { formatInterval, formatMs, formatPercent } from '#model/format/format.ts';
import { textColumns } from '#model/format/text-columns.ts';
import { asItem, printable } from '#model/text/printable.ts';
import { answersBefore } from '#planning/rates/answers-between.ts';
import { type Baseline, baselineOf, type Compare } from '#planning/rates/baseline.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { leftOutTable } from '../outline/decision-blocks.ts';
import { hasTimesInTournament, showsTournament } from '../outline/entry-parts.ts';
import { titleOf } from '../outline/outline.ts';
import { connectingTable } from '../tables/calls/connecting-table.ts';
import { judgedTimesTable } from '../tables/calls/latency-ratio-table.ts';
import { unknownPercentile } from '../tables/calls/latency-table.ts';
import { perCallTable } from '../tables/calls/per-call-table.ts';
import { statementShareTable } from '../tables/calls/statement-share-table.ts';
import { costTable } from '../tables/comparison/cost-table.ts';
import { decisionTable } from '../tables/comparison/decision-table.ts';
import { gapTable } from '../tables/comparison/gap-table.ts';
import { goalTable } from '../tables/comparison/goal-table.ts';
import { tournamentTable } from '../tables/comparison/tournament-table.ts';
import { loadTable } from '../tables/load/load-table.ts';
import { searchTable } from '../tables/load/search-table.ts';
import { consumptionTable } from '../tables/server/consumption-table.ts';
import type { NotedTable, PanelCell, PanelTable } from '../tables/shared/panel-table.ts';
import { answerOf } from '../text/answer.ts';
import { baselineText } from '../text/baseline-text.ts';
import { byteRateCells, byteRateTitles } from '../text/byte-rate-text.ts';
import { isError } from '../text/caveat-text.ts';
import { decisionNote } from '../text/decision-text.ts';
import { experimentName } from '../text/experiment-name.ts';
import { findingLines } from '../text/finding-text.ts';
import { loadsText } from '../text/load-text.ts';
import { publishedSentences } from '../text/published-text.ts';
import { keptAdviceLines } from './advice-text.ts';

/** The advice that the run keeps, and an empty line. */
function adviceOf({ advice, targets: [target] }: RunModel): readonly string[] {
  return advice === null || target === undefined
    ? []
    : [...keptAdviceLines(advice, target.name, target.descriptor), ''];
}

/** The comparison as plain text for a terminal: verdicts, one line per cell, skipped cells, and caveats. */
export function renderText(
  model: RunModel,
  /** True to list the checks without findings as well. */
  options: {
    readonly baseline?: Baseline;
    readonly compare?: Compare | undefined;
    readonly allFindings?: boolean;
  } = {},
): string {
  const baseline = options.baseline ?? baselineOf(model, options.compare);
  const unit = rateUnit(model);
  const answer = answerOf(model, baseline);
  const all = ratios(model, baseline);
  const byCell = new Map(all.map((ratio) => [keyOf(ratio), ratio]));
  const rows = model.cells.map((cell) => [
    variantText(model.plan, cell.variant),
    cell.target,
    cell.rowsPerSecond === null ? 'no result' : formatInterval(cell.rowsPerSecond),
    ...byteRateCells(model, cell),
    ratioText(byCell.get(keyOf(cell))),
    cell.elapsedMs === null ? '' : formatMs(cell.elapsedMs.value),
    ...[cell.latencyMs.p50, cell.latencyMs.p99].map((ms) => (cell.latencyMs.count === 0 ? '' : formatMs(ms))),
    cell.clientShare === null ? '' : formatPercent(betweenCalls(cell)),
    String(cell.ok),
    notes(model, cell),
  ]);
  const header = [
    'variant',
    'target',
    unit,
    ...byteRateTitles(model),
    'ratio',
    'elapsed',
    'p50',
    'p99',
    'between calls',
    'n',
    '',
  ];
  return [
    `${experimentName(model.plan)} — ${model.plan.experiment.question}`,
    '',
    ...adviceOf(model),
    ...answer.sentences.map((line) => `• ${line}`),
    ...(answer.grade === null
      ? []
      : [`• Data: ${gradeLabels[answer.grade.level].toLowerCase()}. ${gradeReasons(answer.grade).join(' ')}`]),
    ...publishedSentences(model).map((line) => `◦ ${line}`),
    ...failureLines(model),
    ...titled('Damaged', damageLines(model)),
    ...titled('Errors', errorLines(model)),
    ...titled(
      'Judged times',
      answer.latency === null || hasTimesInTournament(model, baseline)
        ? []
        : timeLines(model, baseline, answer.latency),
    ),
    ...decisionLines(model),
    ...titled(titleOf('gap', model), notedLines(gapTable(model))),
    ...titled(titleOf('tournament', model), showsTournament(model, baseline) ? tournamentLines(model, baseline) : []),
    ...titled('Statements', answer.statements === null ? [] : statementLines(model, answer.statements)),
    ...titled('Goals', tableLines(goalTable(model))),
    ...titled(titleOf('costs', model), notedLines(costTable(model, baseline))),
    '',
    ...apart(cellLines(searchTable(model))),
    ...alignColumns([header, ...rows], ['left', 'left']),
    ...titled(titleOf('per-call', model), cellLines(perCallTable(model))),
    '',
    ...meanRatios(model, baseline).map((mean) => `${mean.target} overall: ${formatMeanRatio(mean)}`),
    loadsText(model.plan),
    ...apart(cellLines(loadTable(model))),
    `Ratios refer to ${baselineText(model, baseline)}, with the 95 % confidence interval over n repeats; ${betweenCallsNote}.`,
    ...methodLines(all),
    ...(model.cells.some(({ latencyMs: { count, p50, p99 } }) => count > 0 && (p50 === null || p99 === null))
      ? [`A dash at p50 or p99 means: ${unknownPercentile}.`]
      : []),
    ...[manyComparisonsText(all)].filter((line) => line !== ''),
    ...(model.enough !== null && widerThanWanted(model) === null
      ? [enoughText(model.enough, (cell) => cellName(model, cell))]
      : []),
    ...titled(
      'Skipped',
      model.skipped.map((cell) => `  ${cellName(model, cell)}: ${cell.reason}`),
    ),
    ...titled(titleOf('indexes', model), indexLines(model)),
    ...titled(titleOf('connecting', model), cellLines(connectingTable(model))),
    ...titled(titleOf('consumption', model), cellLines(consumptionTable(model))),
    ...titled('What came back', rowLines(model)),
    ...titled(titleOf('retries', model), conflictLines(model)),
    ...titled('Caveats', caveatLines(model)),
    ...findingLines(model, options.allFindings === true),
    ...titled('Notes', noticeLines(model)),
    '',
  ]
    .map((line) => asItem(line))
    .join('\n');
}

/** An empty line, a title and lines. Nothing if there are no lines. */
export const titled = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines];

/** Lines followed by an empty line. Nothing if there are no lines. */
const apart = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : [...lines, '']);

/** Size and build time of each index, one line each. */
const indexLines = (model: RunModel): readonly string[] =>
  alignColumns(
    model.cells.flatMap((cell) =>
      cell.indexCosts.map((cost) => [cellName(model, cell), cost.index, indexCostText(cost)]),
    ),
    ['left', 'left', 'left'],
  );

/** A table of cells without its remarks. Empty if the table is empty. */
function cellLines({ columns, rows }: PanelTable): readonly string[] {
  const isShown = (_: unknown, i: number) => columns[i]!.kind !== 'remark';
  const [, , ...titles] = columns.filter(isShown).map(({ title }) => title);
  const lines = rows.map(({ cells }) =>
    cells.filter(isShown).map((cell) => (typeof cell === 'string' ? cell : String(cell.text))),
  );
  return rows.length === 0 ? [] : alignColumns([['variant', 'target', ...titles], ...lines], ['left', 'left']);
}

function statementLines(model: RunModel, shares: StatementShares): readonly string[] {
  const { columns, rows } = statementShareTable(model, shares);
  const lines = rows.map(({ cells }) => cells.map((cell) => (typeof cell === 'string' ? cell : String(cell.text))));
  return alignColumns([columns.map(({ title }) => title), ...lines], ['left']);
}

/** The decision of a rehearsal, candidate by candidate, and the time that is not covered. */
function decisionLines(model: RunModel): readonly string[] {
  const decision = decisionOf(model);
  if (decision === null) return [];
  const { candidates, reference } = decision;
  return [
    ...candidates.flatMap((one) =>
      titled(`Decision on ${one.target}, beside ${reference}`, tableLines(decisionTable(decision, one))),
    ),
    decisionNote(decision),
    ...titled('Not covered', tableLines(leftOutTable(decision))),
  ];
}

const timeLines = (model: RunModel, baseline: Baseline, latency: LatencyClaims): readonly string[] =>
  notedLines(judgedTimesTable(model, baseline, latency));

/**
 * The tournament of each target. The reason why a variant is not compared may be long and stands in the last column.
 */
const tournamentLines = (model: RunModel, baseline: Baseline): readonly string[] => {
  const all = tournamentsOf(model, baseline);
  const { note } = tournamentTable(model, all);
  return [
    ...all.flatMap((one) => {
      const { note: _, ...table } = tournamentTable(model, [one]);
      return [...(all.length > 1 ? [`${one.target}:`] : []), ...tableLines(table)];
    }),
    note,
  ];
};

/** A table and its note as lines of text. Empty if the table is empty. */
export const notedLines = ({ note, ...table }: NotedTable): readonly string[] =>
  table.rows.length === 0 ? [] : [...tableLines(table), note];

function tableLines({ columns, rows }: PanelTable): readonly string[] {
  const textOf = (cell: PanelCell) =>
    typeof cell === 'string' ? cell : typeof cell.text === 'string' ? cell.text : cell.text.join('; ');
  const lines = rows.map(({ cells }) => cells.map(textOf));
  const sides = columns.map(({ kind }) => (kind === 'number' ? ('right' as const) : ('left' as const)));
  return rows.length === 0 ? [] : alignColumns([columns.map(({ title }) => title), ...lines], sides);
}

const cellName = ({ plan }: RunModel, { variant, target }: { readonly variant: string; readonly target: string }) =>
  `${variantText(plan, variant)} on ${target}`;

/** Explains the intervals of the ratios, and how many repeats would settle comparisons that are still open. */
function methodLines(all: readonly Ratio[]): readonly string[] {
  const methods = new Set(all.map(({ method }) => method).filter((method) => method !== null));
  const open = all.filter(({ verdict }) => verdict === 'notSignificant' || verdict === 'notEnoughRepeats');
  const needed = open.flatMap(({ repeatsNeeded, ratio }) =>
    repeatsNeeded !== null && repeatsNeeded > ratio.n ? [repeatsNeeded] : [],
  );
  return [
    ...[...methods].map((method) => `interval of a ratio: ${methodLabels[method]}.`),
    ...(needed.length === 0
      ? []
      : [`where a difference is not statistically significant: ${neededRepeatsText(Math.max(...needed))}`]),
  ];
}

const ratioText = (ratio: Ratio | undefined): string => (ratio === undefined ? '' : comparisonText(ratio));

function notes(model: RunModel, cell: CellSummary): string {
  const own = model.caveats
    .filter((caveat) => caveat.cell?.variant === cell.variant && caveat.cell.target === cell.target)
    .map(({ title }) => title.toLowerCase());
  return [...(isReference(model, cell.target) ? ['reference'] : []), ...new Set(own)].join('; ');
}

/** The differences in rows that make cells incomparable, cell by cell, and an explanation of each kind. */
function rowLines(model: RunModel): readonly string[] {
  const all = model.cells.flatMap((cell) => cell.rowProblems.map((problem) => ({ cell, problem })));
  const elsewhere = model.cells.flatMap((cell) =>
    answersBefore(model.plan, cell).flatMap((one) =>
      one.outcome === 'differ' ? [`  ! ${cellName(model, cell)}: ${answersElsewhereText(model, cell, one)}`] : [],
    ),
  );
  const byRows = [...Map.groupBy(all, ({ problem }) => problem.kind)].flatMap(([kind, own]) => [
    ...own.map(({ cell, problem }) => `  ! ${cellName(model, cell)}: ${rowProblemText(model, cell, problem)}`),
    `    ${rowAdvice[kind]}`,
  ]);
  return [...byRows, ...(elsewhere.length === 0 ? [] : [...elsewhere, `    ${elsewhereAdvice}`])];
}

/** The cost of write conflicts, cell by cell. */
const conflictLines = (model: RunModel): readonly string[] =>
  model.cells.flatMap(({ conflicts, ...cell }) =>
    conflicts === null ? [] : [`  ${cellName(model, cell)}: ${conflictsText(conflicts)}`],
  );

/** Trials without a result, and trials in which calls failed. */
function failureLines({ trials }: RunModel): readonly string[] {
  const results = trials.flatMap(({ result }) => (result?.error ? [result] : []));
  return [
    ...whyLines(
      'Failed',
      results.filter(({ status }) => status !== 'ok' && status !== 'cancelled' && status !== 'cannot'),
    ),
    ...whyLines(
      'Calls failed',
      results.filter((result) => result.status === 'ok' && !isMadeUpFor(result)),
    ),
  ];
}

/** Trials whose results are no longer in the file. */
const damageLines = ({ trials }: RunModel): readonly string[] =>
  trials.flatMap(({ trial, damage }) =>
    damage === null ? [] : [`  trial ${trial.number} (${trial.target}): ${damage}`],
  );

/** One entry for each kind of error, with its hint. */
function whyLines(title: string, results: readonly TrialResult[]): readonly string[] {
  const where = new Map<string, string[]>();
  for (const { number, target, error } of results) {
    if (error === null) continue;
    const why = `${error.message}${error.hint ? `\ntry: ${error.hint}` : ''}`;
    where.set(why, [...(where.get(why) ?? []), `trial ${number} (${target})`]);
  }
  return titled(
    title,
    [...where].map(([why, list]) => `  ${namedTrials(list)}: ${why}`),
  );
}

/** True if all errors were write conflicts, and their retries succeeded. */
const isMadeUpFor = ({ totals }: TrialResult): boolean =>
  totals.retries > 0 &&
  totals.gaveUp === 0 &&
  Object.keys(totals.errors).every((kind) => kind === 'deadlock' || kind === 'serialization');

const namedTrials = (list: readonly string[]): string =>
  list.length <= 3 ? list.join(', ') : `${list.slice(0, 2).join(', ')} and ${list.length - 2} more`;

/** The caveats of the whole run and of targets. Caveats of single cells stand in the line of the cell. */
const ofTheRun = ({ caveats }: RunModel): readonly Caveat[] =>
  caveats.filter(({ cell }) => cell?.variant === undefined);

const errorLines = (model: RunModel): readonly string[] =>
  ofTheRun(model)
    .filter(isError)
    .map(({ title, text }) => `  ! ${title}: ${text}`);

const caveatLines = (model: RunModel): readonly string[] =>
  ofTheRun(model)
    .filter((caveat) => !isError(caveat))
    .map(({ severity, title, text }) => `  ${severity === 'info' ? 'i' : '!'} ${title}: ${text}`);

/** Notices about the targets' engines. */
const noticeLines = ({ targets }: RunModel): readonly string[] =>
  targets.flatMap(({ name, descriptor: { notice } }) => (notice ? [`  ${name}: ${notice}`] : []));

/**
 * Pads columns to their widest cell. Numbers are aligned to the right unless `sides` says otherwise. Trailing blanks
 * are removed.
 */
export function alignColumns(
  given: readonly (readonly string[])[],
  sides: readonly ('left' | 'right')[] = [],
): readonly string[] {
  const rows = given.map((row) => row.map((text) => printable(text).replaceAll(/[\n\t]/g, ' ')));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, c) => Math.max(...rows.map((row) => textColumns(row[c] ?? ''))));
  return rows.map((row) =>
    row
      .map((text, c) => {
        const blanks = ' '.repeat(widths[c]! - textColumns(text));
        return sides[c] === 'left' || (c === columns - 1 && sides[c] === undefined) ? text + blanks : blanks + text;
      })
      .join('  ')
      .trimEnd(),
  );
}
