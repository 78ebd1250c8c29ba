import type { PlannedTarget } from '#contract/plan.ts';
import type { RunModel } from '../model.ts';
import { chosenTargets, findCell } from './select.ts';
import { numericFactors } from './sweep-chart.ts';
import { type ChartTheme, colourOf } from './theme.ts';

const widthPx = 360;
const heightPx = 132;
const plot = { left: 14, right: 14, top: 12, bottom: 28 } as const;
/** A line needs as many levels to have a shape. */
const leastLevels = 4;
/** Beyond this ratio, bars that begin at zero would hide the small ones. */
const logBeyond = 20;

type Values = readonly { readonly target: PlannedTarget; readonly values: readonly (number | null)[] }[];

/**
 * A run's throughput as a small picture, SVG text: a line for each target over the levels of a sweep, else bars, the variants one after the
 * other. Without axes and numbers: it shows a shape, and names what has which colour. Null where nothing was measured.
 */
export function thumbnail(model: RunModel, theme: ChartTheme): string | null {
  const factor = numericFactors(model).find(
    (name) => new Set(model.plan.variants.map(({ levels }) => levels[name])).size >= leastLevels,
  );
  const [first] = model.plan.variants;
  // One curve a target: the others are of other levels of the other factors.
  const variants =
    factor === undefined
      ? model.plan.variants
      : model.plan.variants
          .filter(({ levels }) =>
            Object.entries(levels).every(([name, level]) => name === factor || level === first?.levels[name]),
          )
          .toSorted((a, b) => Number(a.levels[factor]) - Number(b.levels[factor]));
  const all: Values = chosenTargets(model, {}).map((target) => ({
    target,
    values: variants.map(({ id }) => findCell(model, id, target.name)?.rowsPerSecond?.value ?? null),
  }));
  const shown = all.filter(({ values }) => values.some((value) => value !== null && value > 0));
  if (shown.length === 0) return null;
  const height = scaleOf(shown);
  const body = factor === undefined ? bars(shown, height, theme) : lines(shown, height, theme);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${heightPx}" font-family="${theme.font}" font-size="10"><title>${escaped(model.plan.experiment.name)}</title>${base(theme)}${body}${legend(shown, theme)}</svg>\n`;
}

/** Share (0…1) of the height for a value. */
function scaleOf(shown: Values): (value: number) => number {
  const values = shown.flatMap((one) => one.values.filter((value): value is number => value !== null && value > 0));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (high / low <= logBeyond) return (value) => value / high;
  // A tenth below the lowest, so that it is still to be seen.
  const span = Math.log(high / low) * 1.1;
  return (value) => 1 - Math.log(high / value) / span;
}

const bottomPx = heightPx - plot.bottom;
const roomPx = widthPx - plot.left - plot.right;
const yOf = (share: number): number => round(bottomPx - share * (bottomPx - plot.top));
const round = (px: number): number => Math.round(px * 10) / 10;

const base = (theme: ChartTheme): string =>
  `<path d="M${plot.left} ${bottomPx}H${widthPx - plot.right}" stroke="${theme.axis}"/>`;

function bars(shown: Values, height: (value: number) => number, theme: ChartTheme): string {
  const groupPx = roomPx / (shown[0]?.values.length ?? 1);
  const barPx = Math.min(26, (groupPx * 0.8) / shown.length);
  return shown
    .flatMap(({ target, values }, series) =>
      values.map((value, group) => {
        if (value === null || value <= 0) return '';
        const y = yOf(height(value));
        const x = round(plot.left + (group + 0.5) * groupPx + (series - shown.length / 2) * barPx);
        return `<rect x="${x}" y="${y}" width="${round(barPx - 1)}" height="${round(bottomPx - y)}" fill="${colourOf(theme, target.index)}"/>`;
      }),
    )
    .join('');
}

function lines(shown: Values, height: (value: number) => number, theme: ChartTheme): string {
  return shown
    .map(({ target, values }) => {
      const points = values.flatMap((value, i) =>
        value === null || value <= 0
          ? []
          : [[round(plot.left + ((i + 0.5) * roomPx) / values.length), yOf(height(value))] as const],
      );
      const colour = colourOf(theme, target.index);
      const dots = points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`).join('');
      return `<polyline points="${points.map((point) => point.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="1.6"/>${dots}`;
    })
    .join('');
}

/** Names are about 5.4 px a character. */
function legend(shown: Values, theme: ChartTheme): string {
  let x: number = plot.left;
  return shown
    .map(({ target }) => {
      const at = x;
      x += 24 + 5.4 * target.name.length;
      const y = heightPx - 10;
      const text = escaped(target.name);
      return `<rect x="${at}" y="${y - 8}" width="8" height="8" fill="${colourOf(theme, target.index)}"/><text x="${round(at + 12)}" y="${y}" fill="${theme.muted}">${text}</text>`;
    })
    .join('');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
