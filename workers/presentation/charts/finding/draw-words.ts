import { fitName, fitText, textPx, wrapText } from '../kit/fit-text.ts';
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

/** The most targets with a column each. More targets have a row each, so that their names and values have room. */
const mostColumns = 3;

interface MatrixTarget {
  readonly label: string;
  readonly fill: string;
}
/** `cells` are in the order of the targets. */
interface MatrixSetting {
  readonly label: string;
  readonly cells: readonly string[];
}

/** Draws the value of each setting for each target. Each target has its colour. */
export function drawMatrix(
  title: string,
  targets: readonly MatrixTarget[],
  settings: readonly MatrixSetting[],
  theme: ChartTheme,
): Scene {
  const named = targets.map(({ label, fill }) => ({ label, dot: [shape('tspan', { fill }, '● ')] }));
  const plain = settings.map(({ label }) => ({ label, dot: [] }));
  const isTurned = targets.length > mostColumns;
  const [columns, rows] = isTurned ? [plain, named] : [named, plain];
  const wordsOf = (row: number, column: number) =>
    isTurned ? settings[column]!.cells[row]! : settings[row]!.cells[column]!;
  // The names of settings are single words, which cannot be broken.
  const longestPx = Math.max(...rows.map(({ label }) => textPx(label, smallPx) + (isTurned ? 22 : 8)));
  const headPx = Math.min(widthPx * 0.42, Math.max(widthPx * 0.26, longestPx));
  const cellPx = (widthPx - headPx) / columns.length;
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const headLines = columns.map(({ label, dot }) =>
    dot.length > 0 ? [fitText(label, cellPx - 22, smallPx)] : wrapText(label, cellPx - 8, smallPx),
  );
  const heads = columns.flatMap(({ dot }, c) =>
    headLines[c]!.map((line, i) => text(headPx + c * cellPx, 8 + i * linePx, [...(i === 0 ? dot : []), line], muted)),
  );
  let bottom = 20 + (Math.max(1, ...headLines.map(({ length }) => length)) - 1) * linePx;
  const lines = rows.flatMap(({ label, dot }, row): readonly Shape[] => {
    const name = dot.length > 0 ? [fitName(label, headPx - 22, smallPx)] : wrapText(label, headPx - 8, smallPx);
    const cells = [name, ...columns.map((_, column) => wrapText(wordsOf(row, column), cellPx - 8, smallPx))];
    const top = bottom;
    bottom += rowPx + (Math.max(...cells.map(({ length }) => length)) - 1) * linePx;
    return [
      shape('line', { className: 'picture-grid', x1: 0, x2: widthPx, y1: top, y2: top, stroke: theme.grid }),
      ...cells.flatMap((words, c) =>
        words.map((line, i) => {
          const x = c === 0 ? 0 : headPx + (c - 1) * cellPx;
          const look = c === 0 ? muted : { fill: theme.text, size: smallPx };
          return text(x, top + rowPx / 2 + i * linePx, [...(c === 0 && i === 0 ? dot : []), line], look);
        }),
      ),
    ];
  });
  const spoken = settings
    .map(({ label, cells }) => `${label} ${cells.map((words, t) => `${targets[t]!.label} ${words}`).join(', ')}`)
    .join('; ');
  const drawn = { widthPx, heightPx: bottom + 8, font: theme.font, shapes: [...heads, ...lines], hits: [] };
  return titled(title, { label: `${title}: ${spoken}`, ...drawn }, theme);
}
