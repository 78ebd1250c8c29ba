import { markdownTable } from '../tables/shared/markdown-table.ts';
import type { PanelTable } from '../tables/shared/panel-table.ts';
import { markdownText } from '../text/markdown-text.ts';

/** The most entries of a list. CI systems limit the length of a summary. */
const mostEntries = 20;

/** A heading and what follows it. Nothing if nothing follows. */
export const section = (title: string, ...content: readonly string[]): readonly string[] =>
  content.every((one) => one === '') ? [] : [`### ${title}`, ...content.filter((one) => one !== '')];

/** A list with an entry for each text, which may come from a file or a server. */
export function list(entries: readonly string[]): string {
  const left = entries.length - mostEntries;
  return [
    ...entries.slice(0, mostEntries).map((one) => `- ${markdownText(one)}`),
    ...(left > 0 ? [`- … and ${left} more`] : []),
  ].join('\n');
}

/** Content that a click opens. */
export const folded = (title: string, content: string): string =>
  content === '' ? '' : `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;

/** A table that a click opens. */
export const foldedTable = (title: string, table: PanelTable): string => folded(title, markdownTable(table));

/** The blocks of a page, with an empty line between them. */
export const page = (blocks: readonly string[]): string => `${blocks.filter((one) => one !== '').join('\n\n')}\n`;
