import { dash, formatPercent } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { asItem } from '#model/text/printable.ts';
import type { History, HistorySeries } from '#protocol/history.ts';
import { mean } from '#stats/intervals/summary.ts';
import { formatChanges } from '../text/changes-text.ts';
import { formatMove, formatPoint, formatRunDay, historyAnswer, seriesText } from '../text/history-answer.ts';
import { alignColumns } from './run-text.ts';

/** The text of `dyno history`: the answer, one line per series, and one line per run at which something changed. */
export function renderHistory(history: History): string {
  const { name, size, runs, olderRuns, series, machineSpread } = history;
  const header = ['', 'latest', 'runs', 'change'];
  const rows = series.map((one) => [
    seriesText(history, one),
    formatLatest(one),
    sparkline(one, runs.length),
    formatMoves(history, one),
  ]);
  const days = [...new Set([0, runs.length - 1].map((at) => (runs[at] ? formatRunDay(history, at) : '')))];
  const older = olderRuns > 0 ? `; ${many(olderRuns, 'older run')} left out` : '';
  return [
    `${name}${size === null ? '' : ` (${size})`} — ${many(runs.length, 'complete run')}${runs.length === 0 ? '' : `, ${days.join(' to ')}`}${older}`,
    '',
    ...historyAnswer(history).map((line) => `• ${line}`),
    ...(machineSpread === null
      ? []
      : [
          `◦ The machine’s own speed differed by at most ${formatPercent(machineSpread)} from its median over these runs.`,
        ]),
    ...(rows.length === 0 ? [] : ['', ...alignColumns([header, ...rows], ['left', 'right', 'left', 'left'])]),
    ...changedRuns(history),
    '',
  ]
    .map((line) => asItem(line))
    .join('\n');
}

/** The last value with its interval and unit. */
function formatLatest(series: HistorySeries): string {
  const last = series.points.at(-1);
  return last === undefined ? dash : formatPoint(last, series);
}

/** The greatest number of characters of a sparkline; of more runs, successive ones share a character. */
const widest = 40;
const bars = '▁▂▃▄▅▆▇█';

/** The values over all runs, from the lowest to the highest bar; a blank where no run has a value. */
function sparkline({ points }: HistorySeries, runs: number): string {
  const width = Math.min(widest, runs);
  const columns = Map.groupBy(points, ({ run }) => Math.floor((run * width) / runs));
  const heights = new Map([...columns].map(([column, own]) => [column, mean(own.map(({ value }) => value))]));
  const [low, high] = [Math.min(...heights.values()), Math.max(...heights.values())];
  return Array.from({ length: width }, (_, column) => {
    const value = heights.get(column);
    if (value === undefined) return ' ';
    const place = high > low ? (value - low) / (high - low) : 0.5;
    return bars[Math.min(bars.length - 1, Math.floor(place * bars.length))];
  }).join('');
}

/** "40 % higher (32–48 %) since Nov 18", change by change. */
const formatMoves = (history: History, series: HistorySeries): string =>
  [
    ...series.changes.map(
      (change) =>
        `${formatMove(series, change)} since ${formatRunDay(history, change.at)}${change.verdict === 'cannotTell' ? ': cannot tell why' : ''}`,
    ),
    ...series.redefined.map((at) => `other work since ${formatRunDay(history, at)}`),
  ].join('; ');

/** The runs at which versions, settings or the experiment changed. */
function changedRuns(history: History): readonly string[] {
  const changed = history.runs.flatMap(({ id, changes }, at) =>
    changes.length === 0 ? [] : [[`${formatRunDay(history, at)}  ${id}`, formatChanges(changes)]],
  );
  return changed.length === 0 ? [] : ['', 'changed between runs:', ...alignColumns(changed, ['left', 'left'])];
}
