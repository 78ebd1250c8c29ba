import type { Finding } from '#analysis/findings/find-findings.ts';
import type { Mark, Series, Tone } from '#analysis/findings/shared/picture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatNumber, formatShort } from '#model/format/format.ts';
import { drawParts } from '../kit/parts.ts';
import type { Scene } from '../kit/scene.ts';
import { type ChartTheme, colourOf } from '../kit/theme.ts';
import { drawAmounts, drawCurve } from './draw-small.ts';
import { drawMatrix, drawTrees } from './draw-words.ts';

/** Draws the picture of a finding. Null if the finding has no picture. */
export function findingPicture({ plan }: RunModel, { lead }: Finding, theme: ChartTheme): Scene | null {
  const { picture, cell } = lead;
  const colourOfTarget = (target: string | undefined) =>
    colourOf(theme, plan.targets.find(({ name }) => name === target)?.index ?? 0);
  const colour = colourOfTarget(cell?.target);
  const filled = (marks: readonly Mark[]) => marks.map((mark) => ({ ...mark, fill: fillOf(mark.tone, colour, theme) }));
  switch (picture?.kind) {
    case undefined:
      return null;
    case 'parts':
      return drawParts(
        picture.title,
        filled(picture.marks).map((mark) => ({ ...mark, share: mark.value })),
        theme,
      );
    case 'bars':
      return drawAmounts(picture.title, filled(picture.marks), theme);
    case 'series':
      return drawCurve({ ...picture, ...axisOf(picture), colour }, theme);
    case 'trees':
      return drawTrees(picture.title, picture.trees, colour, theme);
    case 'words':
      return drawMatrix(
        picture.title,
        picture.targets.map((label) => ({ label, fill: colourOfTarget(label) })),
        picture.rows,
        theme,
      );
  }
}

function fillOf(tone: Tone, colour: string, theme: ChartTheme): string {
  if (typeof tone === 'object') return 'part' in tone ? theme.parts[tone.part].fill : theme.classes[tone.class];
  return { own: colour, other: theme.muted, rest: theme.grid }[tone];
}

const ticks: Readonly<Record<Series['over'], (x: number) => string>> = {
  connections: formatCount,
  time: (ms) => `${formatNumber(ms / 1_000, 3)}\u00a0s`,
  'rows done': formatShort,
};

/** Loads are few and far apart, so they are points. Seconds and rows form a line. */
const axisOf = ({ over, points }: Series) => ({
  xName: over,
  xTick: ticks[over],
  isLogX: over === 'connections' && points.at(-1)!.x >= 8,
  hasDots: over === 'connections',
});
