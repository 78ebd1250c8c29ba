import type { History, HistoryChange } from '#protocol/history.ts';
import type { RunChange } from '#protocol/run-change.ts';

/**
 * Everything that changed between the last run before a change of a series and the first run after it. A run whose cell
 * failed has no value, and may be the one whose server or settings changed.
 */
export const changesWith = (
  { runs }: Pick<History, 'runs'>,
  { at, since }: Pick<HistoryChange, 'at' | 'since'>,
): readonly RunChange[] => runs.slice(since + 1, at + 1).flatMap(({ changes }) => changes);

/** The size of a change: the distance of its levels on logarithms where both are positive. */
export const changeSize = ({ before, after }: Pick<HistoryChange, 'before' | 'after'>): number =>
  before > 0 && after > 0 ? Math.abs(Math.log(after / before)) : Number.POSITIVE_INFINITY;
