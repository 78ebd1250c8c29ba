import type { RunModel, TrialSeries, TrialView } from '#analysis/run-model/run-model.ts';
import { countsRows, rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatCount } from '#model/format/format.ts';
import { rateAxis } from '../kit/axes.ts';
import { type ChartTheme, lookOf } from '../kit/theme.ts';
import type { Line, Panel } from './panels.ts';

/** The look of a trial's lines, and their name in the legend: those of its target. */
export function trialLook({ plan }: RunModel, { trial }: TrialView, theme: ChartTheme) {
  const index = plan.targets.find(({ name }) => name === trial.target)?.index ?? 0;
  return lookOf({ name: trial.target, index }, theme);
}

/** The most points that a chart draws of a line; it leaves some out of longer ones. */
const mostJoinedPoints = 2_000;

/**
 * The lines of a panel whose points are seconds, with those of a target's repeats as one with gaps: they look alike,
 * and each line of its own costs a chart more than all of its points. Lines of a point or two, which are drawn with
 * symbols, stay what they are.
 */
export const joinRepeats = (lines: readonly Line[]): readonly Line[] =>
  [...Map.groupBy(lines, ({ name }) => name).values()].flatMap((alike): readonly Line[] => {
    const repeats = alike.map(({ points }) => points);
    const count = repeats.reduce((sum, { length }) => sum + length, 0);
    if (repeats.length < 2 || repeats.some(({ length }) => length < 3) || count > mostJoinedPoints) return alike;
    // ECharts' tooltip has a row for each point of one x: those of repeats are a microsecond apart.
    const points = repeats.flatMap((own, repeat) =>
      [...own, [own.at(-1)![0], null] as const].map(([x, value]) => [x - repeat / 1_000, value] as const),
    );
    return [{ ...alike[0]!, points, repeats }];
  });

/** A trial's line of a value for each second. */
export const secondsLine = (
  model: RunModel,
  view: TrialView,
  theme: ChartTheme,
  values: (series: TrialSeries) => readonly (number | null)[],
): Line => {
  const each = values(view.series);
  return { ...trialLook(model, view, theme), points: view.series.atMs.map((at, i) => [at, each[i] ?? null] as const) };
};

/** Rows, or calls where no rows move. */
export const throughputLine = (model: RunModel, view: TrialView, theme: ChartTheme): Line =>
  secondsLine(model, view, theme, (series) => (countsRows(model) ? series.rowsPerSecond : series.callsPerSecond));

/** Throughput of several trials, over what else is drawn of them. */
export const throughputPanel = (model: RunModel, views: readonly TrialView[], theme: ChartTheme): Panel => ({
  title: `Throughput (${rateUnit(model)})`,
  ...rateAxis,
  lines: views.map((view) => throughputLine(model, view, theme)),
});

/** Says which repeat a chart of one repeat shows; empty if there is no other. */
export function repeatText({ trials }: RunModel, view: TrialView | undefined): string {
  const repeats = trials.reduce((most, { trial }) => Math.max(most, trial.repeat), 0);
  return repeats > 1 && view !== undefined ? `Repeat ${view.trial.repeat} of ${formatCount(repeats)}.` : '';
}
