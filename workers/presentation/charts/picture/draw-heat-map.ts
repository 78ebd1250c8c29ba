import { digitsWithin, formatRatio } from '#model/format/format.ts';
import { fitLevels, fitName, fitText, textPx, wrapText } from '../kit/fit-text.ts';
import type { Bounded } from '../kit/scale.ts';
import { exactly, scaleOf } from '../kit/scale.ts';
import { fontPx, joined, type Scene, type Shape, shape, smallPx, text } from '../kit/scene.ts';
import { type ChartTheme, colourOf } from '../kit/theme.ts';
import type { HeatGrid, PictureCell } from './picture-rows.ts';

interface HeatMap {
  readonly label: string;
  readonly grids: readonly HeatGrid[];
  readonly show: 'value' | 'ratio';
  /** Determines the texts at the two ends of the scale. */
  readonly higherIsBetter: boolean;
}

const padPx = 16;
const gapPx = 3;
const titlePx = 30;
/** The most lines of a column's name, and the height of each line. */
const mostHeadLines = 4;
const headLinePx = 15;
/** The least width for a number, and the greatest useful width of a cell. */
const [leastCellPx, mostCellPx] = [46, 200];
/** Cells of this width show both value and ratio. */
const twoLinesPx = 84;
const scalePx = 34;

/** Draws tables whose better cells are darker. All tables share one log scale. */
export function drawHeatMap(
  { label, grids, show, higherIsBetter }: HeatMap,
  theme: ChartTheme,
  widthPx: number,
): Scene {
  const cells = grids.flatMap(({ rows }) => rows.flatMap((row) => row.cells.flatMap((cell) => cell ?? [])));
  const values = cells.flatMap(({ drawn, isApart }) => (drawn === null || isApart ? [] : [drawn.value]));
  const scale = scaleOf(exactly(values), 'log');
  const [from, to] = [scale.shareOf(Math.min(...values)), scale.shareOf(Math.max(...values))];
  const shareOf = (value: number) => {
    const share = to > from ? (scale.shareOf(value) - from) / (to - from) : 1;
    return higherIsBetter ? share : 1 - share;
  };
  const drawn = grids.map((grid) => drawGrid(grid, { show, shareOf, theme, widthPx, label }));
  const width = Math.max(...drawn.map((one) => one.widthPx));
  const hasDoubts = cells.some(({ drawn, isApart, doubts }) => drawn !== null && !isApart && doubts.length > 0);
  return joined(label, [...drawn, drawScale(higherIsBetter, hasDoubts, theme, width)], 'below');
}

interface GridLook {
  readonly label: string;
  readonly show: 'value' | 'ratio';
  readonly shareOf: (value: number) => number;
  readonly theme: ChartTheme;
  readonly widthPx: number;
}

function drawGrid({ title, index, corner, columns, rows }: HeatGrid, look: GridLook): Scene {
  const { label, show, shareOf, theme, widthPx } = look;
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((one) => textPx(one, fontPx)));
  const headPx = Math.min(Math.max(widthPx * 0.3, 140), 16 + longest([corner, ...rows.map((row) => row.label)]));
  const cellPx = Math.min(mostCellPx, Math.max(leastCellPx, (widthPx - 2 * padPx - headPx) / columns.length));
  const isBaselineColumn = (c: number) => isOnlyBaseline(rows.map(({ cells }) => cells[c] ?? null));
  const isBaseline = isOnlyBaseline(rows.flatMap(({ cells }) => cells));
  const names = columns.map(({ label: name }, c) => (isBaselineColumn(c) && !isBaseline ? `${name}, baseline` : name));
  const namePx = longest(names) + 16;
  const wrapped = names.map((name) =>
    namePx <= cellPx ? [name] : wrapText(name, cellPx - 10, smallPx, mostHeadLines),
  );
  const isUpright = wrapped.some((lines, c) => lines.join(' ') !== names[c]);
  // The dot of a target stands before a name of one line, and on a line of its own below longer names.
  const dotLines = namePx > cellPx && columns.some(({ index: own }) => own !== null) ? 1 : 0;
  const headLines = dotLines + Math.max(1, ...wrapped.map(({ length }) => length));
  const topPx = isUpright ? Math.min(190, namePx + 8) : 11 + headLines * headLinePx;
  const hasTwoLines = cellPx >= twoLinesPx && rows.length <= 24;
  const rowPx = hasTwoLines ? 42 : 28;
  const titled = title === null ? 0 : titlePx;
  const left = padPx + headPx;
  const top = titled + topPx;
  const ink = { fill: theme.text };
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const dot = (colour: number | null): readonly Shape[] =>
    colour === null ? [] : [shape('tspan', { fill: colourOf(theme, colour) }, '● ')];
  const heads = columns.flatMap((column, c) => {
    const x = left + (c + 0.5) * cellPx;
    if (isUpright) {
      const words = [...dot(column.index), fitName(names[c]!, topPx - 20, smallPx)];
      return [shape('g', { transform: `translate(${x} ${top - 8}) rotate(-90)` }, text(0, 0, words, muted))];
    }
    const lines = wrapped[c]!.map((line): readonly (Shape | string)[] => [line]);
    const below = dotLines === 0 ? [[...dot(column.index), ...lines[0]!]] : [...lines, dot(column.index)];
    return below.map((line, l) =>
      text(x, top - 12 - (below.length - 1 - l) * headLinePx, line, { ...muted, anchor: 'middle' }),
    );
  });
  const boxes = rows.flatMap(({ label: name, index: own, cells }, r) => {
    const y = top + r * rowPx;
    const head = text(padPx, y + rowPx / 2, [...dot(own), fitLevels(name, headPx - 10, fontPx)], ink);
    return [
      head,
      ...cells.flatMap((cell, c): readonly Shape[] => {
        if (cell === null) return [];
        const place = { x: left + c * cellPx, y, width: cellPx - gapPx, height: rowPx - gapPx, rx: 4 };
        const [x, middle] = [place.x + place.width / 2, y + place.height / 2];
        if (cell.drawn === null || cell.isApart)
          return [
            shape('rect', {
              ...place,
              className: 'picture-empty',
              fill: 'none',
              stroke: theme.grid,
              strokeDasharray: '3 3',
            }),
            ...(cell.isApart && hasTwoLines
              ? [
                  text(x, middle - 8, cell.valueText, { ...muted, anchor: 'middle' }),
                  text(x, middle + 9, fitText(cell.ratioText, place.width - 8, smallPx), {
                    ...muted,
                    anchor: 'middle',
                  }),
                ]
              : [text(x, middle, '–', { ...muted, anchor: 'middle' })]),
          ];
        const { fill, text: on } = theme.heat[Math.round(shareOf(cell.drawn.value) * (theme.heat.length - 1))]!;
        const [main, aside] =
          show === 'value'
            ? [cell.valueText, cell.ratioText]
            : [ratioWithin(cell, cell.drawn, cellPx - gapPx), cell.valueText];
        const middleText = { fill: on, anchor: 'middle' } as const;
        // The title of a table or column of baselines marks all of its cells at once.
        const hasAside = hasTwoLines && !(show === 'value' && cell.isBaseline && (isBaseline || isBaselineColumn(c)));
        return [
          shape('rect', { ...place, className: 'picture-heat', fill }),
          text(x, hasAside ? middle - 8 : middle, main, { ...middleText, weight: 600 }),
          ...(hasAside ? [text(x, middle + 9, aside, { ...middleText, size: smallPx })] : []),
          ...(cell.doubts.length === 0 ? [] : [doubtMark(place.x + place.width, y, on, cell.doubts)]),
        ];
      }),
    ];
  });
  const hits = rows.flatMap(({ cells }, row) =>
    cells.flatMap((cell, column) =>
      cell === null
        ? []
        : [
            {
              ...{ row, cell, spoken: spokenCell(cell) },
              ...{ xPx: left + column * cellPx, yPx: top + row * rowPx },
              ...{ widthPx: cellPx - gapPx, heightPx: rowPx - gapPx },
            },
          ],
    ),
  );
  return {
    label: title === null ? label : `${label}: ${title}`,
    widthPx: Math.max(widthPx, left + columns.length * cellPx + padPx),
    heightPx: top + rows.length * rowPx + 12,
    font: theme.font,
    shapes: [
      ...(title === null
        ? []
        : [text(padPx, 15, [...dot(index), isBaseline ? `${title}, baseline` : title], { ...ink, weight: 600 })]),
      text(padPx, top - 12, fitText(corner, headPx - 10, smallPx), muted),
      ...heads,
      ...boxes,
    ],
    hits,
  };
}

/** True if every cell that has a value is its own baseline. */
function isOnlyBaseline(cells: readonly (PictureCell | null)[]): boolean {
  const drawn = cells.filter((cell) => cell?.drawn);
  return drawn.length > 0 && drawn.every((cell) => cell?.isBaseline);
}

/** Returns the text of a ratio, or its number if the text has no room. */
const ratioWithin = ({ ratioText }: PictureCell, ratio: Bounded, widthPx: number): string =>
  textPx(ratioText, fontPx) > widthPx ? formatRatio(ratio.value, digitsWithin(ratio)) : ratioText;

/** Draws a folded corner, which marks a number that has a caveat. `right` and `top` are those of the cell. */
const doubtMark = (right: number, top: number, fill: string, doubts: readonly string[]): Shape =>
  shape(
    'path',
    { className: 'picture-doubt', d: `M${right - 13} ${top + 3}h10v10z`, fill },
    shape('title', {}, doubts.join('; ')),
  );

const spokenCell = ({ label, target, valueText, ratioText, why, doubts }: PictureCell): string =>
  `${label} on ${target}: ${why === '' ? [valueText, ratioText, ...doubts].filter((one) => one !== '').join(', ') : why}`;

/** The legend of the colours. */
function drawScale(higherIsBetter: boolean, hasDoubts: boolean, theme: ChartTheme, widthPx: number): Scene {
  const [worst, best] = higherIsBetter ? ['slowest', 'fastest'] : ['highest', 'lowest'];
  const stepPx = 14;
  const middle = 14;
  const look = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const left = padPx + textPx(worst, smallPx) + 12;
  const words = `${best}, log scale`;
  const end = left + theme.heat.length * stepPx + 6;
  const steps = theme.heat.map(({ fill }, i) =>
    shape('rect', {
      className: 'picture-heat',
      x: left + i * stepPx,
      y: middle - 6,
      width: stepPx - 1,
      height: 12,
      fill,
    }),
  );
  return {
    ...{ label: '', widthPx, heightPx: scalePx, font: theme.font, hits: [] },
    shapes: [
      text(padPx, middle, worst, look),
      ...steps,
      text(end, middle, words, look),
      ...(hasDoubts
        ? [
            doubtMark(end + textPx(words, smallPx) + 34, middle - 8, theme.text, ['Read with care']),
            text(end + textPx(words, smallPx) + 38, middle, 'read with care: see the details of the cell', look),
          ]
        : []),
    ],
  };
}
