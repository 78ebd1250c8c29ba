import { ratios } from '#analysis/compare/compare.ts';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import type { CellSummary, Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { comparisonText } from '#analysis/text/verdict-text.ts';
import { formatInterval, formatMs } from '#model/format/format.ts';
import { type Baseline, baselineOf } from '#planning/rates/baseline.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { costTable } from '../tables/comparison/cost-table.ts';
import { goalTable } from '../tables/comparison/goal-table.ts';
import { markdownTable } from '../tables/shared/markdown-table.ts';
import { cellColumns, cellTexts, numbers, type PanelTable, words } from '../tables/shared/panel-table.ts';
import { answerOf } from '../text/answer.ts';
import { baselineText } from '../text/baseline-text.ts';
import { byteRateCells, byteRateTitles } from '../text/byte-rate-text.ts';
import { caveatGroupText, groupCaveats, placesText } from '../text/caveat-text.ts';
import { environmentFacts } from '../text/environment-facts.ts';
import { experimentName } from '../text/experiment-name.ts';
import { alsoShownText, caveatsBesideFindings, findingText } from '../text/finding-text.ts';
import { markdownText } from '../text/markdown-text.ts';
import { sentences } from '../text/sentences.ts';
import { gateMarkdown } from './gate-markdown.ts';
import { folded, foldedTable, list, page, section } from './markdown-parts.ts';
import { gradeLines, runSuites } from './run-suites.ts';

/** The summary of a run for the page of a CI job: the gate's answer, the run's answer, the cells, and the doubts. */
export function runMarkdown(
  model: RunModel,
  {
    baseline = baselineOf(model),
    gate = null,
  }: { readonly baseline?: Baseline; readonly gate?: GateResult | null } = {},
): string {
  return page([
    `## ${markdownText(experimentName(model.plan))}`,
    markdownText(model.plan.experiment.question),
    ...(gate === null ? [] : gateMarkdown(gate)),
    ...section('Answer', list([...answerOf(model, baseline).sentences, ...gradeLines(model)])),
    ...section(
      'Results',
      markdownTable(resultTable(model, baseline)),
      `Ratios refer to ${markdownText(baselineText(model, baseline))}, with the 95 % confidence interval over the repeats.`,
    ),
    ...section('Goals', markdownTable(goalTable(model))),
    ...section('Cost', markdownTable(costTable(model, baseline))),
    ...section('Failed', list(failures(model))),
    ...section('Caveats', list(caveats(model))),
    ...section('Findings', list(findings(model))),
    foldedTable('Skipped cells', skippedTable(model)),
    folded('Environment', list(environmentFacts(model).map(([name, text]) => `${name}: ${text}`))),
  ]);
}

/** The trials that failed or are missing, and rows that are wrong, cell by cell. */
const failures = (model: RunModel): readonly string[] =>
  runSuites(model)
    .filter(({ name }) => name === 'trials')
    .flatMap(({ cases }) => cases.filter(({ outcome }) => outcome === 'error' || outcome === 'failed'))
    .map(({ name, message }) => `${name}: ${message}`);

const findings = (model: RunModel): readonly string[] =>
  findingsOf(model).shown.map((finding) =>
    sentences(findingText(finding.rule, finding.lead), alsoShownText(model, finding)),
  );

const caveats = (model: RunModel): readonly string[] =>
  groupCaveats(model, caveatsBesideFindings(model)).flatMap((group) =>
    group.entries.map(
      ({ text, places }) =>
        `${caveatGroupText({ ...group, cells: 0 })}${places.length === 0 ? '' : ` (${placesText(places)})`}: ${text}`,
    ),
  );

function resultTable(model: RunModel, baseline: Baseline): PanelTable {
  const byCell = new Map(ratios(model, baseline).map((ratio) => [keyOf(ratio), ratio]));
  return {
    columns: [
      ...cellColumns,
      ...numbers(rateUnit(model), ...byteRateTitles(model)),
      ...words('Ratio and verdict'),
      ...numbers('p50', 'p99', 'Repeats'),
    ],
    rows: model.cells.map((cell) => ({
      cells: [...cellTexts(model, cell), ...figures(model, cell, byCell.get(keyOf(cell)))],
    })),
  };
}

const figures = (model: RunModel, cell: CellSummary, ratio: Ratio | undefined): readonly string[] => [
  cell.rowsPerSecond === null ? 'no result' : formatInterval(cell.rowsPerSecond),
  ...byteRateCells(model, cell),
  ratio === undefined ? '' : comparisonText(ratio),
  ...[cell.latencyMs.p50, cell.latencyMs.p99].map((ms) => (cell.latencyMs.count === 0 ? '' : formatMs(ms))),
  String(cell.ok),
];

const skippedTable = (model: RunModel): PanelTable => ({
  columns: [...cellColumns, ...words('Reason')],
  rows: model.skipped.map((cell) => ({ cells: [...cellTexts(model, cell), cell.reason] })),
});
