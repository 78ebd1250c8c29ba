import { fitText, wrapText } from '../kit/fit-text.ts';
import { type Scene, type Shape, shape, smallPx, smallWidthPx, text, titled } from '../kit/scene.ts';
import type { ChartTheme } from '../kit/theme.ts';

// Small drawings beside a finding that arrange words: plans as trees, settings as a matrix.

const widthPx = smallWidthPx;
const [rowPx, linePx, indentPx] = [22, 16, 12];

/** Lines of a tree, with the indent of each line. */
interface Tree {
  readonly label: string;
  readonly lines: readonly { readonly depth: number; readonly text: string; readonly isMarked: boolean }[];
}

/** Draws trees side by side. A bar of the target's colour stands before each marked line. */
export function drawTrees(title: string, trees: readonly Tree[], colour: string, theme: ChartTheme): Scene {
  const columnPx = widthPx / trees.length;
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const shapes = trees.flatMap(({ label, lines }, t): readonly Shape[] => [
    text(t * columnPx, 8, fitText(label, columnPx - 8, smallPx), muted),
    ...lines.flatMap((line, i): readonly Shape[] => {
      const x = t * columnPx + 8 + line.depth * indentPx;
      const y = 20 + (i + 0.5) * rowPx;
      return [
        shape('rect', {
          ...{ className: 'picture-mark', x: x - 8, y: y - 8, width: 3, height: 16 },
          fill: line.isMarked ? colour : theme.grid,
        }),
        text(x, y, fitText(line.text, (t + 1) * columnPx - x - 8, smallPx), {
          ...{ fill: theme.text, size: smallPx },
          weight: line.isMarked ? 600 : 400,
        }),
      ];
    }),
  ]);
  const most = Math.max(0, ...trees.map(({ lines }) => lines.length));
  const spoken = trees.map(({ label, lines }) => `${label}: ${lines.map((line) => line.text).join(', ')}`).join('; ');
  const heightPx = 26 + most * rowPx;
  return titled(title, { label: `${title}: ${spoken}`, widthPx, heightPx, font: theme.font, shapes, hits: [] }, theme);
}

/** Draws rows of text under column titles. Each column has its target's colour. */
export function drawMatrix(
  title: string,
  columns: readonly { readonly label: string; readonly fill: string }[],
  rows: readonly { readonly label: string; readonly cells: readonly string[] }[],
  theme: ChartTheme,
): Scene {
  const headPx = widthPx * 0.26;
  const cellPx = (widthPx - headPx) / columns.length;
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const heads = columns.map(({ label, fill }, c) =>
    text(headPx + c * cellPx, 8, [shape('tspan', { fill }, '● '), fitText(label, cellPx - 22, smallPx)], muted),
  );
  const wrapped = rows.map(({ label, cells }) => [
    wrapText(label, headPx - 8, smallPx),
    ...cells.map((words) => wrapText(words, cellPx - 8, smallPx)),
  ]);
  let bottom = 20;
  const lines = wrapped.flatMap((cells): readonly Shape[] => {
    const top = bottom;
    bottom += rowPx + (Math.max(...cells.map(({ length }) => length)) - 1) * linePx;
    return [
      shape('line', { className: 'picture-grid', x1: 0, x2: widthPx, y1: top, y2: top, stroke: theme.grid }),
      ...cells.flatMap((words, c) =>
        words.map((line, i) =>
          text(c === 0 ? 0 : headPx + (c - 1) * cellPx, top + rowPx / 2 + i * linePx, line, {
            ...(c === 0 ? muted : { fill: theme.text, size: smallPx }),
          }),
        ),
      ),
    ];
  });
  const spoken = rows
    .map(({ label, cells }) => `${label} ${cells.map((words, c) => `${columns[c]!.label} ${words}`).join(', ')}`)
    .join('; ');
  const drawn = { widthPx, heightPx: bottom + 8, font: theme.font, shapes: [...heads, ...lines], hits: [] };
  return titled(title, { label: `${title}: ${spoken}`, ...drawn }, theme);
}
