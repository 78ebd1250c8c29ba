import type { TrialResult, Verification } from '#protocol/measurement.ts';

const worstFirst: readonly Verification['outcome'][] = ['mismatch', 'skipped', 'notPossible', 'countOnly', 'match'];

/**
 * What can be said of all trials of a cell: the least of those that count, or a mismatch of any. Null before there is
 * one.
 */
export function cellVerification(results: readonly TrialResult[]): Verification | null {
  const all = results
    .filter(({ status, verification }) => status === 'ok' || verification.outcome === 'mismatch')
    .map(({ verification }) => verification);
  return all.toSorted((a, b) => worstFirst.indexOf(a.outcome) - worstFirst.indexOf(b.outcome))[0] ?? null;
}
