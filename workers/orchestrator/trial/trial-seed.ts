import type { PlannedMeasure, PlannedTrial } from '#protocol/plan.ts';

/** The seed of a trial's values: each trial of a run has its own, and the same one when the run is repeated. */
export const trialSeed = ({ seed }: PlannedMeasure, { number }: Pick<PlannedTrial, 'number'>): number =>
  seed * 1_000_003 + number;
