/** Characters that are two columns wide: Chinese, Japanese and Korean ones, and emoji. */
const wide = /[\p{Script=Han}\p{Script=Hangul}\u3000-\u30ff\uff01-\uff60\p{Emoji_Presentation}]/u;
/** Combining marks, and control characters, which take no column. */
const narrow = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** The number of columns of a character in a terminal. */
export const columnsOfChar = (char: string): number => (wide.test(char) ? 2 : narrow.test(char) ? 0 : 1);

/** The number of columns of a text in a terminal. */
export function textColumns(text: string): number {
  let columns = 0;
  for (const char of text) columns += columnsOfChar(char);
  return columns;
}
