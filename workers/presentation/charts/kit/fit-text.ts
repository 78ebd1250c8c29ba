import { columnsOfChar, textColumns } from '#model/format/text-columns.ts';

/**
 * The mean width of a character as a share of the font size. The value is that of Inter, which is wider than most
 * fonts.
 */
const charShare = 0.57;

/** Estimates the width of a text. The kit cannot measure text, because it also draws without a window. */
export const textPx = (text: string, fontPx: number): number => textColumns(text) * fontPx * charShare;

/** Breaks a text into at most `most` lines of whole words. The last line is cut off if it is too wide. */
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

/** Cuts a text off with an ellipsis if it is too wide. */
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

/** Cuts the middle of a name out with an ellipsis if it is too wide, because many names differ at their ends. */
export function fitName(name: string, widthPx: number, fontPx: number): string {
  const most = Math.max(3, Math.floor(widthPx / (fontPx * charShare)));
  if (textColumns(name) <= most) return name;
  const endColumns = Math.floor((most - 1) / 2);
  let [end, left] = ['', endColumns];
  for (const char of [...name].toReversed()) {
    left -= columnsOfChar(char);
    if (left < 0) break;
    end = char + end;
  }
  const start = fitText(name, (most - textColumns(end)) * fontPx * charShare + 1, fontPx);
  return `${start}${end.trimStart()}`;
}

/**
 * Shortens a variant's name within the names of its factors if it is too wide: "Rows pe…: 1 · Calls p…: 10" still
 * differs from other variants. A name without factors, or without room for them, is cut off at its end.
 */
export function fitLevels(label: string, widthPx: number, fontPx: number): string {
  const most = Math.floor(widthPx / (fontPx * charShare));
  const whole = label.split(' · ');
  const parts = whole.map((part) => /^(.+?)(: .+)$/.exec(part)?.slice(1));
  const names = parts.map((part) => part?.[0] ?? '');
  let over = textColumns(label) - most;
  if (over <= 0 || names.every((name) => name === '')) return fitText(label, widthPx, fontPx);
  const lengths = names.map(({ length }) => length);
  // Each round shortens the longest factor name by one character. The ellipsis takes the place of one character.
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

/** The least number of characters, including the ellipsis, that still suggest a factor's name. */
const leastOfName = 4;

/** Selects ticks whose labels do not touch. A label has the text `tick` and stands at `x`. */
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
