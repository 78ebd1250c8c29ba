import { many } from '#model/format/plural.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
import { makesTables } from './estimate-seconds.ts';
import { serverOf } from './server-instances.ts';

/** A sentence for each target whose variants share loads: "sqlite: 1 load for 12 trials, …". */
export function sharedLoadLines(plan: Plan): readonly string[] {
  return plan.targets.flatMap(({ name, sharedLoads = [] }) => {
    if (sharedLoads.length === 0) return [];
    const trials = plan.trials.filter(({ target }) => target === name);
    const byServer = Map.groupBy(trials, (trial) => serverOf(plan, trial)).values();
    const loads = [...byServer].flatMap((own) => own.filter((one, at) => makesTables(plan, one, own[at - 1]))).length;
    return loads < trials.length ? [loadLine(name, loads, trials)] : [];
  });
}

const loadLine = (target: string, loads: number, trials: readonly PlannedTrial[]): string =>
  `${target}: ${many(loads, 'load')} for ${many(trials.length, 'trial')}, because these variants only read and differ in indexes; each trial drops and creates what differs.`;
