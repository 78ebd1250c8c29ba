import { useMemo, useState } from 'react';
import { many } from '#model/format/plural.ts';
import { valueText } from '#presentation/charts/history-chart.ts';
import { type RunSpacing, runAxis } from '#presentation/charts/kit/run-series.ts';
import { latestRuns } from '#presentation/charts/latest-runs.ts';
import { formatPoint, formatRunDay, formatStep } from '#presentation/text/history-answer.ts';
import { quantityText } from '#presentation/text/history-headline.ts';
import type { History, HistoryRun, HistorySeries } from '#protocol/history.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';
import { SearchField, Select } from '../ui/controls/fields.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';
import { CellChart } from './cell-chart.tsx';
import { momentTexts } from './moment-texts.ts';
import { allWork, byQuantity, chosenSeries, firstChoice, type SeriesChoice, withWork } from './series-choice.ts';

/** The numbers of latest runs that the reader can choose. */
const ranges = [30, 100, 300];
const everyRun = 'all';
/** The most runs of a page that nobody has changed: more points would touch each other. */
const mostAtFirst = 100;

/** Up to this number of charts stand below each other in the whole width. */
const mostInOneColumn = 3;
const [leastPx, gapPx] = [480, 16];

/** The last value and the last change: "16.9k rows/s in the last run; 41 % higher since Nov 18". */
function stateText(history: History, series: HistorySeries): string {
  const last = series.points.at(-1);
  const change = series.changes.at(-1);
  if (last === undefined) return 'No run has a value.';
  const when = last.run === history.runs.length - 1 ? 'the last run' : `the run of ${formatRunDay(history, last.run)}`;
  const goal = series.limit === null ? '' : `; the goal is at most ${valueText(series.limit, series)}`;
  const value = `${formatPoint(last, series)} in ${when}${goal}`;
  if (change === undefined) return value;
  const changed = `${formatStep(series, change)} since ${formatRunDay(history, change.at)}`;
  return `${value}; ${changed}${change.verdict === 'cannotTell' ? ', perhaps because of the machine' : ''}`;
}

/** "“release 4.2”, Nov 18, 2026, 10:12 AM". */
const formatRunName = ({ title, startedAt }: HistoryRun): string =>
  `${title === '' ? '' : `“${title}”, `}${formatMoment(startedAt)}`;

/** The charts of all cells over one shared axis, and the controls that choose among them. */
export const HistoryCharts = ({ history }: { readonly history: History }) => {
  const [place, widthPx] = useChartWidth();
  const first = useMemo(() => firstChoice(history), [history]);
  const [changed, setChanged] = useState<Partial<SeriesChoice>>({});
  const [spacing, setSpacing] = useState<RunSpacing>('runs');
  const [most, setMost] = useState(mostAtFirst);
  const choice = { ...first, ...changed };
  const change = (next: Partial<SeriesChoice>) => setChanged({ ...changed, ...next });
  const shown = useMemo(() => latestRuns(history, most), [history, most]);
  const { all, matching, changed: moved } = chosenSeries(history, shown, choice);
  const columns =
    matching.length <= mostInOneColumn ? 1 : Math.max(1, Math.floor((widthPx + gapPx) / (leastPx + gapPx)));
  const chartPx = Math.floor((widthPx - gapPx * (columns - 1)) / columns) - 2;
  const layout = useMemo(() => {
    const startedAt = shown.runs.map((run) => run.startedAt);
    return { axis: runAxis(startedAt, spacing, momentTexts), nameOf: formatRunName, widthPx: chartPx };
  }, [shown, spacing, chartPx]);
  if (history.series.length === 0)
    return (
      <div className="panel" ref={place}>
        <EmptyState title="No run has a cell to compare">
          <p>References and cells whose calls found other rows are left out. The page of each run says why.</p>
        </EmptyState>
      </div>
    );
  const quantities = [...byQuantity(history, choice.work)];
  const mostCells = Math.max(...quantities.map(([, own]) => own.length));
  const works = [...new Set(history.series.map(({ work }) => work))];
  return (
    <section className="stack" aria-label="Cells" ref={place}>
      <fieldset className="picture-controls history-controls" aria-label="Charts">
        {quantities.length > 1 && (
          <Select
            label="Metric"
            hideLabel
            value={choice.quantity}
            choices={quantities.map(([id, [first, ...others]]) => ({
              id,
              label: `${quantityText(first!)}${others.length + 1 < mostCells ? `, ${many(others.length + 1, 'cell')}` : ''}`,
            }))}
            onChange={(quantity) => change({ quantity })}
          />
        )}
        {works.length > 1 && (
          <Select
            label="Work"
            hideLabel
            value={choice.work ?? allWork}
            choices={works.map((work) => ({ id: work ?? allWork, label: work ?? 'All work' }))}
            onChange={(work) => change(withWork(history, choice, work === allWork ? null : work))}
          />
        )}
        {all > 1 && (
          <SearchField label="Filter cells" value={choice.filter} onChange={(filter) => change({ filter })} />
        )}
        {all > 1 && moved > 0 && moved < all && (
          <Segmented
            label="Cells shown"
            choices={[
              { id: 'all', label: `All ${all}` },
              { id: 'changed', label: `Changed ${moved}` },
            ]}
            value={choice.onlyChanged ? 'changed' : 'all'}
            onChange={(id) => change({ onlyChanged: id === 'changed' })}
          />
        )}
        <span className="picture-views row">
          {history.runs.length > ranges[0]! && (
            <Select
              label="Runs shown"
              hideLabel
              value={most === Number.POSITIVE_INFINITY ? everyRun : String(most)}
              choices={[
                ...ranges
                  .filter((count) => count < history.runs.length)
                  .map((count) => ({ id: String(count), label: `Last ${count} runs` })),
                { id: everyRun, label: `All ${many(history.runs.length, 'run')}` },
              ]}
              onChange={(id) => setMost(id === everyRun ? Number.POSITIVE_INFINITY : Number(id))}
            />
          )}
          {history.runs.length > 2 && (
            <Segmented
              label="Distance between runs"
              choices={[
                { id: 'runs', label: 'Run by run' },
                { id: 'time', label: 'By time' },
              ]}
              value={spacing}
              onChange={(id) => setSpacing(id as RunSpacing)}
            />
          )}
        </span>
      </fieldset>
      {matching.length === 0 ? (
        <EmptyState title="No cell matches">
          <p>The filter searches variants, targets and statements.</p>
        </EmptyState>
      ) : (
        <div className="history-cells" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
          {matching.map(({ series, drawn }) => (
            <CellChart
              key={`${series.label}\n${series.target}\n${series.work ?? ''}\n${series.quantity}`}
              history={shown}
              series={drawn}
              state={stateText(history, series)}
              layout={layout}
            />
          ))}
        </div>
      )}
    </section>
  );
};
