import { fitLevels, fitText, spacedTicks, textPx } from '../kit/fit-text.ts';
import { scaleOf } from '../kit/scale.ts';
import { fontPx, type Hit, type Scene, type Shape, shape, smallPx, text } from '../kit/scene.ts';
import { type ChartTheme, colourOf } from '../kit/theme.ts';
import type { CellGroup, PictureCell } from './picture-rows.ts';

interface Bars {
  readonly label: string;
  readonly groups: readonly CellGroup[];
  readonly show: 'value' | 'ratio';
  /** Names each row by its variant, its target or both. */
  readonly rowsAre: 'variants' | 'targets' | 'both';
  readonly axisName: string;
  readonly tick: (value: number) => string;
}

const padPx = 16;
const headPx = 30;
const axisPx = 40;
/** The most rows that stand wide apart; more of them stand closer together. */
const mostWide = 18;
const clientBound = 'client-bound: a lower limit';

/**
 * Horizontal bars with the whiskers of their intervals, the value at the end and the ratio at the right. Bars begin at
 * zero; on a log axis, which has none, at the baseline, so that their length is the ratio; without one they are dots.
 */
export function drawBars(
  { label, groups, show, rowsAre, axisName, tick }: Bars,
  theme: ChartTheme,
  widthPx: number,
): Scene {
  const cells = groups.flatMap((group) => group.cells);
  const scale = scaleOf(
    cells.flatMap(({ drawn, outliers, published }) => [
      ...(drawn === null ? [] : [drawn]),
      ...[...outliers, ...published.map(({ value }) => value)].map((value) => ({ value, low: null, high: null })),
    ]),
  );
  const baselines = cells.filter(({ isBaseline, drawn }) => isBaseline && drawn !== null);
  const origin = show === 'ratio' ? 1 : baselines.length === 1 ? baselines[0]!.drawn!.value : null;
  const isDense = cells.length > mostWide;
  const [rowPx, barPx] = isDense ? [24, 14] : [36, 22];
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((one) => textPx(one, fontPx)));
  const namesPx = Math.max(widthPx * 0.52, 300);
  const variantPx = rowsAre === 'targets' ? 0 : Math.min(namesPx * 0.6, 12 + longest(cells.map((cell) => cell.label)));
  const targetPx =
    rowsAre === 'variants'
      ? 0
      : Math.min(namesPx * 0.6, namesPx - variantPx, 30 + longest(cells.map(({ target }) => target)));
  const endText = (cell: PictureCell) => (show === 'value' ? cell.valueText : cell.ratioText);
  const sideText = (cell: PictureCell) => (show === 'value' ? cell.ratioText : cell.valueText);
  const endPx =
    14 +
    longest(cells.map(endText)) +
    (cells.some(({ isClientBound }) => isClientBound) ? textPx(clientBound, smallPx) + 8 : 0);
  const sidePx = 12 + longest(cells.map(sideText));
  const left = padPx + variantPx + targetPx;
  const plotPx = Math.max(60, widthPx - padPx - sidePx - endPx - left);
  const x = (value: number) => left + scale.shareOf(value) * plotPx;
  const from = scale.isLog ? origin : 0;

  let [y, row] = [4, 0];
  const marks: Shape[] = [];
  const hits: Hit[] = [];
  for (const { title, index, cells: own } of groups) {
    if (title !== null) {
      const dot = index === null ? [] : [shape('tspan', { fill: colourOf(theme, index) }, '● ')];
      marks.push(text(padPx, y + 17, [...dot, title], { fill: theme.text, weight: 600 }));
      y += headPx;
    }
    for (const cell of own) {
      const middle = y + rowPx / 2;
      const ink = { fill: theme.text };
      const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
      const end =
        cell.drawn === null
          ? left - 4
          : Math.max(
              x(
                Math.max(
                  cell.drawn.value,
                  cell.drawn.high ?? 0,
                  ...cell.outliers,
                  ...cell.published.map(({ value }) => value),
                ),
              ),
              from === null ? 0 : x(from),
            );
      if (variantPx > 0) marks.push(text(padPx, middle, fitLevels(cell.label, variantPx - 8, fontPx), ink));
      if (targetPx > 0)
        marks.push(
          shape('circle', {
            ...{ className: 'picture-mark', cx: padPx + variantPx + 6, cy: middle, r: 4.5 },
            fill: colourOf(theme, cell.index),
          }),
          text(padPx + variantPx + 17, middle, fitText(cell.target, targetPx - 26, smallPx), muted),
        );
      marks.push(
        ...markOf(cell, { middle, barPx, x, holds: scale.holds, from: from === null ? null : x(from), theme }),
        text(
          end + 10,
          middle,
          [
            shape('tspan', { fontWeight: 600 }, endText(cell)),
            ...(cell.isClientBound ? [aside(clientBound, theme)] : []),
            ...(cell.drawn === null
              ? [aside(fitText(cell.why || 'No baseline to compare with.', plotPx + endPx, smallPx), theme)]
              : []),
          ],
          ink,
        ),
        text(widthPx - padPx, middle, sideText(cell), {
          ...(cell.isBaseline || cell.isApart
            ? { fill: theme.muted, tone: 'muted' }
            : { fill: theme.text, weight: 600 }),
          anchor: 'end',
        }),
      );
      hits.push({
        ...{ row, cell, spoken: spokenBar(cell) },
        ...{ xPx: 4, yPx: y, widthPx: widthPx - 8, heightPx: rowPx },
      });
      y += rowPx;
      row += 1;
    }
  }
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const ticks = spacedTicks(scale.ticks, x, tick, { fontPx: smallPx, gapPx: 10 });
  // An axis of no values has no numbers to show: each row says why it has none.
  const isEmpty = cells.every(({ drawn }) => drawn === null);
  const axis = isEmpty
    ? []
    : [
        ...scale.ticks.map((value) =>
          shape('line', { className: 'picture-grid', x1: x(value), x2: x(value), y1: 0, y2: y, stroke: theme.grid }),
        ),
        ...ticks.map((value) => text(x(value), y + 11, tick(value), { ...muted, anchor: 'middle' })),
        text(left, y + 29, `${axisName}${scale.isLog ? `, log axis: ${logAxisText(from)}` : ''}`, muted),
      ];
  const one =
    from === null || !scale.isLog
      ? []
      : [shape('line', { className: 'picture-one', x1: x(from), x2: x(from), y1: 0, y2: y, stroke: theme.axis })];
  return {
    label,
    widthPx,
    heightPx: y + (isEmpty ? padPx : axisPx),
    font: theme.font,
    shapes: [...axis, ...one, ...marks],
    hits,
  };
}

const logAxisText = (from: number | null): string =>
  from === null ? 'equal distances are equal ratios' : 'bars begin at the baseline, their length is the ratio';

const aside = (words: string, theme: ChartTheme): Shape =>
  shape('tspan', { className: 'picture-muted', dx: 8, fontSize: smallPx, fill: theme.muted }, words);

function spokenBar(cell: PictureCell): string {
  const { label, target, valueText, ratioText, isBaseline, isClientBound, published, doubts, why } = cell;
  const compared = cell.isApart ? ratioText : `${ratioText}, compared with the baseline`;
  const ratio = isBaseline ? ', the baseline' : ratioText === '' ? '' : `, ${compared}`;
  const bound = isClientBound ? `, ${clientBound}` : '';
  const care = doubts
    .filter((one) => one !== 'Client-bound')
    .map((one) => `, ${one.toLowerCase()}`)
    .join('');
  const told = published.map(({ text: words }) => `, ${words}`).join('');
  return `${label} on ${target}: ${why === '' ? `${valueText}${ratio}${bound}${told}${care}` : why}`;
}

interface Mark {
  readonly middle: number;
  readonly barPx: number;
  readonly x: (value: number) => number;
  /** True if the axis reaches the value. */
  readonly holds: (value: number) => boolean;
  /** The value at which bars begin; null for dots. */
  readonly from: number | null;
  readonly theme: ChartTheme;
}

/**
 * A bar or a dot, and its whiskers; hollow where the client was saturated, and an outline without a colour where it is
 * compared with nothing.
 */
function markOf(
  { drawn, index, isApart, isClientBound, outliers, published }: PictureCell,
  { middle, barPx, x, holds, from, theme }: Mark,
): readonly Shape[] {
  if (drawn === null) return [];
  const colour = colourOf(theme, index);
  const look = isApart
    ? { fill: 'none', stroke: theme.muted, strokeWidth: 1.2, strokeDasharray: '3 3' }
    : isClientBound
      ? { fill: colour, fillOpacity: 0.16, stroke: colour, strokeWidth: 1.5 }
      : { fill: colour, stroke: 'none' };
  const [low, high, at] = [x(drawn.low ?? drawn.value), x(drawn.high ?? drawn.value), x(drawn.value)];
  const mark =
    from === null
      ? shape('circle', { className: 'picture-mark', cx: at, cy: middle, r: 5.5, ...look })
      : shape('rect', {
          ...{ className: 'picture-mark', x: Math.min(from, at), y: middle - barPx / 2 },
          ...{ width: Math.max(1.5, Math.abs(at - from)), height: barPx, rx: 2, ...look },
        });
  const crosses = outliers.map((value) =>
    shape('path', {
      ...{ className: 'picture-whisker', stroke: theme.text, strokeWidth: 1.4, fill: 'none' },
      d: `M${x(value) - 3} ${middle - 3}l6 6m0 -6l-6 6`,
    }),
  );
  const ticks = published.map(({ value, text: words }) =>
    shape(
      'line',
      {
        ...{
          className: 'picture-limit',
          x1: x(value),
          x2: x(value),
          y1: middle - barPx / 2 - 4,
          y2: middle + barPx / 2 + 4,
        },
        ...{ stroke: theme.text, strokeWidth: 1.5, strokeDasharray: '3 2' },
      },
      shape('title', {}, words),
    ),
  );
  if (drawn.low === null) return [mark, ...crosses, ...ticks];
  const whisker = shape('path', {
    className: 'picture-whisker',
    d: `M${low} ${middle}H${high}${whiskerEnd(low, middle, holds(drawn.low), -1)}${whiskerEnd(high, middle, drawn.high === null || holds(drawn.high), 1)}`,
    ...{ stroke: theme.text, strokeWidth: 1.4, strokeOpacity: 0.75, fill: 'none' },
  });
  return [mark, whisker, ...crosses, ...ticks];
}

/** A cap; an arrowhead where the interval goes on beyond the axis. `side`: 1 at its upper end, −1 at the lower one. */
const whiskerEnd = (x: number, y: number, isHeld: boolean, side: 1 | -1): string =>
  isHeld ? `M${x} ${y - 4}v8` : `M${x - 6 * side} ${y - 4}L${x} ${y}L${x - 6 * side} ${y + 4}`;
