import type { History, HistorySeries } from '#protocol/history.ts';
import { changeSize } from './changes-with.ts';

/** The first run at which a series changed, with the series that changed there, the greatest change first. */
export function movedFirst(series: readonly HistorySeries[]): History['movedFirst'] {
  const moved = series.flatMap(({ changes: [first] }, position) =>
    first === undefined ? [] : [{ position, at: first.at, size: changeSize(first) }],
  );
  if (moved.length === 0) return null;
  const at = Math.min(...moved.map((one) => one.at));
  const first = moved.filter((one) => one.at === at).toSorted((a, b) => b.size - a.size);
  return { at, series: first.map(({ position }) => position) };
}
