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

/** A text as code within a line. */
export const code = (text: string): string => `\`${text}\``;

/** Words as code, with dots between them. */
export const codeList = (words: readonly string[]): string => words.map(code).join(' · ');

/** A text as a block of code in a language. */
export const codeBlock = (text: string, language = 'text'): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
