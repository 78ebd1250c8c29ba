import type { Durations, FinishedTrial } from '#planning/durations.ts';
import { estimateTables, estimateTrial, makesTables } from '#planning/estimate-seconds.ts';
import { serverOf } from '#planning/server-instances.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';

/**
 * Seconds that the remaining trials will take. Each takes as long as its finished repeats, else as long as earlier runs
 * or the plan tell, corrected by the error of the same target's estimates so far. Pure.
 */
export function secondsLeft(
  plan: Plan,
  remaining: readonly PlannedTrial[],
  finished: readonly FinishedTrial[],
  known: Durations,
): number {
  const byCell = Map.groupBy(finished, cellOf);
  const errors = new Map(plan.targets.map(({ name }) => [name, errorOf(plan, finished, name, known)]));
  const last = new Map<string, PlannedTrial>(finished.map((one) => [serverOf(plan, one), one]));
  return remaining.reduce((total, trial) => {
    const repeats = byCell.get(cellOf(trial)) ?? [];
    const error = errors.get(trial.target) ?? 1;
    const server = serverOf(plan, trial);
    const isMade = makesTables(plan, trial, last.get(server));
    last.set(server, trial);
    const made = repeats.filter(({ tablesSeconds }) => tablesSeconds > 0).map(({ tablesSeconds }) => tablesSeconds);
    const tables = isMade ? (meanOrNull(made) ?? estimateTables(plan, trial, known) * error) : 0;
    const own = meanOrNull(repeats.map((one) => one.seconds - one.tablesSeconds));
    return total + tables + (own ?? estimateTrial(plan, trial, known) * error);
  }, 0);
}

const cellOf = ({ variant, target }: PlannedTrial): string => `${variant}\n${target}`;

/** The ratio of the time that a target's trials took to their estimated time. */
function errorOf(plan: Plan, finished: readonly FinishedTrial[], target: string, known: Durations): number {
  const same = finished.filter((one) => one.target === target);
  const measured = same.length > 0 ? same : finished;
  if (measured.length === 0) return 1;
  const took = measured.reduce((sum, one) => sum + one.seconds, 0);
  return (
    took /
    measured.reduce(
      (sum, one) =>
        sum + estimateTrial(plan, one, known) + (one.tablesSeconds > 0 ? estimateTables(plan, one, known) : 0),
      0,
    )
  );
}
