import type { RunModel, TrialSeries, TrialView } from '#analysis/run-model/run-model.ts';
import { countsRows, rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatCount } from '#model/format/format.ts';
import { rateAxis } from '../kit/axes.ts';
import { type ChartTheme, lookOf } from '../kit/theme.ts';
import type { Line, Panel } from './panels.ts';
import { chosenTargets, type Selection } from './select.ts';

/** The style and legend name of a trial's lines, which are those of its target. */
export function trialLook({ plan }: RunModel, { trial }: TrialView, theme: ChartTheme) {
  const index = plan.targets.find(({ name }) => name === trial.target)?.index ?? 0;
  return lookOf({ name: trial.target, index }, theme);
}

/** The most points that a chart draws for a line. Longer lines are thinned. */
const mostJoinedPoints = 2_000;

/**
 * Joins the lines of a target's repeats to one line with gaps. They look alike, and a line costs a chart more than its
 * points. Lines of one or two points, which have symbols, stay separate.
 */
export const joinRepeats = (lines: readonly Line[]): readonly Line[] =>
  [...Map.groupBy(lines, ({ name }) => name).values()].flatMap((alike): readonly Line[] => {
    const repeats = alike.map(({ points }) => points);
    const count = repeats.reduce((sum, { length }) => sum + length, 0);
    if (repeats.length < 2 || repeats.some(({ length }) => length < 3) || count > mostJoinedPoints) return alike;
    // Repeats are shifted by a microsecond each, because the tooltip of ECharts has a row for each point of the same x.
    const points = repeats.flatMap((own, repeat) =>
      [...own, [own.at(-1)![0], null] as const].map(([x, value]) => [x - repeat / 1_000, value] as const),
    );
    return [{ ...alike[0]!, points, repeats }];
  });

/** A line with one value per second of a trial. */
export const secondsLine = (
  model: RunModel,
  view: TrialView,
  theme: ChartTheme,
  values: (series: TrialSeries) => readonly (number | null)[],
): Line => {
  const each = values(view.series);
  return { ...trialLook(model, view, theme), points: view.series.atMs.map((at, i) => [at, each[i] ?? null] as const) };
};

/** The unit is rows, or calls if no rows are moved. */
export const throughputLine = (model: RunModel, view: TrialView, theme: ChartTheme): Line =>
  secondsLine(model, view, theme, (series) => (countsRows(model) ? series.rowsPerSecond : series.callsPerSecond));

/** The throughput of several trials, above the other panels about them. */
export const throughputPanel = (model: RunModel, views: readonly TrialView[], theme: ChartTheme): Panel => ({
  title: `Throughput (${rateUnit(model)})`,
  ...rateAxis,
  lines: views.map((view) => throughputLine(model, view, theme)),
});

/** Says which repeat a chart shows. Empty if there is only one repeat. */
export function repeatText({ trials }: RunModel, view: TrialView | undefined): string {
  const repeats = trials.reduce((most, { trial }) => Math.max(most, trial.repeat), 0);
  return repeats > 1 && view !== undefined ? `Repeat ${view.trial.repeat} of ${formatCount(repeats)}.` : '';
}

/** The chosen trials that have at least one second. */
export function chosenViews(model: RunModel, selection: Selection): readonly TrialView[] {
  const targets = new Set(chosenTargets(model, selection).map(({ name }) => name));
  return model.trials.filter(
    ({ trial, series }) =>
      targets.has(trial.target) && series.atMs.length > 0 && (selection.variants?.includes(trial.variant) ?? true),
  );
}
