import { textPx } from './fit-text.ts';
import type { SymbolName } from './palette.ts';
import { rounded, type Scene, type Shape, shape, smallPx, text } from './scene.ts';
import type { ChartTheme } from './theme.ts';

/** The corners of the symbols that are not circles, relative to the middle. */
const corners: Readonly<Partial<Record<SymbolName, string>>> = {
  triangle: 'm0 -5l5 9.5h-10z',
  rect: 'm-4 -4h8v8h-8z',
  roundRect: 'm-4 -3q0 -1 1 -1h6q1 0 1 1v6q0 1 -1 1h-6q-1 0 -1 -1z',
  diamond: 'm0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z',
  pin: 'm-4.5 -4h9l-4.5 9z',
  arrow: 'm0 -5l5 9.5l-5 -2.5l-5 2.5z',
};

/** The outline of a symbol as SVG path data. Null for circles. */
export const outlineOf = (symbol: SymbolName): string | null => {
  const corner = corners[symbol];
  return corner === undefined ? null : `M0 0${corner}`;
};

/** The mark of a measured value. */
export const mark = (x: number, y: number, symbol: SymbolName, look: Shape['attributes'], r = 4.5): Shape => {
  const outline = outlineOf(symbol);
  const own = { className: 'picture-mark', ...look };
  return outline === null
    ? shape('circle', { ...own, cx: x, cy: y, r })
    : shape('path', { ...own, d: outline, transform: `translate(${x} ${y}) scale(${r / 4.5})` });
};

/** An entry of a legend. With a symbol it stands for a target, otherwise for an area. */
interface LegendEntry {
  readonly label: string;
  /** Null for an entry that is only text. */
  readonly fill: string | null;
  readonly symbol?: SymbolName;
}

const rowPx = 19;

/** Draws entries side by side, in as many rows as they need. */
export function drawLegend(
  entries: readonly LegendEntry[],
  theme: ChartTheme,
  widthPx: number,
  { padPx = 0, sizePx = smallPx }: { readonly padPx?: number; readonly sizePx?: number } = {},
): Scene {
  let [x, y] = [padPx, rowPx / 2];
  const shapes = entries.flatMap(({ label, fill, symbol }) => {
    const boxPx = fill === null ? 0 : 15;
    const px = boxPx + 2 + textPx(label, sizePx);
    if (x > padPx && x + px > widthPx) [x, y] = [padPx, y + rowPx];
    const box = { x, y: y - 5, width: 10, height: 10, rx: 2, stroke: theme.axis, strokeWidth: 0.5 };
    const own = [
      ...(fill === null
        ? []
        : symbol === undefined
          ? [shape('rect', { className: 'picture-mark', ...box, fill })]
          : [mark(x + 5, y, symbol, { fill })]),
      text(x + boxPx, y, label, { fill: theme.muted, size: sizePx, tone: 'muted' }),
    ];
    x = rounded(x + px + 12);
    return own;
  });
  return { label: '', widthPx, heightPx: y + rowPx / 2, font: theme.font, shapes, hits: [] };
}
