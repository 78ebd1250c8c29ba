import { formatMs, formatPercent, formatRate } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { History, HistoryRun, HistorySeries } from '#protocol/history.ts';
import { formatChanges } from '../text/changes-text.ts';
import { formatPoint, formatStep } from '../text/history-answer.ts';
import { changesOf, seriesTitle } from '../text/history-headline.ts';
import { msAxis, rateAxis, shareAxis } from './kit/axes.ts';
import type { SceneChart } from './kit/chart.ts';
import { symbolOf } from './kit/palette.ts';
import { drawRunSeries, type RunAxis, type RunLevel, type RunMark } from './kit/run-series.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';

/** The most differences that the label of a mark names. */
const mostNamed = 4;

interface Layout {
  /** The axis of all charts of the history. */
  readonly axis: RunAxis;
  /** A run with its title and its moment: "“release 4.2”, Nov 18, 2026, 10:12 AM". */
  readonly nameOf: (run: HistoryRun) => string;
  readonly widthPx: number;
}

/** One quantity of one cell over the runs of a history, with its levels and what changed between the runs. */
export function historyChart(
  history: History,
  series: HistorySeries,
  { axis, nameOf, widthPx }: Layout,
  theme: ChartTheme,
): SceneChart {
  const { index, points, limit } = series;
  const title = seriesTitle(series);
  const { tick } = series.unit === 'ms' ? msAxis : series.unit === 'share' ? shareAxis : rateAxis;
  return {
    id: `history-${history.series.indexOf(series) + 1}`,
    title,
    note: null,
    scene: drawRunSeries(
      {
        ...{ label: title, colour: colourOf(theme, index), symbol: symbolOf(index), tick },
        points: points.map((point) => {
          const run = history.runs[point.run]!;
          const spoken = `${nameOf(run)}: ${formatPoint(point, series)}, ${many(point.n, 'repeat')}${run.isBaseline ? ', the baseline' : ''}`;
          return { run: point.run, runId: run.id, y: point, spoken, isRinged: run.isBaseline };
        }),
        levels: levelsOf(series),
        marks: marksOf(history, series, nameOf),
        limit: limit === null ? null : { value: limit, label: 'goal' },
      },
      axis,
      theme,
      widthPx,
    ),
    data: historyTable(history, [series]),
  };
}

/** A value in its unit. */
export const valueText = (value: number, { unit }: Pick<HistorySeries, 'unit'>): string =>
  unit === 'ms' ? formatMs(value) : unit === 'share' ? formatPercent(value) : formatRate(value, unit);

/** The levels, each with its difference from the level before. */
const levelsOf = (series: HistorySeries): readonly RunLevel[] =>
  series.levels.map((level) => {
    const change = series.changes.find(({ at }) => at === level.from);
    const doubt = change?.verdict === 'cannotTell' ? ' ?' : '';
    return { ...level, text: change === undefined ? '' : `${formatStep(series, change)}${doubt}` };
  });

/** The differences between each run and the run before it that concern the cell. */
const marksOf = (history: History, series: HistorySeries, nameOf: Layout['nameOf']): readonly RunMark[] =>
  history.runs.flatMap((one, run): readonly RunMark[] => {
    const changes = run === 0 ? [] : changesOf(one.changes, series);
    const isOther = series.redefined.includes(run);
    if (changes.length === 0 && !isOther) return [];
    const label = [
      ...(isOther ? ['other work'] : []),
      ...(changes.length > 0 ? [formatChanges(changes, mostNamed)] : []),
    ];
    const words = label.join(': ');
    return [{ run, label: words, spoken: `Changed before ${nameOf(one)}: ${words}` }];
  });

/** The numbers of series, one line for each run. */
export function historyTable({ runs }: History, all: readonly HistorySeries[]): SceneChart['data'] {
  return {
    columns: [
      ...['run', 'started', 'variant', 'target', 'work', 'quantity', 'unit', 'value', 'low', 'high', 'repeats'],
      ...['level', 'change', 'changed before the run'],
    ],
    rows: all.flatMap((series) =>
      series.points.map(({ run, value, low, high, n }) => {
        const { id, startedAt, changes } = runs[run]!;
        const level = series.levels.find(({ from, to }) => run >= from && run <= to);
        const change = series.changes.find(({ at }) => at === run);
        return [
          ...[id, startedAt, series.label, series.target, series.work ?? '', series.quantity, series.unit],
          ...[value, low, high, n, level?.value ?? null],
          change === undefined ? '' : formatStep(series, change),
          run === 0 ? '' : formatChanges(changes, Number.POSITIVE_INFINITY),
        ];
      }),
    ),
  };
}
