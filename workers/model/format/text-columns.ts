/** Characters that take the place of two: those of Chinese, Japanese and Korean, and emoji. */
const wide = /[\p{Script=Han}\p{Script=Hangul}\u3000-\u30ff\uff01-\uff60\p{Emoji_Presentation}]/u;
/** Marks that stand on the character before them, and characters that only steer. */
const narrow = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** The columns that a character takes in a terminal. */
export const columnsOfChar = (char: string): number => (wide.test(char) ? 2 : narrow.test(char) ? 0 : 1);

/** The columns that a text takes in a terminal. */
export function textColumns(text: string): number {
  let columns = 0;
  for (const char of text) columns += columnsOfChar(char);
  return columns;
}
