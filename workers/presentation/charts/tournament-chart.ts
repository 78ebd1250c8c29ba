import { type Tournament, type TournamentRow, timeRatio } from '#analysis/compare/tournament.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { changeText, measureText, ratioText, stateText } from '#analysis/text/tournament-text.ts';
import { formatRatio } from '#model/format/format.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { tournamentCsv } from '../tables/comparison/tournament-table.ts';
import type { SceneChart } from './kit/chart.ts';
import { drawRows, type Row } from './kit/rows.ts';
import { type Bounded, exactly, scaleOf } from './kit/scale.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';

/** The ratios of a tournament as dots with their intervals, measure by measure, to be saved as a picture. */
export function tournamentChart(
  model: Pick<RunModel, 'plan' | 'cells'>,
  tournament: Tournament,
  theme: ChartTheme,
  widthPx: number,
): SceneChart {
  const { target, baseline, measures, rows } = tournament;
  const index = model.plan.targets.find(({ name }) => name === target)?.index ?? 0;
  const title = `Tournament: ${target}`;
  const drawnOf = (row: TournamentRow, i: number): Bounded | null => {
    const one = row.ratios[i] ?? null;
    if (row.state === 'baseline') return { value: 1, low: null, high: null };
    return row.state === 'compared' && one !== null ? timeRatio(one) : null;
  };
  const groups = measures.map((measure, i) => ({
    title: measureText(measure),
    colour: null,
    rows: rows.map((row): Row => {
      const one = row.ratios[i] ?? null;
      const name = changeText(model.plan, row.variant, baseline);
      const drawn = drawnOf(row, i);
      const state = row.state === 'baseline' ? 'baseline' : stateText(model, row);
      const words = state === '' ? (one === null ? '' : ratioText(one)) : state;
      return {
        ...{ name, drawn, end: drawn === null ? '' : words, remark: drawn === null ? words : '' },
        colour: colourOf(theme, index),
        spoken: `${name}, ${measureText(measure)}: ${words}`,
        ...(one !== null && !(isDifference(one.verdict) && one.isCertain) && { look: 'hollow' as const }),
      };
    }),
  }));
  const all = groups.flatMap((group) => group.rows.flatMap(({ drawn }) => drawn ?? []));
  const ends = all.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  return {
    id: `tournament-${model.plan.targets.findIndex(({ name }) => name === target)}`,
    title,
    note: `Time ÷ the time of “${changeText(model.plan, baseline, baseline)}”, with 95 % intervals; the left is faster. Hollow dots show no certain difference.`,
    fold: 'picture',
    scene: drawRows(
      {
        ...{ label: title, groups, isDense: true },
        scale: scaleOf(exactly([0.8, 1.25, ...ends]), 'log'),
        axis: { name: 'time ÷ the baseline’s', tick: (value) => formatRatio(value, 2) },
      },
      theme,
      widthPx,
    ),
    data: tournamentCsv(model, [tournament]),
  };
}
