import { rowsDone } from '#analysis/run-model/rows-done.ts';
import type { CellSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { findCell } from '#analysis/run-model/select-cells.ts';
import type { PictureKind } from '#experiment/schema/gallery-card.ts';
import type { PlannedTarget } from '#protocol/plan.ts';
import { drawLegend, mark } from './kit/marks.ts';
import { exactly, scaleOf } from './kit/scale.ts';
import { joined, rounded, type Scene, type Shape, shape } from './kit/scene.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';
import { chosenTargets } from './plot/select.ts';
import { numericFactors } from './sweep-chart.ts';

const widthPx = 360;
const heightPx = 110;
/** Text is at least 12 px on the narrowest card, which is 320 px wide. */
const fontPx = 14;
const plot = { left: 14, right: 346, top: 12, bottom: 104 } as const;
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

const meanings: Readonly<Record<PictureKind, string>> = {
  throughput: 'throughput',
  references: 'throughput, reference targets included',
  timeline: 'throughput over the rows so far',
  commits: 'median latency of commits',
  latency: '99th percentile of latency',
};

/**
 * Draws a small picture of a run without axes and numbers; it shows a shape and names the colours. It has a line for
 * each target over the levels of a sweep, or else bars from zero by variant, or dots on a log scale, or the timeline of
 * trials. Null if nothing was measured.
 */
export function thumbnail(model: RunModel, theme: ChartTheme, picture: PictureKind): Scene | null {
  const targets = picture === 'references' ? model.plan.targets : chosenTargets(model, {});
  const { all, isLine } =
    picture === 'timeline' ? timelines(model, targets) : levels(model, targets, measures[picture]);
  const shown = all.filter(({ values }) => values.some(isDrawn));
  if (shown.length === 0) return null;
  const values = shown.flatMap((one) => one.values.filter(isDrawn));
  const scale = scaleOf(exactly(values), Math.max(...values) / Math.min(...values) > logBeyond ? 'log' : 'linear');
  const y = (value: number) => rounded(plot.bottom - scale.shareOf(value) * (plot.bottom - plot.top));
  const names = [...new Set(shown.map(({ target }) => target))].map((one) => ({
    ...{ label: labelIn(model, one), fill: colourOf(theme, one.index) },
  }));
  const base = shape('path', { d: `M${plot.left} ${plot.bottom}H${plot.right}`, stroke: theme.axis });
  const body = {
    ...{ label: '', widthPx, heightPx, font: theme.font, hits: [] },
    shapes: [base, ...(isLine ? lines(shown, y, theme) : bars(shown, y, scale.isLog, theme))],
  };
  const legend = [...names, ...(scale.isLog ? [{ label: '(log scale)', fill: null }] : [])];
  return joined(
    `${model.plan.experiment.name}: ${meanings[picture]}`,
    [body, drawLegend(legend, theme, widthPx, { padPx: plot.left, sizePx: fontPx })],
    'below',
  );
}

const isDrawn = (value: number | null): value is number => value !== null && value > 0;

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
  return { all, isLine: factor !== undefined };
}

/** The first trial of each cell, over the number of rows in the table. */
function timelines(model: RunModel, targets: readonly PlannedTarget[]): Drawn {
  const own = targets.flatMap((target) =>
    model.trials
      .filter(({ trial }) => trial.target === target.name && trial.repeat === 1)
      .map((view) => ({ target, values: view.series.rowsPerSecond, rows: rowsDone(view) })),
  );
  const most = Math.max(...own.flatMap(({ rows }) => rows));
  return { all: own.map(({ rows, ...one }) => ({ ...one, at: rows.map((count) => count / most) })), isLine: true };
}

/**
 * Draws the values of a level side by side. On a log scale they are dots, because the length of a bar would have no
 * meaning.
 */
function bars(
  shown: readonly Series[],
  y: (value: number) => number,
  isLog: boolean,
  theme: ChartTheme,
): readonly Shape[] {
  const groupPx = (plot.right - plot.left) / (shown[0]?.values.length ?? 1);
  const barPx = Math.min(26, (groupPx * 0.8) / shown.length);
  return shown.flatMap(({ target, values }, series) =>
    values.flatMap((value, group) => {
      if (!isDrawn(value)) return [];
      const x = plot.left + (group + 0.5) * groupPx + (series - (shown.length - 1) / 2) * barPx;
      const fill = colourOf(theme, target.index);
      if (isLog) return [mark(rounded(x), y(value), 'circle', { fill }, rounded(Math.min(5, Math.max(3, barPx / 2))))];
      const place = { x: rounded(x - barPx / 2), y: y(value), width: rounded(barPx - 1) };
      return [shape('rect', { ...place, height: rounded(plot.bottom - y(value)), fill })];
    }),
  );
}

const lines = (shown: readonly Series[], y: (value: number) => number, theme: ChartTheme): readonly Shape[] =>
  shown.flatMap(({ target, values, at }) => {
    const points = values.flatMap((value, i) =>
      isDrawn(value) ? [[rounded(plot.left + at[i]! * (plot.right - plot.left)), y(value)] as const] : [],
    );
    const colour = colourOf(theme, target.index);
    return [
      shape('polyline', { points: points.join(' '), fill: 'none', stroke: colour, strokeWidth: 1.6 }),
      ...(points.length > mostDots ? [] : points.map(([x, top]) => mark(x, top, 'circle', { fill: colour }, 3))),
    ];
  });

/** The label of a built-in target without its place: "PostgreSQL". */
function labelIn({ targets }: RunModel, { name }: PlannedTarget): string {
  const builtIn = targets.find((one) => one.name === name)?.descriptor.builtIn.find(({ target }) => target === name);
  return builtIn?.label.replace(/ \(.*\)$/, '') ?? name;
}
