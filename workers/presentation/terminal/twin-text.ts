import type { TwinComparison } from '#analysis/twin/compare-twin.ts';
import { twinColumnTable, twinPlanLines, twinQueryTable, twinVerdictText } from '../tables/comparison/twin-tables.ts';
import { markdownTable } from '../tables/shared/markdown-table.ts';
import { markdownText } from '../text/markdown-text.ts';
import { notedLines } from './run-text.ts';

/** How far a twin is off, as lines of text. `limits`: sentences about what was not compared. */
export const twinLines = (compared: TwinComparison, limits: readonly string[]): readonly string[] => [
  twinVerdictText(compared),
  ...limits,
  '',
  ...notedLines(twinQueryTable(compared)),
  '',
  ...notedLines(twinColumnTable(compared)),
  ...otherPlans(compared),
];

function otherPlans({ queries }: TwinComparison): readonly string[] {
  const lines = queries.flatMap(twinPlanLines);
  return lines.length === 0 ? [] : ['', 'Plans that differ:', ...lines];
}

/** How far a twin is off, in Markdown. */
export function twinMarkdown(title: string, compared: TwinComparison, limits: readonly string[]): string {
  const [queries, columns] = [twinQueryTable(compared), twinColumnTable(compared)];
  const plans = compared.queries.flatMap(twinPlanLines);
  return [
    `## ${markdownText(title)}`,
    [twinVerdictText(compared), ...limits].map(markdownText).join('\n\n'),
    ...(compared.queries.length > 0 ? [`${markdownTable(queries)}\n\n${markdownText(queries.note)}`] : []),
    `${markdownTable(columns)}\n\n${markdownText(columns.note)}`,
    ...(plans.length > 0 ? [`Plans that differ:\n\n${plans.map((line) => `    ${line}`).join('\n')}`] : []),
    '',
  ].join('\n\n');
}
