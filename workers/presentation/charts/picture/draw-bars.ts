import { drawRows, type Row } from '../kit/rows.ts';
import { exactly, scaleOf } from '../kit/scale.ts';
import type { Scene } from '../kit/scene.ts';
import { type ChartTheme, colourOf } from '../kit/theme.ts';
import type { CellGroup, PictureCell } from './picture-rows.ts';

interface Bars {
  readonly label: string;
  readonly groups: readonly CellGroup[];
  readonly show: 'value' | 'ratio';
  /** Names each row by its variant, by its target, or by both. */
  readonly rowsAre: 'variants' | 'targets' | 'both';
  readonly axisName: string;
  readonly tick: (value: number) => string;
}

const clientBound = 'client-bound: a lower limit';

/** Draws the cells of a run as rows. On a log axis bars begin at the baseline, so that their length is the ratio. */
export function drawBars(
  { label, groups, show, rowsAre, axisName, tick }: Bars,
  theme: ChartTheme,
  widthPx: number,
): Scene {
  const cells = groups.flatMap((group) => group.cells);
  const scale = scaleOf(
    cells.flatMap(({ drawn, outliers, published }) => [
      ...(drawn === null ? [] : [drawn]),
      ...exactly([...outliers, ...published.map(({ value }) => value)]),
    ]),
  );
  const baselines = cells.flatMap(({ isBaseline, drawn }) => (isBaseline && drawn !== null ? drawn.value : []));
  const rowOf = (cell: PictureCell): Row => ({
    ...(rowsAre === 'targets' ? { name: '' } : { name: cell.label }),
    ...(rowsAre !== 'variants' && { target: cell.target }),
    colour: colourOf(theme, cell.index),
    ...{ drawn: cell.drawn, outliers: cell.outliers, published: cell.published },
    ...(show === 'value'
      ? { end: cell.valueText, side: cell.ratioText }
      : { end: cell.ratioText, side: cell.valueText }),
    remark: cell.drawn === null ? cell.why || 'No baseline to compare with.' : cell.isClientBound ? clientBound : '',
    isSideMuted: cell.isBaseline || cell.isApart,
    ...(cell.isApart ? { look: 'outline' } : cell.isClientBound && { look: 'hollow' }),
    ...{ spoken: spokenBar(cell), cell },
  });
  return drawRows(
    {
      ...{ label, scale, axis: { name: axisName, tick } },
      groups: groups.map(({ title, index, cells: own }) => ({
        ...{ title, colour: index === null ? null : colourOf(theme, index), rows: own.map(rowOf) },
      })),
      origin: show === 'ratio' ? 1 : baselines.length === 1 ? baselines[0]! : null,
    },
    theme,
    widthPx,
  );
}

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
