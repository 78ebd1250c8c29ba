import type { RunsComparison } from '#analysis/between-runs/compare-with-reference.ts';
import { comparisonPromise, type RunComparison } from '#analysis/compare/compare-runs.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatRunRatio, verdictWords } from '#analysis/text/verdict-text.ts';
import { dash, formatInterval } from '#model/format/format.ts';
import { variantOf, variantText } from '#planning/variant-of.ts';
import type { RunChange } from '#protocol/run-change.ts';
import { comparedTimesTable, runChangesTable } from '../tables/comparison/compared-runs-tables.ts';
import { markdownTable } from '../tables/shared/markdown-table.ts';
import { cellColumns, numbers, type PanelTable, words } from '../tables/shared/panel-table.ts';
import { nothingChanged } from '../text/changes-text.ts';
import { comparedRunSentences } from '../text/compared-runs-answer.ts';
import { experimentName } from '../text/experiment-name.ts';
import { markdownText } from '../text/markdown-text.ts';
import { gateMarkdown } from './gate-markdown.ts';
import { list, page, section } from './markdown-parts.ts';

/**
 * The summary of a run beside the reference for the page of a CI job. `at`: its place among the runs, where the
 * reference has 0. For `command` see comparisonPromise.
 */
export function comparisonMarkdown(
  { reference: before, others, findings }: RunsComparison,
  at: number,
  { command, gate = null }: { readonly command: string | null; readonly gate?: GateResult | null },
): string {
  const compared = others[at - 1]!;
  const { run: after, cells, times, changes, remarks } = compared;
  return page([
    `## ${markdownText(experimentName(after.plan))}: two runs compared`,
    ...(gate === null ? [] : gateMarkdown(gate)),
    ...section('Answer', list(comparedRunSentences(compared, findings, at))),
    ...section('Results', markdownTable(cellTable(before, after, cells))),
    ...section('Times', markdownTable(comparedTimesTable({ reference: before, others: [compared] }, sides))),
    ...section('What changed', changesMarkdown(changes)),
    ...section('Remarks', list([...comparisonPromise([...cells, ...times], command), ...remarks])),
    list([`before: ${before.runId}, ${before.startedAt}`, `after: ${after.runId}, ${after.startedAt}`]),
  ]);
}

const sides = ['Before', 'After'] as const;

const changesMarkdown = (changes: readonly RunChange[]): string =>
  changes.length === 0 ? nothingChanged : markdownTable(runChangesTable({ others: [{ changes }] }, sides));

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
