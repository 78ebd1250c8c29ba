import { comparisonPromise, comparisonRemarks, type RunComparison } from '#analysis/compare/compare-runs.ts';
import { whatChanged } from '#analysis/compare/what-changed.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatRunRatio, verdictWords } from '#analysis/text/verdict-text.ts';
import { dash, formatInterval } from '#model/format/format.ts';
import { variantOf, variantText } from '#planning/variant-of.ts';
import type { RunChange } from '#protocol/run-change.ts';
import { runChangesTable } from '../tables/comparison/compared-runs-tables.ts';
import { markdownTable } from '../tables/shared/markdown-table.ts';
import { cellColumns, numbers, type PanelTable, words } from '../tables/shared/panel-table.ts';
import { nothingChanged } from '../text/changes-text.ts';
import { comparedRunsAnswer } from '../text/compared-runs-answer.ts';
import { experimentName } from '../text/experiment-name.ts';
import { markdownText } from '../text/markdown-text.ts';
import { gateMarkdown } from './gate-markdown.ts';
import { list, page, section } from './markdown-parts.ts';

/** The summary of two compared runs for the page of a CI job. For `command` see comparisonPromise. */
export function comparisonMarkdown(
  before: RunModel,
  after: RunModel,
  all: readonly RunComparison[],
  { command, gate = null }: { readonly command: string | null; readonly gate?: GateResult | null },
): string {
  const { headline, certainty } = comparedRunsAnswer(after, all);
  return page([
    `## ${markdownText(experimentName(after.plan))}: two runs compared`,
    ...(gate === null ? [] : gateMarkdown(gate)),
    ...section('Answer', list([`${headline}.`, ...(certainty === null ? [] : [`${certainty}.`])])),
    ...section('Results', markdownTable(cellTable(before, after, all))),
    ...section('What changed', changesMarkdown(whatChanged(before, after))),
    ...section('Remarks', list([...comparisonPromise(all, command), ...comparisonRemarks(before, after)])),
    list([`before: ${before.runId}, ${before.startedAt}`, `after: ${after.runId}, ${after.startedAt}`]),
  ]);
}

const changesMarkdown = (changes: readonly RunChange[]): string =>
  changes.length === 0
    ? nothingChanged
    : markdownTable(runChangesTable({ others: [{ changes }] }, ['Before', 'After']));

const cellTable = (before: RunModel, after: RunModel, all: readonly RunComparison[]): PanelTable => ({
  columns: [
    ...cellColumns,
    ...numbers(`Before, ${rateUnit(before)}`, `After, ${rateUnit(after)}`, 'After ÷ before'),
    ...words('Verdict'),
  ],
  rows: all.map((one) => ({
    cells: [
      variantOf(after.plan, one.variant)?.label ?? variantText(before.plan, one.variant),
      one.target,
      ...[one.before, one.after].map((value) => (value === null ? dash : formatInterval(value))),
      formatRunRatio(one),
      verdictWords[one.verdict],
    ],
  })),
});
