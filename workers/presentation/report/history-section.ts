import { changeSize, changesWith } from '#analysis/history/changes-with.ts';
import { dash } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { History, HistorySeries } from '#protocol/history.ts';
import { historyChart } from '../charts/history-chart.ts';
import { runAxis } from '../charts/kit/run-series.ts';
import { latestRuns } from '../charts/latest-runs.ts';
import { heads, numbers, remarks, words } from '../tables/shared/panel-table.ts';
import { formatChanges } from '../text/changes-text.ts';
import {
  bySize,
  formatMove,
  formatPoint,
  formatRunDay,
  historyAnswer,
  momentFormats,
  movesOf,
  seriesText,
} from '../text/history-answer.ts';
import { formatStart } from '../text/run-start.ts';
import { chartWidthPx, paragraph, type ReportContext, section } from './context.ts';
import type { ReportBlock, ReportSection } from './document.ts';

/** The charts of more cells would fill many pages, and more runs would be too close to each other. */
const [mostCharts, mostRuns] = [6, 60];
/** The most rows of the table of changes. */
const mostChanges = 24;

/** A report is read in other time zones, and all of its moments are in UTC. */
const moments = momentFormats('UTC');

/** The experiment over its runs up to the run of the report; none if the run is the first one. */
export function historySections({ theme }: ReportContext, whole: History | null): readonly ReportSection[] {
  if (whole === null || whole.runs.length < 2) return [];
  const history = latestRuns(whole, mostRuns);
  const axis = runAxis(
    history.runs.map(({ startedAt }) => startedAt),
    'runs',
    moments,
  );
  const nameOf = ({ title, startedAt }: History['runs'][number]) =>
    title === '' ? formatStart(startedAt) : `“${title}”, ${formatStart(startedAt)}`;
  const drawn = shownSeries(history).map((series, i): ReportSection => {
    const chart = historyChart(history, series, { axis, nameOf, widthPx: chartWidthPx }, theme);
    const title = `History: ${seriesText(history, series)}`;
    return section(chart.id, title, [{ kind: 'chart', chart }], i === 0 ? chartsNote(history) : '');
  });
  const answer = historyAnswer(history, moments).map((line) => paragraph('plain', line));
  return [section('history', 'History', [...answer, ...changesTable(history)], historyNote(history)), ...drawn];
}

const historyNote = ({ runs, olderRuns }: History): string =>
  `${runs.length} runs up to this one${olderRuns > 0 ? `; ${many(olderRuns, 'older run')} left out` : ''}. Days and times are in UTC.`;

const chartsNote = ({ series }: History): string =>
  [
    'Each point is the mean of a run with its 95 % interval over the repeats. Pale lines are the levels between changes. Dashed lines mark runs before which a version, a setting or the experiment changed.',
    ...(series.length > mostCharts
      ? [`${mostCharts} of ${series.length} figures are drawn, the greatest changes first.`]
      : []),
  ].join(' ');

/** The series that changed, the greatest change first, and then the others in their order. */
function shownSeries({ series }: History): readonly HistorySeries[] {
  const sizeOf = ({ changes }: HistorySeries) => Math.max(0, ...changes.map(changeSize));
  return series.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, mostCharts);
}

/** The changes of level in the order of time, with everything that changed at the same run. */
function changesTable(history: History): readonly ReportBlock[] {
  const rows = movesOf(history.series)
    .toSorted((a, b) => a.change.at - b.change.at || bySize(a, b))
    .slice(0, mostChanges)
    .map(({ series, change }) => {
      const texts = [
        formatRunDay(history, change.at, moments).replaceAll(' ', '\u00a0'),
        seriesText(history, series),
        [change.before, change.after].map((value) => formatPoint({ value, low: null, high: null }, series)).join(' → '),
        `${formatMove(series, change)}${change.verdict === 'cannotTell' ? ': cannot tell why' : ''}`,
        formatChanges(changesWith(history, change)) || dash,
      ];
      return { cells: texts.map((text) => ({ lines: [text] })) };
    });
  const columns = [...heads('Since'), ...words('Figure'), ...numbers('Level', 'Change'), ...remarks('Changed with it')];
  return rows.length === 0 ? [] : [{ kind: 'table', table: { columns, rows } }];
}
