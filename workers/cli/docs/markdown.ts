/** A Markdown table; columns that are empty in every row are left out. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = head.map((_, column) => rows.some((row) => (row[column] ?? '') !== ''));
  const line = (cells: readonly string[]) => `| ${cells.filter((_, column) => used[column]).join(' | ')} |`;
  return [
    line(head),
    line(head.map(() => '---')),
    ...rows.map((row) => line(head.map((_, column) => cellText(row[column] ?? '')))),
  ].join('\n');
}

/** A pipe would end the cell, and a line break the row; `<` before a letter would begin a tag. */
const cellText = (text: string): string =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll(/<(?=[a-z/!])/gi, '&lt;');

export const code = (text: string): string => `\`${text}\``;

export const codeList = (words: readonly string[]): string => words.map(code).join(' · ');

export const codeBlock = (text: string, language = 'text'): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
