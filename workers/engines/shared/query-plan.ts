/** The text in quotes or comments, which has no words of the statement. */
const withoutTexts = (text: string): string =>
  text.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');

/**
 * True if a statement may end a scan before its last row, judged by its words, for servers whose plans do not show it.
 * A word too many only makes the rules about plans more careful.
 */
export const mayStopEarly = (text: string): boolean =>
  /\b(?:limit|fetch|top|rownum|exists|any|some|all)\b|\bin\s*\(\s*select\b/i.test(withoutTexts(text));
