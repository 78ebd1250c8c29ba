import { estimateTrialSeconds } from '#planning/estimate-seconds.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';

export interface FinishedTrial extends PlannedTrial {
  readonly seconds: number;
}

/**
 * Seconds that the remaining trials will take. Each takes as long as its finished repeats, else as long as the plan
 * estimates, corrected by the error of the same target's estimates so far. Pure.
 */
export function secondsLeft(plan: Plan, remaining: readonly PlannedTrial[], finished: readonly FinishedTrial[]) {
  return remaining.reduce((total, trial) => {
    const repeats = finished.filter((one) => one.variant === trial.variant && one.target === trial.target);
    if (repeats.length > 0) return total + repeats.reduce((sum, one) => sum + one.seconds, 0) / repeats.length;
    return total + estimateTrialSeconds(plan, trial) * correction(plan, finished, trial.target);
  }, 0);
}

function correction(plan: Plan, finished: readonly FinishedTrial[], target: string): number {
  const same = finished.filter((one) => one.target === target);
  const known = same.length > 0 ? same : finished;
  if (known.length === 0) return 1;
  const took = known.reduce((sum, one) => sum + one.seconds, 0);
  return took / known.reduce((sum, one) => sum + estimateTrialSeconds(plan, one), 0);
}
