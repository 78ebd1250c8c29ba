import type { TrialResult, Verification } from '#protocol/measurement.ts';

const worstFirst: readonly Verification['outcome'][] = ['mismatch', 'skipped', 'notPossible', 'countOnly', 'match'];

/**
 * The verification that holds for all trials of a cell: the weakest of the counted trials, or any mismatch. Null before
 * the first trial.
 */
export function cellVerification(results: readonly TrialResult[]): Verification | null {
  const all = results
    .filter(({ status, verification }) => status === 'ok' || verification.outcome === 'mismatch')
    .map(({ verification }) => verification);
  return all.toSorted((a, b) => worstFirst.indexOf(a.outcome) - worstFirst.indexOf(b.outcome))[0] ?? null;
}
