import type { History, HistorySeries } from '#protocol/history.ts';

/** The history of its latest runs alone, at most `most`. Levels and changes stay as all runs have shown them. */
export function latestRuns(history: History, most: number): History {
  const first = history.runs.length - most;
  if (first <= 0) return history;
  const runs = history.runs.slice(first);
  const series = history.series.map(
    (one): HistorySeries => ({
      ...one,
      points: one.points.filter(({ run }) => run >= first).map((point) => ({ ...point, run: point.run - first })),
      levels: one.levels
        .filter(({ to }) => to >= first)
        .map((level) => ({ ...level, from: Math.max(0, level.from - first), to: level.to - first })),
      changes: one.changes
        .filter(({ at }) => at >= first)
        .map((change) => ({
          ...change,
          ...{ at: change.at - first, since: Math.max(0, change.since - first) },
        })),
      redefined: one.redefined.filter((run) => run >= first).map((run) => run - first),
    }),
  );
  return { ...history, runs, series, olderRuns: history.olderRuns + first };
}
