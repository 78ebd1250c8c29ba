/** Mean width of a character, as a share of the font's size. */
const charShare = 0.54;

/** The width that a text will about take. */
export const textPx = (text: string, fontPx: number): number => text.length * fontPx * charShare;

/** The text, cut off with an ellipsis where it would be wider. */
export function fitText(text: string, widthPx: number, fontPx: number): string {
  const most = Math.max(2, Math.floor(widthPx / (fontPx * charShare)));
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}
