import { fitName, spacedTicks, textPx } from './fit-text.ts';
import { drawLegend } from './marks.ts';
import { joined, rounded, type Scene, type Shape, shape, smallPx, smallWidthPx, text, titled } from './scene.ts';
import type { ChartTheme } from './theme.ts';

/** A part of a whole. */
interface Part {
  readonly label: string;
  /** A share from 0 to 1. */
  readonly share: number;
  readonly text: string;
  readonly fill: string;
  /** The colour of the text in the part. Absent if the part has no text. */
  readonly on?: string;
}

/** Parts are at least this wide, so that they can be seen. */
const leastShare = 0.005;

/** Draws parts side by side, beginning at `x`. */
function stack(
  parts: readonly Part[],
  { x, y, widthPx, heightPx }: Readonly<Record<'x' | 'y' | 'widthPx' | 'heightPx', number>>,
  theme: ChartTheme,
): readonly Shape[] {
  let from = x;
  return parts.flatMap((part) => {
    const px = part.share * widthPx;
    const at = from;
    from += px;
    const box = { x: rounded(at), y, width: rounded(Math.max(1.5, px - 1)), height: heightPx, rx: 2 };
    return [
      shape('rect', { className: 'picture-mark', ...box, fill: part.fill, stroke: theme.axis, strokeWidth: 0.5 }),
      ...(part.on === undefined || textPx(part.text, smallPx) + 6 > px
        ? []
        : [text(at + px / 2, y + heightPx / 2, part.text, { fill: part.on, size: smallPx, anchor: 'middle' })]),
    ];
  });
}

const spokenParts = (parts: readonly Part[]): string => parts.map((part) => `${part.label} ${part.text}`).join(', ');

/** Draws a whole as one bar, with the name and share of each part below it. */
export function drawParts(title: string, all: readonly Part[], theme: ChartTheme, widthPx = smallWidthPx): Scene {
  const parts = all.filter(({ share }) => share >= leastShare);
  const label = `${title}: ${spokenParts(parts)}`;
  const bar = {
    ...{ label, widthPx, heightPx: 25, font: theme.font, hits: [] },
    shapes: stack(parts, { x: 0, y: 0, widthPx, heightPx: 20 }, theme),
  };
  const names = parts.map(({ label: name, text: share, fill }) => ({ label: `${name} ${share}`, fill }));
  return titled(title, joined(label, [bar, drawLegend(names, theme, widthPx)], 'below'), theme);
}

interface Stacks {
  readonly label: string;
  /** The legend of the parts. */
  readonly legend: readonly { readonly label: string; readonly fill: string }[];
  readonly rows: readonly { readonly name: string; readonly parts: readonly Part[]; readonly end?: string }[];
  readonly tick: (share: number) => string;
}

const padPx = 16;
const [rowPx, barPx] = [24, 16];
const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Draws bars one below the other. The parts of a bar add up to at most 1. */
export function drawStacks({ label, legend, rows, tick }: Stacks, theme: ChartTheme, widthPx: number): Scene {
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((one) => textPx(one, smallPx)));
  const left = padPx + Math.min(320, 12 + longest(rows.map(({ name }) => name)));
  const ends = longest(rows.map(({ end }) => end ?? ''));
  const plotPx = Math.max(60, widthPx - left - padPx - (ends > 0 ? ends + 8 : textPx(tick(1), smallPx) / 2));
  const x = (share: number) => left + share * plotPx;
  const bottom = 8 + rows.length * rowPx;
  const small = { fill: theme.text, size: smallPx } as const;
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const bars = {
    ...{ label, widthPx, heightPx: bottom + 30, font: theme.font },
    shapes: [
      ...ticks.map((share) =>
        shape('line', { className: 'picture-grid', x1: x(share), x2: x(share), y1: 4, y2: bottom, stroke: theme.grid }),
      ),
      ...spacedTicks(ticks, x, tick, { fontPx: smallPx, gapPx: 10 }).map((share) =>
        text(x(share), bottom + 12, tick(share), { ...muted, anchor: 'middle' }),
      ),
      ...rows.flatMap(({ name, parts, end }, row) => {
        const y = 8 + row * rowPx;
        return [
          text(left - 8, y + rowPx / 2, fitName(name, left - padPx - 8, smallPx), { ...small, anchor: 'end' }),
          ...stack(parts, { x: left, y: y + (rowPx - barPx) / 2, widthPx: plotPx, heightPx: barPx }, theme),
          ...(end === undefined ? [] : [text(x(1) + 8, y + rowPx / 2, end, small)]),
        ];
      }),
    ],
    hits: rows.map(({ name, parts, end }, row) => ({
      ...{ row, spoken: `${name}: ${spokenParts(parts)}${end === undefined ? '' : `; ${end}`}` },
      ...{ xPx: 4, yPx: 8 + row * rowPx, widthPx: widthPx - 8, heightPx: rowPx },
    })),
  };
  return joined(label, [drawLegend(legend, theme, widthPx, { padPx }), bars], 'below');
}
