import { columnsOfChar, textColumns } from '#model/format/text-columns.ts';

/** The mean width of a character as a share of the font's size: that of Inter, which is wider than most. */
const charShare = 0.57;

/** The width that a text will about take. Nothing here can measure text: drawings are made without a window, too. */
export const textPx = (text: string, fontPx: number): number => textColumns(text) * fontPx * charShare;

/** The text in lines of whole words, as many as `most`; the last one is cut off where the rest would be wider. */
export function wrapText(text: string, widthPx: number, fontPx: number, most = 2): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && (lines.length === most || textPx(`${last} ${word}`, fontPx) <= widthPx))
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => fitText(line, widthPx, fontPx));
}

/** The text, cut off with an ellipsis where it would be wider. */
export function fitText(text: string, widthPx: number, fontPx: number): string {
  const most = Math.max(2, Math.floor(widthPx / (fontPx * charShare)));
  if (textColumns(text) <= most) return text;
  let [start, left] = ['', most - 1];
  for (const char of text) {
    left -= columnsOfChar(char);
    if (left < 0) break;
    start += char;
  }
  return `${start.trimEnd()}…`;
}

/**
 * A variant's name, cut off within the names of its factors where it would be wider: "Rows pe…: 1 · Calls p…: 10" still
 * tells it from others. Cut off at its end where it names no factors, or where nothing would be left of them.
 */
export function fitLevels(label: string, widthPx: number, fontPx: number): string {
  const most = Math.floor(widthPx / (fontPx * charShare));
  const whole = label.split(' · ');
  const parts = whole.map((part) => /^(.+?)(: .+)$/.exec(part)?.slice(1));
  const names = parts.map((part) => part?.[0] ?? '');
  let over = textColumns(label) - most;
  if (over <= 0 || names.every((name) => name === '')) return fitText(label, widthPx, fontPx);
  const lengths = names.map(({ length }) => length);
  // The longest name gives a character, one after the other; the ellipsis of each name takes the place of one.
  while (over > 0) {
    const longest = lengths.indexOf(Math.max(...lengths));
    if (lengths[longest]! <= leastOfName) return fitText(label, widthPx, fontPx);
    lengths[longest]! -= 1;
    over -= 1;
  }
  return parts
    .map((part, i) => {
      if (part === undefined) return whole[i];
      const [name, level] = part as [string, string];
      return `${lengths[i]! < name.length ? `${name.slice(0, lengths[i]! - 1).trimEnd()}…` : name}${level}`;
    })
    .join(' · ');
}

/** Characters of a factor's name, the ellipsis among them, that still suggest it. */
const leastOfName = 4;

/** Ticks whose labels, written `tick` at `x`, keep a distance from each other. */
export function spacedTicks(
  ticks: readonly number[],
  x: (value: number) => number,
  tick: (value: number) => string,
  { fontPx, gapPx }: { readonly fontPx: number; readonly gapPx: number },
): readonly number[] {
  let end = Number.NEGATIVE_INFINITY;
  return ticks.filter((value) => {
    const half = textPx(tick(value), fontPx) / 2 + gapPx / 2;
    if (x(value) - half < end) return false;
    end = x(value) + half;
    return true;
  });
}
