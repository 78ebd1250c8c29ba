import type { History, HistoryPoint, HistoryRun, HistorySeries } from '#protocol/history.ts';
import { formatChanges } from '../text/changes-text.ts';
import { type DataFile, dataFile, number, text, whole } from './data-file.ts';

interface PointEntry {
  readonly run: HistoryRun;
  readonly isFirst: boolean;
  readonly series: HistorySeries;
  readonly point: HistoryPoint;
}

/** The value of every figure in each run of the experiment up to this one. */
export const historyFile = ({ runs, series }: History): DataFile =>
  dataFile<PointEntry>(
    'history',
    'One row for each figure of each cell in each run of the experiment up to this one.',
    [
      text('run', 'The id of the run.', ({ run }) => run.id),
      text('started_at', 'The start of the run (ISO 8601, UTC).', ({ run }) => run.startedAt),
      text('variant', 'The variant.', ({ series: one }) => one.label),
      text('target', 'The target.', ({ series: one }) => one.target),
      text('work', 'The statement, transaction or scenario. Empty: all units of work.', ({ series: one }) => one.work),
      text(
        'quantity',
        '“throughput”, a figure of the times (“p99”, “mean”), or “errors”.',
        ({ series: one }) => one.quantity,
      ),
      text('unit', 'The unit of the value; “share” is a number from 0 to 1.', ({ series: one }) => one.unit),
      number('value', 'The mean of the run, in the unit.', ({ point }) => point.value),
      number('low', 'Lower bound of its 95 % interval over the repeats.', ({ point }) => point.low),
      number('high', 'Upper bound of the interval.', ({ point }) => point.high),
      whole('repeats', 'Number of repeats.', ({ point }) => point.n),
      number(
        'level',
        'The typical value of the runs between two changes.',
        ({ series: one, point }) => one.levels.find(({ from, to }) => point.run >= from && point.run <= to)?.value,
      ),
      number(
        'change_ratio',
        'The new level ÷ the level before, at the first run after a change of level. Empty: no change, or a share.',
        ({ series: one, point }) => one.changes.find(({ at }) => at === point.run)?.ratio?.value,
      ),
      text(
        'changed_before',
        'The versions, settings and parts of the experiment that changed before the run.',
        (entry) => (entry.isFirst ? null : formatChanges(entry.run.changes, Number.POSITIVE_INFINITY)),
      ),
    ],
    () =>
      series.flatMap((one) =>
        one.points.map((point) => ({ run: runs[point.run]!, isFirst: point.run === 0, series: one, point })),
      ),
  );
