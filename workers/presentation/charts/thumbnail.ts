import type { CellSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { findCell } from '#analysis/run-model/select-cells.ts';
import type { PictureKind } from '#experiment/schema/gallery-card.ts';
import type { PlannedTarget } from '#protocol/plan.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';
import { chosenTargets } from './plot/select.ts';
import { rowsDone } from './plot/trial-line.ts';
import { numericFactors } from './sweep-chart.ts';

const widthPx = 360;
/** The height with one row of names. */
const heightPx = 136;
/** The size is at least 12 px on the narrowest card, which is 320 px wide. */
const fontPx = 14;
const legendRowPx = 18;
const plot = { left: 14, right: 14, top: 12, bottom: 32 } as const;
/** A line needs as many levels to have a shape. */
const leastLevels = 4;
/** Beyond this ratio, bars that begin at zero would hide the small ones: places on a log scale take their turn. */
const logBeyond = 20;

/** More points than these are a line without dots. */
const mostDots = 16;

/** The drawn values of one target, or of one of its trials; `at`: places from the left (0) to the right (1). */
interface Series {
  readonly target: PlannedTarget;
  readonly values: readonly (number | null)[];
  readonly at: readonly number[];
}

const meanings: Readonly<Record<PictureKind, string>> = {
  throughput: 'throughput',
  references: 'throughput, reference targets included',
  timeline: 'throughput over the rows so far',
  commits: 'median latency of commits',
  latency: '99th percentile of latency',
};

/**
 * A small picture of a run, as SVG text: a line for each target over the levels of a sweep, else bars from zero, the
 * variants one after the other, or dots if only a log scale shows all of them; or the timeline of trials. It has no
 * axes and numbers: it shows a shape, and names the colours. Null if nothing was measured.
 */
export function thumbnail(model: RunModel, theme: ChartTheme, picture: PictureKind): string | null {
  const targets = picture === 'references' ? model.plan.targets : chosenTargets(model, {});
  const { all, isLine } =
    picture === 'timeline' ? timelines(model, targets) : levels(model, targets, measures[picture]);
  const shown = all.filter(({ values }) => values.some((value) => value !== null && value > 0));
  if (shown.length === 0) return null;
  const { height, isLog } = scaleOf(shown);
  const key = legend(
    [...new Set(shown.map(({ target }) => target))].map((one) => ({ ...one, name: labelIn(model, one) })),
    isLog,
    theme,
  );
  const body = isLine ? lines(shown, height, theme) : (isLog ? dots : bars)(shown, height, theme);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${heightPx + (key.rows - 1) * legendRowPx}" font-family="${theme.font}" font-size="${fontPx}"><title>${escaped(model.plan.experiment.name)}: ${meanings[picture]}</title>${base(theme)}${body}${key.text}</svg>\n`;
}

interface Drawn {
  readonly all: readonly Series[];
  readonly isLine: boolean;
}

type CellValue = (cell: CellSummary) => number | null | undefined;

const measures: Readonly<Record<Exclude<PictureKind, 'timeline'>, CellValue>> = {
  throughput: ({ rowsPerSecond }) => rowsPerSecond?.value,
  references: ({ rowsPerSecond }) => rowsPerSecond?.value,
  commits: ({ commits }) => commits?.latencyMs.p50,
  latency: ({ latencyMs }) => latencyMs.p99,
};

function levels(model: RunModel, targets: readonly PlannedTarget[], value: CellValue): Drawn {
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
  const of = (variant: string, { name }: PlannedTarget) => {
    const cell = findCell(model, variant, name);
    return (cell && value(cell)) ?? null;
  };
  // A variant that all targets skip, because it equals another one or is impossible, has no place.
  const measured = variants.filter(({ id }) => targets.some((target) => of(id, target) !== null));
  const at = measured.map((_, i) => (i + 0.5) / measured.length);
  const all = targets.map((target) => ({ target, at, values: measured.map(({ id }) => of(id, target)) }));
  return { all, isLine: factor !== undefined };
}

/** The first trial of each cell, over the rows that were there. */
function timelines(model: RunModel, targets: readonly PlannedTarget[]): Drawn {
  const own = targets.flatMap((target) =>
    model.trials
      .filter(({ trial }) => trial.target === target.name && trial.repeat === 1)
      .map((view) => ({ target, values: view.series.rowsPerSecond, rows: rowsDone(view) })),
  );
  const most = Math.max(...own.flatMap(({ rows }) => rows));
  return { all: own.map(({ rows, ...one }) => ({ ...one, at: rows.map((count) => count / most) })), isLine: true };
}

/** Share (0…1) of the height for a value, and whether only a log scale shows all values. */
function scaleOf(shown: readonly Series[]): { readonly height: (value: number) => number; readonly isLog: boolean } {
  const values = shown.flatMap((one) => one.values.filter((value): value is number => value !== null && value > 0));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (high / low <= logBeyond) return { height: (value) => value / high, isLog: false };
  // A tenth below the lowest, so that it is still to be seen.
  const span = Math.log(high / low) * 1.1;
  return { height: (value) => 1 - Math.log(high / value) / span, isLog: true };
}

const bottomPx = heightPx - plot.bottom;
const roomPx = widthPx - plot.left - plot.right;
const yOf = (share: number): number => round(bottomPx - share * (bottomPx - plot.top));
const round = (px: number): number => Math.round(px * 10) / 10;

const base = (theme: ChartTheme): string =>
  `<path d="M${plot.left} ${bottomPx}H${widthPx - plot.right}" stroke="${theme.axis}"/>`;

/** The drawn value of a group: its middle, width and top. */
interface Place {
  readonly x: number;
  readonly barPx: number;
  readonly y: number;
  readonly colour: string;
}

function places(
  shown: readonly Series[],
  height: (value: number) => number,
  theme: ChartTheme,
  draw: (place: Place) => string,
): string {
  const groupPx = roomPx / (shown[0]?.values.length ?? 1);
  const barPx = Math.min(26, (groupPx * 0.8) / shown.length);
  return shown
    .flatMap(({ target, values }, series) =>
      values.map((value, group) => {
        if (value === null || value <= 0) return '';
        const x = plot.left + (group + 0.5) * groupPx + (series - (shown.length - 1) / 2) * barPx;
        return draw({ x, barPx, y: yOf(height(value)), colour: colourOf(theme, target.index) });
      }),
    )
    .join('');
}

const bars = (shown: readonly Series[], height: (value: number) => number, theme: ChartTheme): string =>
  places(
    shown,
    height,
    theme,
    ({ x, barPx, y, colour }) =>
      `<rect x="${round(x - barPx / 2)}" y="${y}" width="${round(barPx - 1)}" height="${round(bottomPx - y)}" fill="${colour}"/>`,
  );

/** The length of a bar on a log scale would say nothing. */
const dots = (shown: readonly Series[], height: (value: number) => number, theme: ChartTheme): string =>
  places(
    shown,
    height,
    theme,
    ({ x, barPx, y, colour }) =>
      `<circle cx="${round(x - 0.5)}" cy="${y}" r="${round(Math.min(5, Math.max(3, barPx / 2)))}" fill="${colour}"/>`,
  );

function lines(shown: readonly Series[], height: (value: number) => number, theme: ChartTheme): string {
  return shown
    .map(({ target, values, at }) => {
      const points = values.flatMap((value, i) =>
        value === null || value <= 0 ? [] : [[round(plot.left + at[i]! * roomPx), yOf(height(value))] as const],
      );
      const colour = colourOf(theme, target.index);
      const dots =
        points.length > mostDots
          ? ''
          : points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`).join('');
      return `<polyline points="${points.map((point) => point.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="1.6"/>${dots}`;
    })
    .join('');
}

/** A built-in target by its label without where it is: "PostgreSQL". */
function labelIn({ targets }: RunModel, { name }: PlannedTarget): string {
  const builtIn = targets.find((one) => one.name === name)?.descriptor.builtIn.find(({ target }) => target === name);
  return builtIn?.label.replace(/ \(.*\)$/, '') ?? name;
}

/** The width of a character of a name, about. */
const characterPx = 0.6 * fontPx;

/** Names and their colours and, at the end, the scale, in as many rows as they need. */
function legend(
  targets: readonly PlannedTarget[],
  isLog: boolean,
  theme: ChartTheme,
): { readonly text: string; readonly rows: number } {
  let [x, row]: [number, number] = [plot.left, 0];
  const place = (px: number) => {
    if (x > plot.left && x + px > widthPx) [x, row] = [plot.left, row + 1];
    const at = round(x);
    x += px;
    return { at, y: heightPx - 10 + row * legendRowPx };
  };
  const entries = targets.map(({ name, index }) => {
    const { at, y } = place(28 + characterPx * name.length);
    return `<rect x="${at}" y="${y - 9}" width="9" height="9" fill="${colourOf(theme, index)}"/><text x="${at + 14}" y="${y}" fill="${theme.muted}">${escaped(name)}</text>`;
  });
  if (isLog) {
    const { at, y } = place(characterPx * logWords.length);
    entries.push(`<text x="${at}" y="${y}" fill="${theme.muted}">${logWords}</text>`);
  }
  return { text: entries.join(''), rows: row + 1 };
}

const logWords = '(log scale)';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
