import { formatCount, formatNumber, formatPercent } from '#model/format/format.ts';
import type { CellSummary, Conflicts } from '../run-model/run-model.ts';

/** "12.0 % of client time, 340 retries, 0.8 per 100 commits, 2 given up". */
export function conflictsText({ retries, gaveUp, retriesPer100Commits, lostShare }: Conflicts): string {
  if (retries + gaveUp === 0)
    return `${formatPercent(lostShare)} of client time, in attempts that the server rolled back when the measured time was over`;
  return [
    `${formatPercent(lostShare)} of client time`,
    `${formatCount(retries)} ${retries === 1 ? 'retry' : 'retries'}`,
    ...(retriesPer100Commits === null ? [] : [`${formatNumber(retriesPer100Commits)} per 100 commits`]),
    ...(gaveUp === 0 ? [] : [`${formatCount(gaveUp)} given up`]),
  ].join(', ');
}

export const betweenCallsNote = 'between calls: share of the client’s time outside of them';

/**
 * Share of client time outside the calls in which the client was at work. Pauses before retries do not count, because
 * the conflicts cause them.
 */
export const betweenCalls = ({ clientShare }: CellSummary): number | null =>
  clientShare === null ? null : 1 - clientShare.inCalls - clientShare.connecting - clientShare.paused;
