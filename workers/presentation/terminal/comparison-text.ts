import type { ComparedRun, RunsComparison } from '#analysis/between-runs/compare-with-reference.ts';
import { comparisonPromise } from '#analysis/compare/compare-runs.ts';
import { asItem, oneLine } from '#model/text/printable.ts';
import { changedPlanLines, comparedPlansText } from '../outline/compared-plans.ts';
import {
  comparedCellsTable,
  comparedMachinesTable,
  comparedTimesTable,
  findingChangesTable,
  runChangesTable,
} from '../tables/comparison/compared-runs-tables.ts';
import type { PanelCell, PanelTable } from '../tables/shared/panel-table.ts';
import { changesText, nothingChanged } from '../text/changes-text.ts';
import { comparedRunSentences } from '../text/compared-runs-answer.ts';
import { alignColumns, titled } from './run-text.ts';

/**
 * The text of `dyno compare`: sentences about each run, then the tables with a column for each run. `labels`: the names
 * of the reference and of the other runs. For `command` see comparisonPromise.
 */
export function renderComparison(
  comparison: RunsComparison,
  labels: readonly string[],
  command: string | null,
): string {
  const { reference, others, findings } = comparison;
  const [first = '', ...rest] = labels.map(oneLine);
  const claims = others.flatMap(({ cells, times }) => [...cells, ...times]);
  const width = Math.max(...[first, ...rest].map((label) => label.length));
  const runLine = (label: string, run: ComparedRun['run']) =>
    `${label.padEnd(width)}  ${run.runId}  ${run.startedAt}  ${run.plan.experiment.name}`;
  return [
    runLine(first, reference),
    ...others.map(({ run }, i) => runLine(rest[i]!, run)),
    '',
    ...others.flatMap((one, i) => [
      `${rest[i]} against ${first}:`,
      ...comparedRunSentences(one, findings, i + 1).map((sentence) => `  • ${sentence}`),
      ...[changesText(one.changes)].filter((text) => text !== '').map((sentence) => `  • ${sentence}`),
      ...one.remarks.map((remark) => `  ! ${remark}`),
    ]),
    ...titled(
      'what changed',
      others.some(({ changes }) => changes.length > 0)
        ? stackedLines(runChangesTable(comparison, labels))
        : [nothingChanged],
    ),
    ...titled('throughput', stackedLines(comparedCellsTable(comparison, labels))),
    ...titled('times', stackedLines(comparedTimesTable(comparison, labels))),
    '',
    ...comparisonPromise(claims, command),
    ...titled('findings that differ', stackedLines(findingChangesTable(comparison, labels))),
    ...others.flatMap((one, i) => planLines(one, others.length > 1 ? ` of ${rest[i]}` : '')),
    ...titled('machine', stackedLines(comparedMachinesTable(comparison, labels))),
    '',
  ]
    .map((line) => asItem(line))
    .join('\n');
}

function planLines({ run, plans }: ComparedRun, of: string): readonly string[] {
  const summary = comparedPlansText(plans);
  return summary === '' ? [] : titled(`query plans${of}`, [summary, ...changedPlanLines(run, plans)]);
}

/** A table in aligned columns. A cell of several lines takes as many lines of the terminal. */
function stackedLines({ columns, rows }: PanelTable): readonly string[] {
  if (rows.length === 0) return [];
  const linesOf = (cell: PanelCell): readonly string[] => {
    const text = typeof cell === 'string' ? cell : cell.text;
    return typeof text === 'string' ? [text] : text;
  };
  const body = rows.flatMap(({ cells }) => {
    const lines = cells.map(linesOf);
    return Array.from({ length: Math.max(...lines.map((one) => one.length)) }, (_, i) =>
      lines.map((one) => one[i] ?? ''),
    );
  });
  return alignColumns(
    [columns.map(({ title }) => title), ...body],
    columns.map(() => 'left' as const),
  );
}
