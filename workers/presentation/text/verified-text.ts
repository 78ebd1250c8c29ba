import type { Verification } from '#protocol/measurement.ts';

/** The outcomes of a verification, as tables show them. */
export const verifiedText: Readonly<Record<Verification['outcome'], string>> = {
  match: 'rows and values',
  countOnly: 'rows counted',
  notPossible: 'nothing to check',
  skipped: 'not checked',
  mismatch: 'differs',
};
