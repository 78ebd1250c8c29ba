import type { GateResult } from '#analysis/gate/gate-result.ts';

/** The confidence of a gate's intervals and of its failures. */
export const gatePromise = ({ comparisons }: Pick<GateResult, 'comparisons'>): string =>
  `Each bound of an interval holds with 90 %. A failure is certain with 95 %${comparisons === 1 ? '' : ` for all ${comparisons} comparisons together`}.`;
