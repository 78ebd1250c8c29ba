import { latencyTitle } from '#analysis/cells/load-summary.ts';
import { rowsDone } from '#analysis/run-model/rows-done.ts';
import type { CellSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { findCell, rateUnit } from '#analysis/run-model/select-cells.ts';
import type { PictureKind } from '#experiment/schema/gallery-card.ts';
import { formatMsTick, formatTick } from '#model/format/format.ts';
import { factorText, formatLevel, formatLevels } from '#planning/variant-of.ts';
import type { PlannedTarget, Variant } from '#protocol/plan.ts';
import { fitText, spacedTicks, textPx, wrapText } from './kit/fit-text.ts';
import { drawLegend, mark } from './kit/marks.ts';
import { exactly, scaleOf } from './kit/scale.ts';
import { joined, rounded, type Scene, type Shape, shape, text } from './kit/scene.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';
import { chosenTargets } from './plot/select.ts';
import { numericFactors } from './sweep-chart.ts';

const widthPx = 360;
/** Text is at least 12 px on the narrowest card, which is 320 px wide. */
const fontPx = 14;
const plot = { right: 352, top: 28, bottom: 120 } as const;
/** The middle of the title above the plot. */
const titleY = 12;
/** The height of a row of text below the plot, and the most rows of a name. */
const rowPx = 18;
const mostRows = 3;
/** The least distance between two ticks of the value axis. */
const tickGapPx = 20;
/** A line needs this many levels to have a shape. */
const leastLevels = 4;
/**
 * The largest ratio for bars from zero. Beyond it the small bars would be invisible, so values become dots on a log
 * scale.
 */
const logBeyond = 20;

/** A line with more points has no dots. */
const mostDots = 16;

/** The drawn values of one target or trial. `at` has positions from the left (0) to the right (1). */
interface Series {
  readonly target: PlannedTarget;
  readonly values: readonly (number | null)[];
  readonly at: readonly number[];
}

/** The value axis of a picture. */
interface Measure {
  /** The name and unit above the axis. */
  title(model: RunModel): string;
  readonly tick: (value: number) => string;
  of(cell: CellSummary): number | null | undefined;
}

const throughput: Measure = {
  title: (model) => `Throughput (${rateUnit(model)})`,
  tick: formatTick,
  of: ({ rowsPerSecond }) => rowsPerSecond?.value,
};
const measures: Readonly<Record<PictureKind, Measure>> = {
  throughput,
  references: throughput,
  timeline: throughput,
  commits: { title: () => 'Commit, p50', tick: formatMsTick, of: ({ commits }) => commits?.latencyMs.p50 },
  latency: {
    title: ({ cells }) => `${latencyTitle(cells)}, p99`,
    tick: formatMsTick,
    of: ({ latencyMs }) => latencyMs.p99,
  },
};

/**
 * Draws a small picture of a run: a line for each target over the levels of a sweep, or else bars from zero by variant,
 * or dots on a log scale, or the timeline of trials. Variants are named where their names have room; otherwise the axis
 * names their factors. Null if nothing was measured.
 */
export function thumbnail(model: RunModel, theme: ChartTheme, picture: PictureKind): Scene | null {
  const targets = picture === 'references' ? model.plan.targets : chosenTargets(model, {});
  const measure = measures[picture];
  const { all, isLine, axis } =
    picture === 'timeline' ? timelines(model, targets) : levels(model, targets, (cell) => measure.of(cell));
  const shown = all.filter(({ values }) => values.some(isDrawn));
  if (shown.length === 0) return null;
  const values = shown.flatMap((one) => one.values.filter(isDrawn));
  const scale = scaleOf(exactly(values), Math.max(...values) / Math.min(...values) > logBeyond ? 'log' : 'linear');
  const y = (value: number) => rounded(plot.bottom - scale.shareOf(value) * (plot.bottom - plot.top));
  const ticks = ticksApart(scale.ticks, y);
  const left = rounded(14 + Math.max(...ticks.map((tick) => textPx(measure.tick(tick), fontPx))));
  const x = (at: number) => rounded(left + at * (plot.right - left));
  const title = `${measure.title(model)}${scale.isLog ? ', log scale' : ''}`;
  const below = drawAxis(axis, x, theme);
  const body: Scene = {
    ...{ label: '', widthPx, heightPx: plot.bottom + below.rows * rowPx + 4, font: theme.font, hits: [] },
    shapes: [
      text(8, titleY, title, { fill: theme.muted, size: fontPx, tone: 'muted' }),
      ...ticks.flatMap((tick) => [
        shape('path', { d: `M${left} ${y(tick)}H${plot.right}`, stroke: theme.grid }),
        text(left - 6, y(tick), measure.tick(tick), { fill: theme.muted, size: fontPx, tone: 'muted', anchor: 'end' }),
      ]),
      shape('path', { d: `M${left} ${plot.bottom}H${plot.right}`, stroke: theme.axis }),
      ...(isLine ? lines(shown, x, y, theme) : bars(shown, x, y, scale.isLog, theme)),
      ...below.shapes,
    ],
  };
  const names = [...new Set(shown.map(({ target }) => target))].map((one) => ({
    ...{ label: labelIn(model, one), fill: colourOf(theme, one.index) },
  }));
  return joined(
    `${model.plan.experiment.name}: ${title}${axis.name === '' ? '' : `, by ${axis.name}`}`,
    [body, drawLegend(names, theme, widthPx - 16, { padPx: 8, sizePx: fontPx })],
    'below',
  );
}

const isDrawn = (value: number | null): value is number => value !== null && value > 0;

/** The ticks whose labels do not touch, from the lowest one. */
function ticksApart(ticks: readonly number[], y: (value: number) => number): readonly number[] {
  let free = Number.POSITIVE_INFINITY;
  return ticks.filter((tick) => {
    if (y(tick) > free) return false;
    free = y(tick) - tickGapPx;
    return true;
  });
}

/** The axis below a plot: a name, and texts at positions from the left (0) to the right (1). */
interface NameAxis {
  readonly name: string;
  readonly labels: readonly { readonly at: number; readonly text: string }[];
  /** True if some labels mean nothing without the others: there are all of them, or none. */
  readonly needsAll: boolean;
  /** True if the labels need no name beside them. */
  readonly namesItself: boolean;
}

/** The texts below the plot, and the number of their rows. */
function drawAxis(
  { name, labels, needsAll, namesItself }: NameAxis,
  x: (at: number) => number,
  theme: ChartTheme,
): { readonly shapes: readonly Shape[]; readonly rows: number } {
  const look = { fill: theme.muted, size: fontPx, tone: 'muted', anchor: 'middle' } as const;
  const roomPx = (x(1) - x(0)) / Math.max(1, labels.length) - 2;
  const wrapped = labels.map(({ text: words }) => wrapText(words, roomPx, fontPx, mostRows));
  const fits = wrapped.every((rows, i) => rows.join(' ') === labels[i]!.text);
  const shown = needsAll
    ? fits
      ? labels.map(({ at }, i) => ({ at, rows: wrapped[i]! }))
      : []
    : spacedTicks(
        labels.map((_, i) => i),
        (i) => x(labels[i]!.at),
        (i) => labels[i]!.text,
        { fontPx, gapPx: 6 },
      ).map((i) => ({ at: labels[i]!.at, rows: [labels[i]!.text] }));
  const rows = Math.max(0, ...shown.map((one) => one.rows.length));
  const rowY = (row: number) => plot.bottom + rowPx * (row + 0.5) + 2;
  const nameRow =
    name === '' || (namesItself && rows > 0)
      ? []
      : [text(x(0.5), rowY(rows), fitText(name, x(1) - x(0), fontPx), look)];
  return {
    rows: rows + nameRow.length,
    shapes: [
      ...shown.flatMap(({ at, rows: own }) => own.map((words, row) => text(x(at), rowY(row), words, look))),
      ...nameRow,
    ],
  };
}

interface Drawn {
  readonly all: readonly Series[];
  readonly isLine: boolean;
  readonly axis: NameAxis;
}

type CellValue = (cell: CellSummary) => number | null | undefined;

function levels(model: RunModel, targets: readonly PlannedTarget[], value: CellValue): Drawn {
  const factor = numericFactors(model).find(
    (name) => new Set(model.plan.variants.map(({ levels }) => levels[name])).size >= leastLevels,
  );
  const [first] = model.plan.variants;
  // Each target has one curve. Curves of other levels are left out.
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
  // A variant that all targets skip has no position.
  const measured = variants.filter(({ id }) => targets.some((target) => of(id, target) !== null));
  const at = measured.map((_, i) => (i + 0.5) / measured.length);
  const all = targets.map((target) => ({ target, at, values: measured.map(({ id }) => of(id, target)) }));
  const factors = factor === undefined ? Object.keys(first?.levels ?? {}) : [factor];
  const textOf = ({ levels, label }: Variant) => {
    const [only] = factors;
    return only !== undefined && factors.length === 1 ? formatLevel(only, levels[only]!) : label;
  };
  return {
    all,
    isLine: factor !== undefined,
    axis: {
      name: factors.map(factorText).join(' × '),
      // A single variant is the whole picture.
      labels: measured.length === 1 ? [] : measured.map((variant, i) => ({ at: at[i]!, text: textOf(variant) })),
      needsAll: factor === undefined,
      namesItself: measured.every((variant) => formatLevels(variant.levels) === textOf(variant)),
    },
  };
}

/** The first trial of each cell, over the number of rows in the table. */
function timelines(model: RunModel, targets: readonly PlannedTarget[]): Drawn {
  const own = targets.flatMap((target) =>
    model.trials
      .filter(({ trial }) => trial.target === target.name && trial.repeat === 1)
      .map((view) => ({ target, values: view.series.rowsPerSecond, rows: rowsDone(view) })),
  );
  const most = Math.max(...own.flatMap(({ rows }) => rows));
  const labels = scaleOf(exactly([most])).ticks.map((tick) => ({ at: tick / most, text: formatTick(tick) }));
  return {
    all: own.map(({ rows, ...one }) => ({ ...one, at: rows.map((count) => count / most) })),
    isLine: true,
    axis: { name: 'Rows so far', labels, needsAll: false, namesItself: false },
  };
}

/**
 * Draws the values of a level side by side. On a log scale they are dots, because the length of a bar would have no
 * meaning.
 */
function bars(
  shown: readonly Series[],
  across: (at: number) => number,
  y: (value: number) => number,
  isLog: boolean,
  theme: ChartTheme,
): readonly Shape[] {
  const groupPx = (across(1) - across(0)) / (shown[0]?.values.length ?? 1);
  const barPx = Math.min(26, (groupPx * 0.8) / shown.length);
  return shown.flatMap(({ target, values, at }, series) =>
    values.flatMap((value, group) => {
      if (!isDrawn(value)) return [];
      const x = across(at[group]!) + (series - (shown.length - 1) / 2) * barPx;
      const fill = colourOf(theme, target.index);
      if (isLog) return [mark(rounded(x), y(value), 'circle', { fill }, rounded(Math.min(5, Math.max(3, barPx / 2))))];
      const place = { x: rounded(x - barPx / 2), y: y(value), width: rounded(barPx - 1) };
      return [shape('rect', { ...place, height: rounded(plot.bottom - y(value)), fill })];
    }),
  );
}

const lines = (
  shown: readonly Series[],
  x: (at: number) => number,
  y: (value: number) => number,
  theme: ChartTheme,
): readonly Shape[] =>
  shown.flatMap(({ target, values, at }) => {
    const points = values.flatMap((value, i) => (isDrawn(value) ? [[x(at[i]!), y(value)] as const] : []));
    const colour = colourOf(theme, target.index);
    return [
      shape('polyline', { points: points.join(' '), fill: 'none', stroke: colour, strokeWidth: 1.6 }),
      ...(points.length > mostDots
        ? []
        : points.map(([across, top]) => mark(across, top, 'circle', { fill: colour }, 3))),
    ];
  });

/** The label of a built-in target without its place: "PostgreSQL". */
function labelIn({ targets }: RunModel, { name }: PlannedTarget): string {
  const builtIn = targets.find((one) => one.name === name)?.descriptor.builtIn.find(({ target }) => target === name);
  return builtIn?.label.replace(/ \(.*\)$/, '') ?? name;
}
